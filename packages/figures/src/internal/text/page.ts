/** Begins and ends an HTML file that loads nothing, runs nothing and prints well. */
import { Markup, markup } from "./markup.ts"

const style = `
:root { color-scheme: light; }
body { font: 15px/1.45 Helvetica, Arial, "DejaVu Sans", sans-serif; color: #111; background: #fff; max-width: 62rem; margin: 0 auto; padding: 1rem 1.2rem 3rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.35rem; border-top: 2px solid #111; padding-top: .8rem; margin-top: 2.4rem; } h3 { font-size: 1.02rem; margin: 1.1rem 0 .3rem; }
h1, h2, h3, dd, td { overflow-wrap: anywhere; }
nav ol { columns: 18rem; padding-left: 2.2rem; } nav a { color: #0b3d7a; }
figure { margin: .8rem 0; } svg { max-width: 100%; height: auto; }
dl.facts { display: grid; grid-template-columns: minmax(9rem, 16rem) 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: #444; } dd { margin: 0; }
table { border-collapse: collapse; font-size: .9rem; } th, td { border-bottom: 1px solid #bbb; padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; } td.number, th.number { text-align: right; }
.note { color: #444; } .back { font-size: .85rem; }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; } nav a { color: #111; text-decoration: none; } .back { display: none; }
  article { break-before: page; } h1, h2, h3 { break-after: avoid; } figure, tr { break-inside: avoid; } thead { display: table-header-group; }
}
`

// Not escaped, because it has no values.
const styleElement = new Markup(`<style>${style}</style>`)

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Returns everything before the content of the body. */
export const begin = (title: string): Markup => markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>${title}</title>
${styleElement}
</head>
<body>
`

/** Everything after the content of the body. */
export const end: Markup = markup`</body>
</html>
`
