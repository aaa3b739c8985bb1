import { escapeUTF8 } from "entities";

/** Asks before anything ends. */
export function askPage(name: string, address: string): string {
  return page(
    "Stop these mails?",
    `<p>Alerts of <strong>${escapeUTF8(name)}</strong> are mailed to <strong>${escapeUTF8(address)}</strong>.</p>
<form method="post"><button type="submit">Stop these mails</button></form>
<p>Alerts go on; only this address is told no more. Whoever set them up can add it again.</p>`,
  );
}

/** Says that it is over, now or since long ago. */
export function overPage(address: string): string {
  return page(
    "No more of these mails",
    `<p role="status"><strong>${escapeUTF8(address)}</strong> gets no more mails of these alerts. There is nothing left to do.</p>`,
  );
}

/** For an address that no mail of this installation has. */
export const goneLinkPage = page(
  "This link is not valid",
  `<p>It may be cut off, or too old. Take the whole link of your newest mail, or ask whoever set up the alerts.</p>`,
);

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Media Index</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
