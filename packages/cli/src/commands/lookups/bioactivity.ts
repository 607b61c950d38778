/** `chemstream bioactivity`: writes the assay data of substances, and summaries of them. */
import { Bioactivity } from "@chemstream/stream"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { usageFailure } from "../../CommandFailure.ts"
import * as commandGroup from "../../run/commandGroup.ts"
import * as lookupCommand from "../../run/lookupCommand.ts"

const data = lookupCommand.make({
  name: "data",
  description: "Bioactivity data records, one NDJSON line each",
  metavar: "VALUE",
  values: "Substance identifiers (DTXSID…), or those of --by",
  largestBatch: Bioactivity.byDtxsid().size,
  own: {
    by: Flag.Literals("by", ["dtxsid", "aeid", "spid", "m4id"]).pipe(
      Flag.withDescription(
        "Kind of the values: substances, assay endpoints, samples or data identifiers [default: dtxsid]"
      ),
      Flag.withDefault("dtxsid" as const)
    ),
    projection: Flag.Literals("projection", ["assay-summary-plot"]).pipe(
      Flag.withAlias("p"),
      Flag.withDescription("Only the fields of a plot, with one substance per request [default: all data]"),
      Flag.optional
    )
  },
  plan: ({ by, projection: given }) => {
    const projection = Option.getOrUndefined(given)
    if (by !== "dtxsid" && projection !== undefined) {
      return Effect.fail(
        usageFailure(`--projection ${projection} is for substances and cannot be used with --by ${by}`)
      )
    }
    const lookups = {
      dtxsid: () => Bioactivity.byDtxsid({ projection }),
      aeid: Bioactivity.byAeid,
      spid: Bioactivity.bySpid,
      m4id: Bioactivity.byM4id
    }
    return Effect.succeed({ lookup: lookups[by](), settings: { projection: projection ?? null }, field: by })
  },
  examples: [
    { command: "chemstream bioactivity data DTXSID7020182", description: "All data of a substance" },
    {
      command: "chemstream bioactivity data --by aeid 3032 --output endpoint.ndjson.gz",
      description: "All data of an assay endpoint, into a compressed file"
    }
  ]
})

const summary = lookupCommand.make({
  name: "summary",
  description: "How active substances were, or how many samples were active in an assay endpoint",
  metavar: "VALUE",
  values: "Substance identifiers (DTXSID…), or those of --by",
  largestBatch: Bioactivity.summaryByDtxsid().size,
  own: {
    by: Flag.Literals("by", ["dtxsid", "aeid", "tissue"]).pipe(
      Flag.withDescription(
        "Kind of the values: substances over all assays, assay endpoints, or substances in the tissue of --tissue [default: dtxsid]"
      ),
      Flag.withDefault("dtxsid" as const)
    ),
    tissue: Flag.String("tissue").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("The tissue, for --by tissue"),
      Flag.filter(
        (name) => name.trim() !== "",
        () => "the name of a tissue, e.g. liver"
      ),
      Flag.optional
    )
  },
  plan: ({ by, tissue: given }) => {
    const tissue = Option.getOrUndefined(given)
    if (by === "tissue") {
      return tissue === undefined
        ? Effect.fail(usageFailure("--by tissue needs --tissue NAME"))
        : Effect.succeed({
            lookup: Bioactivity.summaryByTissue(tissue),
            settings: { tissue },
            field: "dtxsid"
          })
    }
    return tissue === undefined
      ? Effect.succeed({
          lookup: by === "aeid" ? Bioactivity.summaryByAeid() : Bioactivity.summaryByDtxsid(),
          field: by
        })
      : Effect.fail(usageFailure("--tissue NAME needs --by tissue"))
  },
  examples: [
    { command: "chemstream bioactivity summary DTXSID7020182", description: "A substance over all assays" },
    {
      command: "chemstream bioactivity summary --by tissue --tissue liver DTXSID7020182",
      description: "A substance in a tissue"
    }
  ]
})

const aed = lookupCommand.make({
  name: "aed",
  description: "Activity-exposure-dose records of substances, one NDJSON line each",
  metavar: "ID",
  values: "Substance identifiers (DTXSID…)",
  largestBatch: Bioactivity.aed().size,
  own: {},
  plan: () => Effect.succeed({ lookup: Bioactivity.aed(), field: "dtxsid" }),
  examples: [
    { command: "chemstream bioactivity aed DTXSID7020182", description: "All records of a substance" }
  ]
})

export const bioactivity = commandGroup.make(
  "bioactivity",
  "Bioactivity data of substances and assays",
  [
    {
      command: "chemstream bioactivity summary DTXSID7020182",
      description: "How active a substance was, over all assays"
    }
  ],
  [data, summary, aed]
)
