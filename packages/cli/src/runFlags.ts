/**
 * The options that all commands that write records share, and what a run makes of them.
 */
import { Lookup } from "@chemstream/stream"
import { Option } from "effect"
import { type Command, Flag } from "effect/cli"
import * as Joining from "./joining.ts"
import type * as lookupRun from "./lookupRun.ts"
import { wholeFrom1 } from "./numberFlags.ts"
import type { Style } from "./progress.ts"
import * as RunFiles from "./runFiles.ts"
import type * as Store from "./store.ts"
import * as Wait from "./wait.ts"

const isOff = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const isOn = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(true))

const file = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("FILE"), Flag.withDescription(description), Flag.optional)

const failureModes = { isolate: "isolate", "fail-batch": "failBatch", abort: "abort" } as const

const fieldsOf = (text: string): Option.Option<ReadonlyArray<string>> => {
  const names = text.split(",").map((name) => name.trim())
  return names.includes("") || new Set(names).size < names.length ? Option.none() : Option.some(names)
}

/** Where the records and all that is said of them go, and how they are looked at before. */
export const files = {
  output: Flag.String("output").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "File of the records, complete or not there, compressed when named .gz or .zst; standard output when not given"
    ),
    Flag.optional
  ),
  format: Flag.Literals("format", ["ndjson", "json", "csv", "tsv", "parquet", "arrow"]).pipe(
    Flag.withAlias("f"),
    Flag.withDescription(
      "How the records are written; as the name of --output ends when not given, e.g. .csv or .tsv.gz, else ndjson"
    ),
    Flag.optional
  ),
  jsonSummary: file("json-summary", "File of the counts of the run, as JSON"),
  checkpoint: file(
    "checkpoint",
    "File that saves how far the run is: the same command goes on where it was cut short; needs --output"
  ),
  fields: Flag.String("fields").pipe(
    Flag.withMetavar("A,B,C"),
    Flag.withDescription(
      "Fields of a record that are written, in this order; null, in a table empty, where it has none (all when not given)"
    ),
    Flag.filterMap(fieldsOf, () => "names of fields, each once, with commas between them"),
    Flag.optional
  ),
  anyFields: Flag.Boolean("any-fields").pipe(
    Flag.withDescription(
      "Let --fields name what the contract does not have, for a service with fields of its own"
    ),
    Flag.withDefault(false)
  ),
  validate: Flag.Literals("validate", ["strict", "warn", "off"]).pipe(
    Flag.withDescription(
      "About a record that is not as the contract says: fail its value, pass it on as it came and say so (the default), or do not look"
    ),
    Flag.withDefault("warn" as const)
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("No progress and no summary"),
    Flag.withDefault(false)
  ),
  progress: Flag.Literals("progress", ["auto", "bar", "plain", "none"]).pipe(
    Flag.withDescription(
      "How far the run is, on standard error: a bar, plain lines, or nothing (auto: a bar on a terminal, else nothing)"
    ),
    Flag.withDefault("auto" as const)
  )
}

/** The file of the values. */
export const input = Flag.String("input").pipe(
  Flag.withAlias("i"),
  Flag.withMetavar("FILE"),
  Flag.withDescription(
    "File of values, one a line, or of JSON objects that carry them, also .gz or .zst; - for standard input"
  ),
  Flag.optional
)

/** Where in a line the value is; `otherwise` says which field when not given. */
export const key = (otherwise: string) =>
  Flag.String("key").pipe(
    Flag.withMetavar("FIELD"),
    Flag.withDescription(
      `Field that carries the value where a line is a JSON object (${otherwise} when not given), or column of a .csv or .tsv file, which needs it where it has several`
    ),
    Flag.optional
  )

export const concurrency = wholeFrom1("concurrency", "Requests in flight", Lookup.defaultConcurrency)

export const strictIds = isOff("strict-ids", "Refuse identifiers whose check digit does not fit")

export const failOnMissing = isOff("fail-on-missing", "Exit with 1 when a value is not known to the service")

