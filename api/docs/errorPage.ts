import { errorCatalog, type ErrorCode, errorCodes } from "../../domain/errors.ts";

/** The refusals without an envelope, as domain/bareRefusals.ts makes them. */
const bareBodies = [
  [
    402,
    '{"error": "insufficient_rows", "quote"}',
    "The pool has rows left, but not as many as this costs. `quote` says what it costs.",
  ],
  [
    403,
    '{"error": "upgrade_required", "upgradeRequired": true, "feature"}',
    "The plan lacks the delivery `feature`, webhook or chat.",
  ],
  [
    409,
    '{"error": "anchor_mismatch", "reason", "currentRevision"}',
    "What a correction is anchored to is not there as it was. Read the transcript again.",
  ],
  [
    412,
    '{"error": "stale_sequence", "expectedSeq"}',
    "Corrections were made since the `seq` that was sent. Read them, then send `expectedSeq`.",
  ],
] as const;

/** The page that `doc_url` points to: the whole catalog, each code under an anchor of its name. */
export function errorPage(): string {
  const byStatus = [...Map.groupBy(errorCodes, (code) => errorCatalog[code].status)].toSorted(([a], [b]) => a - b);
  const sections = byStatus.flatMap(([, codes]) => codes).map(section);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Media Index API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav><a href="/docs">API reference</a></nav>
<main>
<h1>Errors</h1>
<p>Failures answer with <code>{"error": {"type", "code", "message", "doc_url", "request_id"}}</code>. Switch on <code>code</code>: it never changes its
meaning. <code>message</code> is for people. Quote <code>request_id</code>, which is also the header <code>X-Request-Id</code>, when you report a problem.</p>
<p>A few refusals carry what the next try needs in a <a href="#bare-bodies">body of their own</a>, in which <code>error</code> is a string.</p>
${sections.join("\n")}
<h2 id="bare-bodies">Bare bodies</h2>
<dl>
${bareBodies.map(([status, body, cause]) => `<dt>${status}</dt><dd><code>${body}</code><br>${prose(cause)}</dd>`).join("\n")}
</dl>
</main>
</body>
</html>
`;
}

function section(code: ErrorCode): string {
  const { status, type, cause, fix } = errorCatalog[code];
  return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<dl>
<dt>Status</dt><dd>${status}</dd>
<dt>Type</dt><dd><code>${type}</code></dd>
<dt>Cause</dt><dd>${prose(cause)}</dd>
<dt>Fix</dt><dd>${prose(fix)}</dd>
</dl>
</section>`;
}

/** Catalog text as HTML: escaped, with code spans. */
function prose(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/`([^`]+)`/g, "<code>$1</code>");
}
