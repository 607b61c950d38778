// The runs whose checkpoints the fixtures hold: the command, and how it was stopped.
import * as Gateway from "./Gateway.ts"

/** A run that was stopped halfway. */
export interface StoppedRun {
  /** The folder of the fixture. */
  readonly name: string
  readonly args: ReadonlyArray<string>
  /** The output. For Postgres, a table. */
  readonly output: string
  readonly errors?: string
  /** The responses before the stop. Default: 3. */
  readonly responses?: number
  /** How it stopped: the service refused its key, it was killed, it could not rename its output, or it was interrupted. */
  readonly stop: "refused" | "killed" | "unnamed" | "interrupted"
  /** The file on standard input, and the lines of it that an interrupted run had read. */
  readonly input?: string
  readonly lines?: number
  /** Why a newer release refuses to continue it. Default: it continues it. */
  readonly refusal?: string
  /** Whether the order of the records may differ from that of an undisturbed run. Default: false. */
  readonly isUnordered?: boolean
}

const batches = ["--batch-size", "5", "--concurrency", "1"]
const details = ["details", "-i", "ids.txt", ...batches]
const errors = "errors.ndjson"

/** The runs into files and databases of files. */
export const runs: ReadonlyArray<StoppedRun> = [
  { name: "ndjson", args: details, output: "out.ndjson", errors, stop: "refused" },
  { name: "gzip", args: details, output: "out.ndjson.gz", errors: "errors.ndjson.gz", stop: "refused" },
  { name: "zstd", args: details, output: "out.ndjson.zst", errors: "errors.ndjson.zst", stop: "refused" },
  {
    name: "named",
    args: [...details, "--checkpoint", "saved", "--fields", "dtxsid,casrn", "--strict-ids"],
    output: "out.jsonl",
    stop: "refused"
  },
  {
    name: "unordered",
    args: ["details", "-i", "ids.txt", "--batch-size", "5", "--concurrency", "3", "--no-ordered"],
    output: "out.ndjson",
    stop: "refused",
    isUnordered: true
  },
  { name: "killed", args: details, output: "out.ndjson", errors, stop: "killed" },
  { name: "unnamed", args: details, output: "out.ndjson", stop: "unnamed", responses: 8 },
  {
    name: "joined",
    args: [
      "details",
      "-i",
      "table.csv",
      "--key",
      "substance",
      "--keep",
      "sample,remark=note",
      ...batches
    ].concat(["--with-line", "--with-query"]),
    output: "out.ndjson",
    errors,
    stop: "refused"
  },
  {
    name: "synonyms",
    args: ["synonyms", "-i", "ids.txt", ...batches],
    output: "out.ndjson",
    stop: "refused"
  },
  {
    name: "bioactivity",
    args: ["bioactivity", "data", "-i", "ids.txt", ...batches],
    output: "out.ndjson",
    stop: "refused"
  },
  {
    name: "msready",
    args: ["msready", "mass", "-i", "masses.txt", "--batch-size", "3", "--concurrency", "1"],
    output: "out.ndjson",
    errors,
    stop: "refused"
  },
  { name: "all", args: ["all", "-p", "all-ids"], output: "out.ndjson", stop: "refused", responses: 2 },
  {
    name: "resolve",
    args: ["resolve", "--key", "value", "--concurrency", "1"],
    output: "out.ndjson",
    errors,
    stop: "interrupted",
    input: "rows.ndjson",
    lines: 9
  },
  {
    name: "suspects",
    args: ["suspects", "--mz", "mz", "--ppm", "20", "--concurrency", "1"],
    output: "out.ndjson",
    errors,
    stop: "interrupted",
    input: "features.ndjson",
    lines: 4,
    refusal: "the format of the rows is 2 now, and was not given"
  },
  { name: "sqlite", args: details, output: "out.sqlite#chemicals", errors, stop: "refused" },
  { name: "sqlite-killed", args: details, output: "out.sqlite#chemicals", stop: "killed" },
  { name: "duckdb", args: details, output: "out.duckdb#chemicals", errors, stop: "refused" }
]

/** The run into a Postgres. */
export const postgresRun: StoppedRun = {
  name: "postgres",
  args: details,
  output: "#ours.chemicals",
  errors,
  stop: "refused"
}

/** The whole command of a run. */
export const commandOf = ({ args, errors, output }: StoppedRun, address = ""): ReadonlyArray<string> => [
  ...args,
  "--quiet",
  "--output",
  `${address}${output}`,
  ...(errors === undefined ? [] : ["--errors", errors])
]

/** The number of responses before a run stops. */
export const responsesOf = ({ responses = 3 }: StoppedRun): number => responses

/** The rule with which a run stops. */
export const ruleOf = (run: StoppedRun): Gateway.Rule => {
  const { isUnordered = false, stop } = run
  const responses = responsesOf(run)
  if (stop === "interrupted") return async () => undefined
  if (stop !== "refused") return Gateway.holdAfter(responses)
  return isUnordered ? Gateway.refuseFirst(responses) : Gateway.refuseAfter(responses)
}

/** A harvest that was killed halfway. */
export interface StoppedHarvest {
  /** The name of the harvest, and the folder of the fixture. */
  readonly name: string
  readonly args: ReadonlyArray<string>
  /** The chunks that were stored. */
  readonly chunks: number
}

const chunks = ["-i", "ids.txt", "--chunk-size", "5", "--concurrency", "1"]

/** The harvests in a SQLite file. */
export const harvests: ReadonlyArray<StoppedHarvest> = [
  { name: "folder", args: [...chunks, "-o", "out/records.ndjson", "--rate", "1000/s"], chunks: 3 },
  { name: "parts", args: [...chunks, "-o", "out", "--fetch", "details,synonyms"], chunks: 3 },
  { name: "table", args: [...chunks, "-o", "out.sqlite#chemicals", "--projection", "compact"], chunks: 3 },
  {
    name: "mirror",
    args: [...chunks, "--mirror", "ours", "--report", "changes.ndjson", "--older-than", "0"],
    chunks: 3
  }
]

/** The harvests in a Postgres. */
export const postgresHarvests: ReadonlyArray<StoppedHarvest> = [
  { name: "pg-table", args: [...chunks, "-o", "#chemicals", "--projection", "compact"], chunks: 3 },
  {
    name: "pg-mirror",
    args: [...chunks, "--mirror", "ours", "--report", "changes.ndjson", "--older-than", "0"],
    chunks: 3
  }
]

/** The command that starts or continues a harvest. */
export const harvestCommandOf = (
  { args, name }: StoppedHarvest,
  database = "harvests.db"
): ReadonlyArray<string> => ["harvest", "start", name, ...args, "--database", database, "--quiet"]
