/** Makes the page at `/`: a description of the service with links. */
import { HttpServerResponse } from "effect/http"
import { version } from "../version.ts"

/** The policy of the page: it loads nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** Makes the page, with links to these paths. */
export const make = (paths: {
  readonly docs: string
  readonly openapi: string
  readonly health: string
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    HttpServerResponse.html(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>Chemical information service</title>
<style>body { font: 16px/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }</style>
</head>
<body>
<h1>Chemical information service</h1>
<p>Records of chemicals over HTTP: details, synonyms, searches by name, formula and mass, bioactivity. chemstream ${version}.</p>
<ul>
<li><a href="${paths.docs}">Documentation of every request</a></li>
<li><a href="${paths.openapi}">OpenAPI document</a></li>
<li><a href="${paths.health}">Health</a></li>
</ul>
<p>Requests for records need a key in the header <code>x-api-key</code>; these pages need none.</p>
</body>
</html>
`),
    "content-security-policy",
    policy
  )