/** The options of a run over values, of which a request takes `largestBatch` at most. */
export const flags = (largestBatch: number) => ({
  input,
  key: key("the endpoint's own"),
  carry: Flag.String("carry").pipe(
    Flag.withMetavar("A,B=NAME"),
    Flag.withDescription(
      "Fields of the JSON object that carries the value, or columns of its row, written in front of each of its records, under another name where one is given"
    ),
    Flag.filterMap(
      Joining.parse,
      () => "names of fields, each once, with commas between them: A,B or A,B=NAME"
    ),
    Flag.optional
  ),
  withQuery: isOff("with-query", "Write the value, as it was given, in front of each of its records: query"),
  withLine: isOff("with-line", "Write the line of the input in front of each record of its value: line"),
  ...files,
  errors: file("errors", "File of missing, failed and invalid values, as NDJSON"),
  batchSize: (largestBatch === 1 ? Flag.withHidden : (flag: Flag.Flag<number>) => flag)(
    Flag.Int("batch-size").pipe(
      Flag.withDescription(`Values a request, at most and by default ${largestBatch}`),
      Flag.filter(
        (value) => value >= 1 && value <= largestBatch,
        () =>
          largestBatch === 1 ? "1: it takes one value a request" : `a whole number from 1 to ${largestBatch}`
      )
    )
  ).pipe(Flag.optional),
  concurrency,
  ordered: isOn("ordered", "Keep the order of the input (the default; --no-ordered: as answers come)"),
  dedupe: Flag.Boolean("dedupe").pipe(
    Flag.withDescription(
      "Write the records of a value that repeats only once (the default, except with --with-line, --with-query and --carry, which write them for each row; --no-dedupe: each time)"
    ),
    Flag.optional
  ),
  wait: Flag.String("wait").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(
      "How long to wait for a service that goes away in the course of the run, e.g. 30s, 5m or 1h; 0 for not at all (5m when not given, 0 for values given as arguments)"
    ),
    Flag.filterMap(Wait.parse, () => "a time: 30s, 5m or 1h, or 0"),
    Flag.optional
  ),
  strictIds,
  failOnMissing,
  failOnInvalid: isOff(
    "fail-on-invalid",
    "Exit with 1 when a value is no identifier, and so was not asked for"
  ),
  onFailure: Flag.Literals("on-failure", ["isolate", "fail-batch", "abort"]).pipe(
    Flag.withDescription(
      "About a failed request: isolate what makes it fail (the default), fail all its values, or end the run"
    ),
    Flag.map((name) => failureModes[name]),
    Flag.withDefault("isolate" as const)
  )
})

/** The options of a run over values, as given. */
export type Given = Command.Command.Config.Infer<ReturnType<typeof flags>>

/** The files of a run, as given. */
type GivenFiles = Command.Command.Config.Infer<typeof files>

/** How a run shows its progress. */
export const progressOf = ({ progress, quiet }: Pick<GivenFiles, "progress" | "quiet">): Style => {
  if (quiet) return "none"
  if (progress !== "auto") return progress
  // In a build the terminal, if there is one, keeps a log that shows every redrawing.
  return process.stderr.isTTY && !process.env["CI"] && process.env["TERM"] !== "dumb" ? "bar" : "none"
}

/** Where a run writes. */
export const filesOf = (given: GivenFiles): Omit<Store.Files, "columns" | "errors"> => ({
  output: Option.getOrUndefined(given.output),
  format: Option.getOrUndefined(given.format),
  jsonSummary: Option.getOrUndefined(given.jsonSummary),
  checkpoint: Option.getOrUndefined(given.checkpoint),
  fields: Option.getOrUndefined(given.fields)
})

/** The files that a run writes, with those that it writes them by way of. */
export const outputs = (
  given: Pick<GivenFiles, "checkpoint" | "jsonSummary" | "output"> & Partial<Pick<Given, "errors">>
): ReadonlyArray<RunFiles.Use> => {
  const { checkpoint, errors = Option.none(), jsonSummary, output } = given
  const written = (option: string, file: Option.Option<string>) =>
    Option.isSome(checkpoint)
      ? RunFiles.ofOption(option, file, { endings: [".part"] })
      : RunFiles.replaced(option, file)
  return [
    ...written("--output", output),
    ...written("--errors", errors),
    ...RunFiles.ofOption("--checkpoint", checkpoint, { endings: [".new", ".lock", ".lock-journal"] }),
    ...RunFiles.replaced("--json-summary", jsonSummary)
  ]
}

/** How long a run over files and pipes waits for a service that has gone away, in milliseconds, when not set. */
const defaultWait = 300_000

/** What a run makes of its options; `isTyped` says that its values are arguments, and a person waits. */
export const optionsOf = (given: Given, isTyped: boolean): lookupRun.Options => {
  const { withLine, withQuery } = given
  const joining = { withLine, withQuery, carry: Option.getOrElse(given.carry, () => []) }
  return {
    ...given,
    ...joining,
    // Who asks for something of each row wants each row.
    dedupe: Option.getOrElse(given.dedupe, () => Joining.namesOf(joining).length === 0),
    wait: Option.getOrElse(given.wait, () => (isTyped ? 0 : defaultWait)),
    ...filesOf(given),
    batchSize: Option.getOrUndefined(given.batchSize),
    errors: Option.getOrUndefined(given.errors),
    progress: progressOf(given)
  }
}
