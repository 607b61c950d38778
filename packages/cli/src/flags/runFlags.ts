/**
 * The shared options of commands that write records, and the settings of a run made from them. `clientFlags.ts` has the options of the
 * requests, with their timeout and retries, and `layoutFlags.ts` those of a table in the input.
 */

import { Lookup } from "@chemstream/stream"
import { TableTarget } from "@chemstream/workflow"
import { type Command, Flag } from "effect/cli"
import * as FileCheck from "../output/fileCheck.ts"
import * as JoinedFields from "../output/joinedFields.ts"
import type * as lookupRun from "../run/lookupRun.ts"
import type { Style } from "../terminal/runProgress.ts"
import * as FailOn from "./failOn.ts"
import {
  choice,
  defaultWhole,
  eitherSwitchFlag,
  onSwitchFlag,
  optional,
  optionalChoice,
  optionalText,
  parsedText,
  switchFlag,
  values
} from "./flagTypes.ts"
import * as LayoutFlags from "./layoutFlags.ts"
import * as NameList from "./nameList.ts"
import * as TimeFlag from "./timeFlag.ts"

/** How long a run over files and pipes waits for an unavailable service, in milliseconds. */
const defaultWait = 300_000

/** The same for values given as arguments, whose user waits for them. */
const defaultWaitOfArguments = 10_000

/** The option for how long to wait for an unavailable service. */
export const wait = TimeFlag.make(
  "wait",
  `How long to wait for a service that becomes unavailable or asks to wait [default: ${TimeFlag.toText(defaultWait)}; ${TimeFlag.toText(defaultWaitOfArguments)} for values given as arguments]`
).pipe(optional)

/** Returns the time to wait, in milliseconds. The default is shorter for values given as arguments. */
export const waitOf = (given: number | undefined, values: ReadonlyArray<unknown>): number =>
  given ?? (values.length > 0 ? defaultWaitOfArguments : defaultWait)

const file = (name: string, description: string) => optionalText(name, "FILE", description)

const failureModes = { isolate: "isolate", "fail-batch": "failBatch", abort: "abort" } as const

/** The default of `--stop-timeout`, in milliseconds. */
export const defaultStopTimeout = 5000

/** The output formats. */
export const formats = ["ndjson", "json", "csv", "tsv", "parquet", "arrow", "xlsx"] as const

/** The option `--format`. */
export const format = Flag.Literals("format", formats).pipe(
  Flag.withAlias("f"),
  Flag.withDescription(
    "Format of the records [default: by the extension of --output, e.g. .tsv.gz, else ndjson]"
  ),
  optional
)

/** The options of the outputs of every run. */
const outputFlags = {
  output: optionalText(
    "output",
    "FILE",
    "File of the records; it appears when it is complete. .gz and .zst compress it. Or tables of records and of outcomes: FILE.sqlite#table, FILE.duckdb#table, postgres://…#schema.table [default: standard output]",
    "o"
  ),
  format,
  forSpreadsheet: switchFlag(
    "for-spreadsheet",
    "CSV and TSV for a spreadsheet: with a byte-order mark, and an apostrophe before text that it would read as a formula; .xlsx needs neither"
  ),
  cutCells: switchFlag(
    "cut-cells",
    "Cut text that is too long for a cell of an .xlsx, count it, and exit with 1 [default: keep the records as FILE.partial.ndjson]"
  ),
  jsonSummary: file("json-summary", "File of the counts of the run, as JSON"),
  checkpoint: file(
    "checkpoint",
    "File for the position of a stopped run [default: FILE.checkpoint beside --output FILE]"
  ),
  resume: onSwitchFlag(
    "resume",
    "Start over, and discard the results of a stopped run [default: continue it]"
  ),
  validate: choice(
    "validate",
    ["strict", "warn", "off"],
    "warn",
    "How to treat a record that differs from the contract: strict fails its value, warn writes it and warns, off does not check [default: warn]"
  ),
  stopTimeout: TimeFlag.withDefault(
    "stop-timeout",
    "How long requests in flight may take after Ctrl-C or SIGTERM",
    { least: 0, otherwise: defaultStopTimeout }
  ),
  quiet: switchFlag("quiet", "No progress and no summary").pipe(Flag.withAlias("q")),
  progress: choice(
    "progress",
    ["auto", "bar", "plain", "none"],
    "auto",
    "Progress on standard error [default: auto, a bar on a terminal, else none]"
  )
}

/** The options of the outputs of a run that writes records as they are. */
export const files = {
  ...outputFlags,
  stale: optionalChoice(
    "stale",
    TableTarget.stales,
    "What a complete run into a table does with records of values that the service no longer has: keep them, mark them with the time in the column gone_at, or delete them [default: keep]"
  ),
  fields: NameList.list(
    "fields",
    "A,B,C",
    "Fields of the records, in this order, quoted if a name has a comma; a missing one is null, or empty in a table [default: all]"
  ),
  anyFields: switchFlag("any-fields", "Accept fields in --fields that the contract does not have")
}

/** The option `--input`. */
export const input = optionalText(
  "input",
  "FILE",
  "File of values: one per line, JSON objects, or a table: CSV, TSV, .xlsx, .parquet, .arrow; also .gz or .zst; or FILE.sqlite#TABLE; - for standard input",
  "i"
)

/** The option `--key`. `otherwise` describes its default. */
export const key = (otherwise: string) =>
  optionalText(
    "key",
    "FIELD",
    `Field with the value in JSON objects, or its column in a table [default: ${otherwise}]`
  )

