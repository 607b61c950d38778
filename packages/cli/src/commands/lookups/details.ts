/**
 * `chemstream details`: the detail records of substances or compounds.
 */
import { DetailProjection } from "@chemstream/api"
import { Details } from "@chemstream/stream"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import * as FieldCatalogue from "../../fields/fieldCatalogue.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

const lookups = { dtxsid: Details.byDtxsid, dtxcid: Details.byDtxcid }

export const details = lookupCommand.make({
  name: "details",
  description: "Detail records of substances, one NDJSON line each",
  metavar: "ID",
  values: "Substance identifiers (DTXSID…), or those of --by",
  largestBatch: Math.max(lookups.dtxsid().size, lookups.dtxcid().size),
  own: {
    by: Flag.Literals("by", ["dtxsid", "dtxcid"]).pipe(
      Flag.withDescription("Kind of the values [default: dtxsid]"),
      Flag.withDefault("dtxsid" as const)
    ),
    projection: Flag.Literals("projection", DetailProjection.names).pipe(
      Flag.withAlias("p"),
      Flag.withDescription(`Fields of the records [default: ${DetailProjection.defaultProjection}]`),
      Flag.optional
    )
  },
  plan: ({ by, projection: given }) => {
    const projection = Option.getOrUndefined(given)
    return Effect.succeed({
      lookup: lookups[by]({ projection }),
      settings: { projection: projection ?? null },
      projections: (dialect) => FieldCatalogue.of("details", dialect),
      field: by
    })
  },
  examples: [
    {
      command: "chemstream details DTXSID7020182 --projection compact",
      description: "One substance by its identifier"
    },
    {
      command: "cut -f1 hits.tsv | chemstream details --projection ntatoolkit > out.ndjson",
      description: "In a pipe, from the first column of a table"
    },
    {
      command: "chemstream details --input ids.txt --output out.ndjson.gz --errors problems.ndjson",
      description:
        "From a file; problems.ndjson lists the values without a record, and the same command continues a stopped run"
    }
  ]
})
