/**
 * `chemstream formula`: the substances with a molecular formula, or how many there are.
 */
import { Search } from "@chemstream/stream"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import * as commandGroup from "../../run/commandGroup.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

/** The field of a detail record that holds its formula. */
const field = "molFormula"

const own = {
  count: Flag.Boolean("count").pipe(
    Flag.withDescription("Write only the number of substances"),
    Flag.withDefault(false)
  )
}

const exact = lookupCommand.make({
  name: "exact",
  description: "The substances with this molecular formula, all atoms counted, one NDJSON line each",
  metavar: "FORMULA",
  values: "Molecular formulas",
  largestBatch: Search.byExactFormula().size,
  own,
  plan: ({ count }) =>
    Effect.succeed({ lookup: count ? Search.countByExactFormula() : Search.byExactFormula(), field }),
  examples: [
    {
      command: "chemstream formula exact C15H16O2",
      description: '{"query":"C15H16O2","dtxsid":"…"} a substance'
    },
    { command: "chemstream formula exact C15H16O2 --count", description: '{"query":"C15H16O2","count":12}' }
  ]
})

const msready = lookupCommand.make({
  name: "msready",
  description: "The substances with this MS-ready formula, one NDJSON line each",
  metavar: "FORMULA",
  values: "MS-ready formulas",
  largestBatch: Search.byMsreadyFormula().size,
  own,
  plan: ({ count }) =>
    Effect.succeed({ lookup: count ? Search.countByMsreadyFormula() : Search.byMsreadyFormula(), field }),
  examples: [
    {
      command: "chemstream formula msready --input formulas.txt --count",
      description: "The number of candidates for each formula of a file"
    }
  ]
})

export const formula = commandGroup.make(
  "formula",
  "Substances by molecular formula",
  [{ command: "chemstream formula exact C15H16O2", description: "The substances of a formula" }],
  [exact, msready]
)
