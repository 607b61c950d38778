/**
 * `chemstream details`: the detail records of substance identifiers, as NDJSON.
 */
import { DetailProjection } from "@chemstream/api"
import { Details, Lookup } from "@chemstream/stream"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as clientFlags from "../clientFlags.ts"
import * as detailsRun from "../detailsRun.ts"
import * as input from "../input.ts"

const largestBatch = Details.byDtxsid().size

const positive = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= 1,
      () => "a whole number of 1 or more"
    )
  )

export const details = Command.make(
  "details",
  {
    ids: Argument.String("ID").pipe(
      Argument.withDescription("Substance identifiers (DTXSID…); else --input, else standard input"),
      Argument.variadic()
    ),
    input: Flag.String("input").pipe(
      Flag.withAlias("i"),
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of identifiers, one a line; - for standard input"),
      Flag.optional
    ),
    projection: Flag.Literals("projection", DetailProjection.names).pipe(
      Flag.withAlias("p"),
      Flag.withDescription(`Fields of the records (${DetailProjection.defaultProjection} when not given)`),
      Flag.optional
    ),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of the records, complete or not there; standard output when not given"),
      Flag.optional
    ),
    errors: Flag.String("errors").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of missing, failed and invalid identifiers, as NDJSON"),
      Flag.optional
    ),
    jsonSummary: Flag.String("json-summary").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("File of the counts of the run, as JSON"),
      Flag.optional
    ),
    batchSize: Flag.Int("batch-size").pipe(
      Flag.withDescription(`Identifiers a request, at most and by default ${largestBatch}`),
      Flag.filter(
        (value) => value >= 1 && value <= largestBatch,
        () => `a whole number from 1 to ${largestBatch}`
      ),
      Flag.withDefault(largestBatch)
    ),
    concurrency: positive("concurrency").pipe(
      Flag.withDescription(`Requests in flight (${Lookup.defaultConcurrency} when not given)`),
      Flag.withDefault(Lookup.defaultConcurrency)
    ),
    ordered: Flag.Boolean("ordered").pipe(
      Flag.withDescription("Keep the order of the input (the default; --no-ordered: as answers come)"),
      Flag.withDefault(true)
    ),
    dedupe: Flag.Boolean("dedupe").pipe(
      Flag.withDescription(
        "Ask only once for an identifier that repeats (the default; --no-dedupe: each time)"
      ),
      Flag.withDefault(true)
    ),
    strictIds: Flag.Boolean("strict-ids").pipe(
      Flag.withDescription("Refuse identifiers whose check digit does not fit"),
      Flag.withDefault(false)
    ),
    failOnMissing: Flag.Boolean("fail-on-missing").pipe(
      Flag.withDescription("Exit with 1 when an identifier is not known to the service"),
      Flag.withDefault(false)
    ),
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withAlias("q"),
      Flag.withDescription("No progress and no summary"),
      Flag.withDefault(false)
    ),
    ...clientFlags.flags
  },
  Effect.fn(function* (flags) {
    const source = yield* input.open(flags.ids, Option.getOrUndefined(flags.input))
    const options: detailsRun.Options = {
      ...flags,
      projection: Option.getOrUndefined(flags.projection),
      output: Option.getOrUndefined(flags.output),
      errors: Option.getOrUndefined(flags.errors),
      jsonSummary: Option.getOrUndefined(flags.jsonSummary),
      progress: process.stderr.isTTY && !flags.quiet ? "bar" : "none"
    }
    yield* Effect.provide(detailsRun.run(source, options), clientFlags.layer(flags))
  })
).pipe(
  Command.withDescription("Detail records of substance identifiers, one NDJSON line each"),
  Command.withExamples([
    {
      command: "chemstream details DTXSID7020182 --projection compact",
      description: "One substance by its identifier"
    },
    {
      command: "cut -f1 hits.tsv | chemstream details --projection ntatoolkit > out.ndjson",
      description: "In a pipe, from the first column of a table"
    },
    {
      command: "chemstream details --input ids.txt --output out.ndjson --errors problems.ndjson",
      description: "From a file, with a list of what has no record, and why"
    }
  ])
)
