/**
 * Chooses the store of a run: `savedStore` for a file, `databaseStore` for a database, and `directStore` for standard output, pipes and
 * devices. The first two can be continued. Before that, it checks the name and the options of the output, also for `convert`.
 */
import { Format } from "@chemstream/ndjson"
import { TableTarget } from "@chemstream/workflow"
import { Effect, type Scope } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as WorkbookWriter from "../tables/workbookWriter.ts"
import * as DirectStore from "./directStore.ts"
import * as OutputPlace from "./outputPlace.ts"
import type { Files, Identity, Store } from "./runStore.ts"
import * as SavedStore from "./savedStore.ts"
import * as TableFile from "./tableFile.ts"

/** Opens the files of a run. */
export const open = (files: Files, identity: Identity): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const { checkpoint, output = "" } = files
    if (TableTarget.isTarget(output)) return yield* openTables(files, output, identity)
    if (files.stale !== undefined)
      return yield* usageFailure("--stale is for tables in a database: omit it with a file")
    const kind = TableFile.kindOf(output, files.format)
    yield* checkEnding(output, files.format)
    const targets = yield* OutputPlace.targets({
      output: files.output,
      errors: files.errors,
      checkpoint,
      "json-summary": files.jsonSummary
    })
    yield* TableFile.checkStyle(kind, files)
    if (checkpoint === undefined && targets.output === undefined) return yield* DirectStore.open(files, kind)
    if (targets.output === undefined || (checkpoint !== undefined && targets.checkpoint === undefined)) {
      return yield* usageFailure(
        "--checkpoint needs --output FILE, both of them regular files: standard output and pipes cannot be continued"
      )
    }
    return yield* SavedStore.open(files, kind, targets.output, targets.errors, identity)
  })

/** Opens the tables of a database. */
const openTables = (
  files: Files,
  output: string,
  identity: Identity
): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const target = yield* tableTarget("--output", output, files.format)
    yield* TableFile.checkStyle("ndjson", files)
    if (files.checkpoint !== undefined)
      return yield* usageFailure(
        "--checkpoint is for files: the position of a run into a database is in the database"
      )
    const { errors } = yield* OutputPlace.targets({ errors: files.errors })
    // Loaded on demand: a run into a file needs no database.
    const TableStore = yield* Effect.promise(() => import("./databaseStore.ts"))
    return yield* TableStore.open(files, target, errors, identity)
  })

/** Parses the table of an option. Fails if a format is given, which is for files. */
export const tableTarget = (
  option: string,
  text: string,
  format: TableFile.Kind | undefined
): Effect.Effect<TableTarget.TableTarget, CommandFailure> =>
  format === undefined
    ? Effect.mapError(Effect.fromResult(TableTarget.parse(text)), ({ message }) =>
        usageFailure(`${option}: ${message}`)
      )
    : usageFailure("--format is for files: omit it with a database")

/** Fails if the extension of an output is unknown, and no format is given. */
export const checkEnding = (
  output: string,
  format: TableFile.Kind | undefined
): Effect.Effect<void, CommandFailure> => {
  const ending =
    format === undefined && !WorkbookWriter.isWorkbook(output) ? Format.unknownExtension(output) : undefined
  return ending === undefined
    ? Effect.void
    : usageFailure(
        `unknown output format ${ending} of ${output}: use ${endings.join(", ")}, each also with .gz or .zst, or give --format`
      )
}

/** The known file extensions. */
const endings = [...Format.byExtension.keys(), "xlsx"].map((extension) => `.${extension}`)
