/** What the functions of the package say about a wrong option. */
import { Card, Chemical, Plot, Png, Report, Sheet, Structure } from "@chemstream/figures"
import { Effect, Stream } from "effect"
import { expect, it } from "vitest"

const chemical = { id: "DTXSID9020584" }

it.each<[string, () => unknown]>([
  [
    "The option synonims is unknown. Give synonyms.",
    () => Chemical.factsOf(chemical, { synonims: 2 } as never)
  ],
  ['The option columns is "80".', () => Effect.runSync(Card.toText(chemical, { columns: "80" as never }))],
  [
    "The option level is 6. Give a whole number from 1 to 5.",
    () => Effect.runSync(Card.toHtml(chemical, { level: 6 }))
  ],
  ['The option palette is "colour".', () => Structure.toSvg("CCO", { palette: "colour" as never })],
  ["The option width is -1.", () => Structure.toSvg("CCO", { width: -1 })],
  ["The option rows is NaN.", () => Structure.toText("CCO", { rows: Number.NaN })],
  ["The option dpi is null.", () => Png.fromSvg("<svg/>", { dpi: null as never })],
  ["The option columns is 0.", () => Effect.runSync(Sheet.toSvgs([], { columns: 0 }))],
  ["The option with is unknown. Give width.", () => Plot.hitCalls([], { with: 300 } as never)],
  ["The option responseUnit is 5.", () => Plot.curve({}, { responseUnit: 5 as never })],
  ["The option assayNames is an object.", () => Plot.ranking([], { assayNames: {} as never })],
  [
    'The option chapters is "al".',
    () => Effect.runSync(Stream.runDrain(Report.encode(Stream.empty, { chapters: "al" as never })))
  ]
])("%s", (message, call) => {
  expect(call).toThrow(
    expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(message) })
  )
})
