/** The API reference: Swagger UI from this server's own files, over `/v1/openapi.json`. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Media Index API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body class="reference">
<nav><a href="/docs/errors">Error reference</a> <a href="/v1/openapi.json">OpenAPI document</a></nav>
<noscript><p>The reference needs JavaScript; the <a href="/v1/openapi.json">OpenAPI document</a> does not.</p></noscript>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

/** Calls go to the address the page came from, so that "Try it out" works under any name of this server. */
export const referenceScript = `"use strict";
window.SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const target = new URL(request.url, location.origin);
    request.url = location.origin + target.pathname + target.search;
    return request;
  },
});
`;

export const styleSheet = `body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
nav { padding: 0.75rem 1.25rem; border-bottom: 1px solid #d8dee4; }
nav a { margin-right: 1rem; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
main section { border-top: 1px solid #d8dee4; padding: 0.5rem 0; scroll-margin-top: 1rem; }
main section:target { background: #fff8c5; outline: 0.5rem solid #fff8c5; }
h2 { font-size: 1.1rem; margin: 0.5rem 0; }
h2 a { color: inherit; text-decoration: none; }
code { font-family: ui-monospace, monospace; background: #f0f2f4; padding: 0 0.25rem; border-radius: 3px; }
dl { display: grid; grid-template-columns: 5rem 1fr; gap: 0.25rem 1rem; margin: 0; }
dt { color: #59636e; }
dd { margin: 0; overflow-wrap: anywhere; }
.swagger-ui .opblock-tag { flex-wrap: wrap; }
`;