/** The argument of a command over substances. */
export const substances = values(
  "ID",
  "Substance identifiers (DTXSID…) [default: those of --input, else of standard input]"
)

export const concurrency = defaultWhole("concurrency", 1, "Requests in flight", Lookup.defaultConcurrency)

export const strictIds = switchFlag("strict-ids", "Refuse identifiers with a wrong check digit")

/** The option for fields of the input. */
export const keep = (description: string) =>
  optional(
    parsedText(
      "keep",
      "A,B=NAME",
      description,
      JoinedFields.parse,
      "names of fields separated by commas, each once: A,B or A,B=NAME, or '\"A, B\"=NAME'"
    )
  )

/** The options of every run with a request for each batch. `largestBatch` is the most values in one request. */
export const batchFlags = (largestBatch: number) => ({
  ...LayoutFlags.flags,
  ...outputFlags,
  errors: file("errors", "File of missing, failed and invalid values, as NDJSON; input of chemstream retry"),
  batchSize: (largestBatch === 1 ? Flag.withHidden : (flag: Flag.Flag<number>) => flag)(
    Flag.Int("batch-size").pipe(
      Flag.withDescription(`Most values in one request [default: ${largestBatch}, the most allowed]`),
      Flag.filter(
        (value) => value >= 1 && value <= largestBatch,
        () =>
          largestBatch === 1
            ? "1: the endpoint takes one value in one request"
            : `a whole number from 1 to ${largestBatch}`
      )
    )
  ).pipe(optional),
  concurrency,
  ordered: onSwitchFlag("ordered", "Write records as responses arrive [default: in the order of the input]"),
  wait,
  strictIds,
  checks: FailOn.flags,
  onFailure: Flag.Literals("on-failure", ["isolate", "fail-batch", "abort"]).pipe(
    Flag.withDescription(
      "After a failed request: isolate finds the values that make it fail, fail-batch fails all its values, abort stops the run [default: isolate]"
    ),
    Flag.map((name) => failureModes[name]),
    Flag.withDefault("isolate" as const)
  )
})

/** The options of a run over values. */
export const flags = (largestBatch: number) => ({
  input,
  key: key("the endpoint's own"),
  ...LayoutFlags.flags,
  keep: keep("Fields of the input to write in front of each record; quote a name that has a comma"),
  withQuery: switchFlag("with-query", "Write the value of the input in front of each record, as query"),
  withLine: switchFlag("with-line", "Write the line number of the input in front of each record, as line"),
  ...files,
  ...batchFlags(largestBatch),
  dedupe: eitherSwitchFlag(
    "dedupe",
    "Write the records of a repeated value once [default: yes; no with --keep, --with-line or --with-query]"
  )
})

/** The parsed options of a run over values. */
export type Given = Command.Command.Config.Infer<ReturnType<typeof flags>>

/** The parsed files of a run. */
type GivenFiles = Command.Command.Config.Infer<typeof files>

/** The mode of the progress. */
export const progressOf = ({ progress, quiet }: Pick<GivenFiles, "progress" | "quiet">): Style => {
  if (quiet) return "none"
  if (progress !== "auto") return progress
  // The log of a CI job keeps every redraw of a bar.
  return process.stderr.isTTY && !process.env["CI"] && process.env["TERM"] !== "dumb" ? "bar" : "none"
}

/** The extensions of the results of a stopped run. Of a run into a table, `.partial.ndjson` has the records. */
const partial = [
  ".part",
  ".partial",
  ".partial.ndjson",
  ".partial.ndjson.lock",
  ".partial.ndjson.lock-journal",
  ".received"
]

/** The extensions of lock files. */
const locks = [".lock", ".lock-journal"]

/** The files that a run writes, including temporary ones. */
export const outputs = (
  given: Pick<GivenFiles, "checkpoint" | "jsonSummary" | "output"> & Partial<Pick<Given, "errors">>
): ReadonlyArray<FileCheck.Use> => {
  const { checkpoint, errors, jsonSummary, output } = given
  const position = ["", ".new", ...locks]
  const others = [
    ...FileCheck.replaced("--errors", errors, { endings: [...partial, ...locks], isNdjson: true }),
    ...FileCheck.replaced("--json-summary", jsonSummary)
  ]
  if (output !== undefined && TableTarget.isTarget(output)) {
    return [...FileCheck.tables("--output", output), ...others]
  }
  const beside = checkpoint !== undefined ? [] : position.map((ending) => `.checkpoint${ending}`)
  return [
    ...FileCheck.replaced("--output", output, { endings: [...partial, ...locks, ...beside] }),
    ...FileCheck.ofOption("--checkpoint", checkpoint, { endings: position.slice(1) }),
    ...others
  ]
}

/** Makes the settings that every run has. Its values are the arguments if there are any, else the input. */
export const batchOptionsOf = <
  G extends GivenFiles & Command.Command.Config.Infer<ReturnType<typeof batchFlags>>
>(
  given: G,
  values: ReadonlyArray<string>
) => ({
  ...given,
  failOn: FailOn.of(given.checks),
  wait: waitOf(given.wait, values),
  progress: progressOf(given)
})

/** Makes the settings of a run over values. */
export const optionsOf = (given: Given, values: ReadonlyArray<string>): lookupRun.Options => {
  const { withLine, withQuery } = given
  const joining = { withLine, withQuery, keep: given.keep ?? [] }
  return {
    ...batchOptionsOf(given, values),
    ...joining,
    dedupe: given.dedupe ?? JoinedFields.dedupes(joining)
  }
}
