/**
 * Writes one chemical as a card: text for a terminal, or an HTML fragment (`Report` makes pages). `Chemical` decides which
 * facts a card has, and their labels.
 *
 * A structure that cannot be drawn is replaced by the reason and is not an error. The caller decides whether the
 * terminal shows colours (`NO_COLOR`, a pipe).
 */

import { Options } from "@chemstream/batch"
import { Effect } from "effect"
import { type Chemical, type FactOptions, factsOf, nameOf, smilesOf } from "./Chemical.ts"
import { largest } from "./internal/records/extremes.ts"
import { Markup, markup } from "./internal/text/markup.ts"
import { columnsOf, oneLine, wrap } from "./internal/text/plainText.ts"
import * as Structure from "./Structure.ts"

/** The form of a card as text. */
export interface TextOptions extends FactOptions {
  /** The width of the terminal, from 40 columns on. Default: 80. */
  readonly columns?: number | undefined
  /** Whether ANSI sequences make headings bold and labels dim. Default: false. */
  readonly styled?: boolean | undefined
  /** Whether the structure is drawn. Default: true. */
  readonly structure?: boolean | undefined
}

/** The options of `toHtml`. */
export interface HtmlOptions extends FactOptions {
  /** The heading level of the card, 1 to 5. Its sections are one level deeper. Default: 2. */
  readonly level?: number | undefined
  /** The `id` of the card's element. Default: none. */
  readonly anchor?: string | undefined
}

const textSet = /* @__PURE__ */ Options.set<TextOptions>()({
  columns: Options.amount,
  styled: Options.flag,
  structure: Options.flag,
  synonyms: Options.amount
})

const htmlSet = /* @__PURE__ */ Options.set<HtmlOptions>()({
  level: Options.kind("a whole number from 1 to 5", (level) => [1, 2, 3, 4, 5].includes(level as number)),
  anchor: Options.text,
  synonyms: Options.amount
})

const narrowest = 40
const widestLabel = 26
const structureRows = 18

/**
 * Returns the card as lines of text, ending with a line feed.
 *
 * Control characters are removed from names.
 *
 * @example
 *
 * ```ts
 * import { Card } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const details = { dtxsid: "DTXSID9020584", preferredName: "Ethanol", casrn: "64-17-5", smiles: "CCO" }
 * const card = await Effect.runPromise(
 *   Card.toText({ id: "DTXSID9020584", details }, { columns: 60, structure: false })
 * )
 * card.split("\n").slice(0, 5)
 * // => ["Ethanol", "=======", "", "Identifiers", "  DTXSID                DTXSID9020584"]
 * ```
 */
export const toText = (chemical: Chemical, options: TextOptions = {}): Effect.Effect<string> =>
  Effect.gen(function* () {
    const { structure = true, styled, synonyms } = Options.argument("options", textSet, options)
    const columns = Math.max(narrowest, options.columns ?? 80)
    const bold = (text: string): string => (styled ? `\u001b[1m${text}\u001b[22m` : text)
    const dim = (text: string): string => (styled ? `\u001b[2m${text}\u001b[22m` : text)
    const nameLines = wrap(nameOf(chemical), columns)
    const lines: Array<string> = [
      ...nameLines.map(bold),
      "=".repeat(Math.min(columns, largest(nameLines.map(columnsOf), 0)))
    ]
    if (structure) lines.push("", ...(yield* structureLines(chemical, columns)))
    const label = Math.min(widestLabel, Math.floor(columns / 3))
    for (const { facts, title } of factsOf(chemical, { synonyms })) {
      lines.push("", bold(title))
      for (const fact of facts) {
        const left = wrap(fact.label, label)
        const right = wrap(oneLine(fact.value), columns - label - 4)
        for (let at = 0; at < Math.max(left.length, right.length); at++) {
          const words = left[at] ?? ""
          const space = " ".repeat(label - columnsOf(words) + 2)
          lines.push(`  ${dim(words)}${space}${right[at] ?? ""}`.trimEnd())
        }
      }
    }
    return `${lines.join("\n")}\n`
  })

/**
 * Returns the card as an HTML `<article>` with the structure as SVG.
 *
 * It is well-formed XML and has no style, only the classes `card`, `structure`, `facts` and `note`.
 *
 * @example
 *
 * ```ts
 * import { Card } from "@chemstream/figures"
 * import { Effect } from "effect"
 *
 * const details = { dtxsid: "DTXSID9020584", preferredName: "Spirit <90 %> & water" }
 * const html = await Effect.runPromise(Card.toHtml({ id: "DTXSID9020584", details }))
 * html.includes("<h2>Spirit &lt;90 %&gt; &amp; water</h2>") // => true
 * ```
 */
export const toHtml = (chemical: Chemical, options: HtmlOptions = {}): Effect.Effect<string> =>
  Effect.gen(function* () {
    const { anchor: id, level = 2, synonyms } = Options.argument("options", htmlSet, options)
    const anchor = id === undefined ? undefined : markup` id="${id}"`
    const sections = factsOf(chemical, { synonyms }).map(
      ({ facts, title }) => markup`
<section>${heading(level + 1, title)}
<dl class="facts">${facts.map(
        ({ label, value }) => markup`
<dt>${label}</dt><dd>${value}</dd>`
      )}
</dl></section>`
    )
    return markup`<article class="card"${anchor}>
${heading(level, nameOf(chemical))}
${yield* structureHtml(chemical)}${sections}
</article>
`.text
  })

const heading = (level: number, text: string): Markup => {
  const tag = `h${level}`
  return markup`<${tag}>${text}</${tag}>`
}

/** Returns the drawing, or the reason for its absence. */
const drawingOrReason = <A>(
  drawing: Effect.Effect<A, Structure.UnreadableStructure>
): Effect.Effect<A | { readonly reason: string }> =>
  Effect.catchTag(drawing, "UnreadableStructure", ({ message, reason }) =>
    Effect.succeed({ reason: reason === "empty" ? "no structure is known" : `no drawing: ${message}` })
  )

const structureLines = (chemical: Chemical, columns: number): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    drawingOrReason(
      Structure.toText(smilesOf(chemical) ?? "", { columns: columns - 2, rows: structureRows })
    ),
    (text) =>
      typeof text === "string"
        ? text.split("\n").map((line) => `  ${line}`.trimEnd())
        : wrap(`(${text.reason})`, columns)
  )

const structureHtml = (chemical: Chemical): Effect.Effect<Markup> =>
  Effect.map(
    drawingOrReason(
      Structure.toSvg(smilesOf(chemical) ?? "", {
        title: `Structure of ${nameOf(chemical)}`,
        palette: "elements"
      })
    ),
    (svg) =>
      typeof svg === "string"
        ? markup`<figure class="structure">${new Markup(svg)}</figure>`
        : markup`<p class="note">${svg.reason}</p>`
  )
