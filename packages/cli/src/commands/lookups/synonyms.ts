/**
 * `chemstream synonyms`: writes the names and alternate identifiers of substances.
 */
import { SynonymRecord } from "@chemstream/api"
import { Synonyms } from "@chemstream/stream"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import * as FieldCatalogue from "../../fields/fieldCatalogue.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

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
        `One line per substance, or with ccd-synonyms one per synonym [default: ${SynonymRecord.defaultProjection}]`
      ),
      Flag.withDefault(SynonymRecord.defaultProjection)
    )
  },
  plan: ({ projection }) =>
    Effect.succeed({
      lookup: Synonyms.byDtxsid({ projection }),
      settings: { projection },
      projections: (dialect) => FieldCatalogue.of("synonyms", dialect),
      field: "dtxsid"
    }),
  examples: [
    { command: "chemstream synonyms DTXSID7020182", description: "All synonyms of a substance, in groups" },
    {
      command: "chemstream synonyms --input ids.txt --projection ccd-synonyms > synonyms.ndjson",
      description: "One line per synonym, with its quality"
    }
  ]
})
