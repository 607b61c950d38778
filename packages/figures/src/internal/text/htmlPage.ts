/** Begins and ends an HTML file that loads nothing, prints well and runs at most one script of its own. */
import { Markup, markup } from "./markup.ts"

const style = `
:root { color-scheme: light; }
body { font: 15px/1.45 Helvetica, Arial, "DejaVu Sans", sans-serif; color: #111; background: #fff; max-width: 76rem; margin: 0 auto; padding: 1rem 1.2rem 3rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.35rem; border-top: 2px solid #111; padding-top: .8rem; margin-top: 2.4rem; } h3 { font-size: 1.02rem; margin: 1.1rem 0 .3rem; }
h1, h2, h3, dd, td { overflow-wrap: anywhere; } #overview td { overflow-wrap: break-word; }
#overview { width: 100%; font-size: .82rem; line-height: 1.3; } #overview a { color: #0b3d7a; } #overview :is(.id, .number) { white-space: nowrap; } #overview .name { min-width: 13rem; } sub { line-height: 0; } #overview .structure svg { display: block; height: 3.4rem; width: auto; max-width: 9rem; }
#overview th button { all: unset; cursor: pointer; font-weight: bold; } #overview th button:focus-visible { outline: 2px solid #0b3d7a; }
#overview th[aria-sort=ascending] button::after { content: " ▲"; } #overview th[aria-sort=descending] button::after { content: " ▼"; }
@media screen and (max-width: 60rem) { #overview { display: block; overflow-x: auto; } }
#overview th { position: sticky; top: 0; background: #fff; vertical-align: bottom; }
article { max-width: 62rem; } figure { margin: .8rem 0; } svg { max-width: 100%; height: auto; }
dl.facts { display: grid; grid-template-columns: minmax(9rem, 16rem) 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: #444; } dd { margin: 0; }
table { border-collapse: collapse; font-size: .9rem; } th, td { border-bottom: 1px solid #bbb; padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; } td.number, th.number { text-align: right; }
.note { color: #444; } .back { font-size: .85rem; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; } body, #overview th { background: #16181c; color: #e6e6e6; } dt, .note { color: #aaa; } #overview a, a { color: #8ab8f0; }
  h2 { border-color: #e6e6e6; } th, td { border-color: #444; } svg { filter: invert(1) hue-rotate(180deg); }
}
@page { margin: 10mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; } #overview a { color: #111; text-decoration: none; } h1 { margin: 0 0 1mm; font-size: 14pt; } header p { margin: 0 0 1mm; font-size: 8pt; } #overview .name { min-width: 42mm; }
  #overview { font-size: 6.2pt; line-height: 1.05; } #overview th { position: static; } #overview :is(th, td) { padding: .2mm 1mm .2mm 0; vertical-align: middle; } #overview .structure svg { height: 4.4mm; max-width: 16mm; }
  .back { display: none; }
  article { break-before: page; } h1, h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; } thead { display: table-header-group; }
}
`

// Not escaped, because it has no values.
const styleElement = new Markup(`<style>${style}</style>`)

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** A script and its hash in the form of a policy, e.g. `sha256-…`. */
export interface Script {
  readonly text: string
  readonly hash: string
}

/** Returns everything before the content of the body. */
export const begin = (title: string, script?: Script): Markup => markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${script === undefined ? policy : `${policy}; script-src '${script.hash}'`}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${title}</title>
${styleElement}
</head>
<body>
`

/** Returns everything after the content of the body. The script is not escaped. */
export const end = (
  script?: Script
): Markup => markup`${script === undefined ? undefined : new Markup(`<script>${script.text}</script>\n`)}</body>
</html>
`
