/**
 * The options of where a harvest writes, `--output` and `--report`: their sink, and the files that it may write.
 */
import { basename, dirname, extname, join } from "node:path"
import { type Sink, TableTarget } from "@chemstream/workflow"
import { Effect, Result } from "effect"
import { Flag } from "effect/cli"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as FileCheck from "../output/fileCheck.ts"

export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("PATH"),
  Flag.withDescription(
    "Output: FOLDER for parts, FOLDER/records.ndjson (.zst, .csv, .parquet …) for one file at the end, FILE.sqlite#TABLE or postgres://…#TABLE for tables, #TABLE for tables in the Postgres of --database"
  )
)

/** Returns the sink of a path. `#TABLE` is a table in the Postgres of `database`. */
export const sinkOf = (path: string, database: string): Effect.Effect<Sink.Spec, CommandFailure> => {
  if (path.startsWith("#") && !FileCheck.isPostgres(database))
    return usageFailure(`--output ${path} needs --database postgres://…`)
  const target = path.startsWith("#") ? `${database}${path}` : path
  if (TableTarget.isTarget(target)) {
    return Result.match(TableTarget.parse(target), {
      onSuccess: () => Effect.succeed<Sink.Spec>({ _tag: "Table", target }),
      onFailure: ({ message }) => usageFailure(`--output: ${message}`)
    })
  }
  const file = basename(path)
  return Effect.succeed(
    extname(file) === "" ? { _tag: "Folder", folder: path } : { _tag: "Folder", folder: dirname(path), file }
  )
}

/** The files that a sink writes: those of a database, or every file that workers may write into a folder. */
export const sinkFiles = (path: string): ReadonlyArray<FileCheck.Use> => {
  const option = "--output"
  if (path.startsWith("#")) return []
  if (TableTarget.isTarget(path)) return FileCheck.tables(option, path)
  const isFolder = extname(path) === ""
  const folder = isFolder ? path : dirname(path)
  return [
    {
      option,
      file: folder,
      endings: ["harvest", "manifest", "chunks"].map((name) => `/${name}.json`).concat("/problems.ndjson"),
      beginnings: [`${folder}/parts/`, `${folder}/.writing-`]
    },
    ...(isFolder ? [] : [{ option, file: path }])
  ]
}

/** The file of `--report`. It is written under a hidden name in the same folder, and then renamed. */
export const reportFiles = (report: string | undefined): ReadonlyArray<FileCheck.Use> =>
  report === undefined
    ? []
    : [
        {
          option: "--report",
          file: report,
          isNdjson: true,
          beginnings: [join(dirname(report), `.writing-${basename(report)}-`)]
        }
      ]
