/**
 * Writes the report of a resolved list as one HTML file: counts, rows without a substance, and rows with substances.
 *
 * The file loads nothing and runs nothing. This module also loads in a page of a browser. `Report` writes chapters on
 * chemicals.
 */
import { checkList } from "./internal/arguments.ts"
import * as htmlPage from "./internal/text/htmlPage.ts"
import { type Markup, markup } from "./internal/text/markup.ts"

/** A substance that a row may mean. */
export interface Candidate {
  readonly dtxsid?: string | null | undefined
  readonly dtxcid?: string | null | undefined
  readonly preferredName?: string | null | undefined
}

/** A row of the list with its result. */
export interface Row {
  /** The line of the list, from 1. */
  readonly line: number
  /** The identifier as given. */
  readonly input: string
  readonly status: string
  /** The repair of the identifier, or the reason why there is no substance. */
  readonly note: string | null
  readonly candidates: ReadonlyArray<Candidate>
  /** The number of candidates left out. */
  readonly more: number
}

/** A resolved list. */
export interface List {
  readonly title: string
  /** The counts of the rows as text. */
  readonly ledger: string
  /** The rows in the order of the list. */
  readonly rows: ReadonlyArray<Row>
}

/**
 * Returns the report as an HTML file.
 *
 * @example
 *
 * ```ts
 * import { ListReport } from "@chemstream/figures"
 *
 * const ethanol = { dtxsid: "DTXSID9020584", preferredName: "Ethanol" }
 * const html = ListReport.toHtml({
 *   title: "samples.txt",
 *   ledger: "2 rows = 1 found + 1 missing",
 *   rows: [
 *     { line: 1, input: "64-17-5", status: "found", note: null, candidates: [ethanol], more: 0 },
 *     { line: 2, input: "nothing", status: "missing", note: null, candidates: [], more: 0 }
 *   ]
 * })
 * html.includes("2 rows = 1 found + 1 missing") // => true
 * ```
 */
export const toHtml = (list: List): string => {
  checkList("rows", Object(list).rows)
  const { ledger, rows, title } = list
  const others = rows.filter(({ status }) => status !== "found")
  const found = rows.filter(({ status }) => status === "found")
  return markup`${htmlPage.begin(title)}<header><h1>${title}</h1>
<p>${ledger}</p></header>
${section("Not found", others)}${section("Found", found)}${htmlPage.end()}`.text
}

const section = (title: string, rows: ReadonlyArray<Row>): Markup | undefined =>
  rows.length === 0
    ? undefined
    : markup`<section><h2>${title}</h2>
<table><thead><tr><th class="number">Line</th><th>Input</th><th>Status</th><th>Substance</th><th>Note</th></tr></thead><tbody>
${rows.map(
  ({ candidates, input, line, more, note, status }) =>
    markup`<tr><td class="number">${line}</td><td>${input}</td><td>${status}</td><td>${substances(candidates, more)}</td><td>${note ?? undefined}</td></tr>
`
)}</tbody></table></section>
`

const substances = (candidates: ReadonlyArray<Candidate>, more: number): ReadonlyArray<Markup> => [
  ...candidates.map(({ dtxcid, dtxsid, preferredName }) => {
    const id = dtxsid ?? dtxcid ?? ""
    return markup`<div>${preferredName ?? id}${preferredName == null ? undefined : ` ${id}`}</div>`
  }),
  ...(more > 0 ? [markup`<div class="note">and ${more} more</div>`] : [])
]
