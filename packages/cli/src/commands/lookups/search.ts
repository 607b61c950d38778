/**
 * `chemstream search`: finds substances with a name or identifier that equals, starts with or contains a word.
 */
import { Search } from "@chemstream/stream"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import * as commandGroup from "../../run/commandGroup.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

const values = "Names, CAS numbers, InChIKeys or identifiers"

/** The field of a hit with the matched word. It makes hits a valid input of another search. */
const field = "searchValue"

const equal = lookupCommand.make({
  name: "equal",
  description: "The substances with exactly this name or identifier, one NDJSON line for each hit",
  metavar: "WORD",
  values,
  largestBatch: Search.equalBatch().size,
  own: {
    batch: Flag.Boolean("batch").pipe(
      Flag.withDescription(
        "Look up many words in one request, and check that each hit belongs to its word [default: one word per request, because some deployments misalign the hits]"
      ),
      Flag.withDefault(false)
    )
  },
  plan: ({ batch }) => Effect.succeed({ lookup: batch ? Search.equalBatch() : Search.equal(), field }),
  examples: [
    { command: 'chemstream search equal 80-05-7 "Bisphenol A"', description: "A CAS number and a name" },
    {
      command: "cut -f2 names.tsv | chemstream search equal --fields searchValue,dtxsid | chemstream details",
      description: "From names to details"
    }
  ]
})

const startWith = lookupCommand.make({
  name: "start-with",
  description:
    "The substances with a name or identifier that starts with this word, one NDJSON line for each hit",
  metavar: "WORD",
  values: "The beginnings of names or identifiers",
  largestBatch: Search.startWith().size,
  own: {},
  plan: () => Effect.succeed({ lookup: Search.startWith(), field }),
  examples: [{ command: "chemstream search start-with Bisphenol", description: "All bisphenols" }]
})

const contain = lookupCommand.make({
  name: "contain",
  description:
    "The substances with a name or identifier that contains this word, one NDJSON line for each hit",
  metavar: "WORD",
  values: "Parts of names or identifiers",
  largestBatch: Search.contain().size,
  own: {},
  plan: () => Effect.succeed({ lookup: Search.contain(), field }),
  examples: [{ command: "chemstream search contain fluoro", description: "All names with fluoro in them" }]
})

export const search = commandGroup.make(
  "search",
  "Substances by name or identifier",
  [
    { command: "chemstream search equal 80-05-7", description: "The substance with a CAS number" },
    { command: "chemstream search start-with Bisphenol", description: "All names that start with this" }
  ],
  [equal, startWith, contain]
)
