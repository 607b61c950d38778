/**
 * `chemstream synonyms`: the names and alternate identifiers of substances.
 */
import { SynonymRecord } from "@chemstream/api"
import { Synonyms } from "@chemstream/stream"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import * as lookupCommand from "../lookupCommand.ts"

export const synonyms = lookupCommand.make({
  name: "synonyms",
  description: "Synonyms of substances, as NDJSON",
  metavar: "ID",
  values: "Substance identifiers (DTXSID…)",
  largestBatch: Synonyms.byDtxsid().size,
  own: {
    projection: Flag.Literals("projection", SynonymRecord.projections).pipe(
      Flag.withAlias("p"),
      Flag.withDescription(
        `A line a substance (chemical-synonym-all), or a line a synonym (ccd-synonyms, one substance a request); ${SynonymRecord.defaultProjection} when not given`
      ),
      Flag.withDefault(SynonymRecord.defaultProjection)
    )
  },
  ask: ({ projection }) =>
    Effect.succeed({ lookup: Synonyms.byDtxsid({ projection }), settings: { projection }, field: "dtxsid" }),
  examples: [
    { command: "chemstream synonyms DTXSID7020182", description: "All synonyms of a substance, in groups" },
    {
      command: "chemstream synonyms --input ids.txt --projection ccd-synonyms > synonyms.ndjson",
      description: "A line a synonym, with its quality"
    }
  ]
})
