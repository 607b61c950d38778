/**
 * Writes the first table of a report: a row for each chemical, then the identifiers without one. `htmlPage.ts` has its style,
 * and `Report` the chapters.
 */
import { Effect } from "effect"
import { type Chemical, nameOf, smilesOf } from "../../Chemical.ts"
import * as Potency from "../../Potency.ts"
import * as Structure from "../../Structure.ts"
import { numberOf, significant, textOf } from "../records/recordFields.ts"
import { Markup, markup, type Value } from "../text/markup.ts"
import { formatCount } from "../text/plainText.ts"
import type { Absent, Chapter } from "./reportEntry.ts"

/** Sorts the table by the column of a pressed button, and the other way when it is pressed again. Empty cells stay last. */
export const script = `
document.querySelector("#overview thead").addEventListener("click", ({ target }) => {
  const head = target.closest("th")
  if (head === null) return
  const isUp = head.getAttribute("aria-sort") !== "ascending"
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort")
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending")
  const body = document.querySelector("#overview tbody")
  const keyOf = (row) => row.children[head.cellIndex].dataset.key ?? row.children[head.cellIndex].textContent
  const compare = (a, b) => (a === "") - (b === "") || (isUp ? 1 : -1) * a.localeCompare(b, "en", { numeric: true })
  const numbers = (a, b) => (a === "") - (b === "") || (isUp ? 1 : -1) * (a - b)
  const rows = [...body.rows].map((row) => [keyOf(row), row])
  const order = rows.every(([key]) => key === "" || Number.isFinite(Number(key))) ? numbers : compare
  rows.sort(([a], [b]) => order(a, b))
  for (const [, row] of rows) body.append(row)
})
`

/** The numbers of the header. */
export interface Counts {
  readonly chemicals: number
  readonly incomplete: number
  readonly absent: number
}

const columns = [
  "#",
  "Name",
  "DTXSID",
  "CASRN",
  "Formula",
  "Mass (Da)",
  "Active / tested endpoints",
  "Most potent endpoint"
]

/** The columns with numbers, which are aligned on the right. */
const numeric = new Set(["#", "Mass (Da)", "Active / tested endpoints"])

/** Returns everything before the first row. */
export const begin = (
  title: string,
  { absent, chemicals, incomplete }: Counts,
  keep: ReadonlyArray<string>
): Markup => {
  const counts = [
    formatCount(chemicals, "chemical"),
    ...(absent > 0 ? [`${formatCount(absent, "identifier")} without a chemical`] : []),
    ...(incomplete > 0 ? [`${incomplete} incomplete`] : [])
  ]
  const head = [...columns, ...keep].map(
    (name) =>
      markup`<th${numeric.has(name) ? markup` class="number"` : undefined}><button type="button">${name}</button></th>`
  )
  // The structure has no order.
  return markup`<header id="top"><h1>${title}</h1>
<p>${counts.join(", ")}</p></header>
<table id="overview"><thead><tr>${head.slice(0, 1)}<th>Structure</th>${head.slice(1)}</tr></thead><tbody>
`
}

/** Returns the row of a chemical. Its name links to the chapter, if there is one. */
export const row = (
  { chemical, kept, note }: Chapter,
  number: number,
  anchor: string | undefined,
  keep: ReadonlyArray<string>
): Effect.Effect<Markup> =>
  Effect.map(structure(chemical), (svg) => {
    const { assayNames, details, id } = chemical
    const name = nameOf(chemical)
    const formula = textOf(details, "molFormula")
    const mass = numberOf(details, "monoisotopicMass")
    const endpoints = Potency.endpoints(chemical.data ?? [])
    const [potent] = endpoints
    const endpoint =
      potent?.ac50 === undefined
        ? undefined
        : `${significant(potent.ac50)}\u00a0µM ${assayNames?.get(potent.aeid) ?? `endpoint\u00a0${potent.aeid}`}`
    return markup`<tr><td class="number">${number}</td><td class="structure">${svg}</td><td class="name">${anchor === undefined ? name : markup`<a href="#${anchor}">${name}</a>`}${note === undefined ? undefined : markup` <span class="note">(incomplete)</span>`}</td>${[
      cell(textOf(details, "dtxsid") ?? id, "id"),
      cell(textOf(details, "casrn"), "id"),
      markup`<td class="id" data-key="${formula ?? ""}">${formula?.split(/(\d+)/).map((part, at) => (at % 2 === 1 ? markup`<sub>${part}</sub>` : part))}</td>`,
      cell(mass?.toFixed(4), "number"),
      markup`<td class="number" data-key="${endpoints.length === 0 ? "" : endpoints.filter(({ isActive }) => isActive).length}">${endpoints.length === 0 ? undefined : Potency.countsOf(endpoints, " / ")}</td>`,
      markup`<td data-key="${potent?.ac50 ?? ""}">${endpoint}</td>`,
      ...keep.map((field) => cell(textOf(kept, field)))
    ]}</tr>
`
  })

const cell = (value: Value, className?: string): Markup =>
  markup`<td${className === undefined ? undefined : markup` class="${className}"`}>${value}</td>`

/** Returns the structure in the size of a row. A chemical without one has an empty cell, and its chapter gives the reason. */
const structure = (chemical: Chemical): Effect.Effect<Markup | undefined> =>
  Structure.toSvg(smilesOf(chemical) ?? "", {
    title: `Structure of ${nameOf(chemical)}`,
    palette: "elements",
    crop: true
  }).pipe(
    Effect.map((svg): Markup | undefined => new Markup(svg)),
    Effect.orElseSucceed(() => undefined)
  )

/** Returns everything after the last row: the identifiers without a chemical. */
export const end = (absent: ReadonlyArray<Absent>): Markup => markup`</tbody></table>
${
  absent.length === 0
    ? undefined
    : markup`<section><h2>Without a chemical</h2>
<table><thead><tr><th class="number">Line</th><th>Identifier</th><th>Outcome</th><th>Reason</th></tr></thead><tbody>
${absent.map(
  ({
    id,
    line,
    message,
    outcome
  }) => markup`<tr><td class="number">${line}</td><td>${id}</td><td>${outcome}</td><td>${message}</td></tr>
`
)}</tbody></table></section>
`
}`
