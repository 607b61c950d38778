/**
 * Opens the sink of a harvest: a folder, tables of SQLite or Postgres, or a mirror.
 *
 * `Sink` defines what every sink guarantees.
 */
import { existsSync } from "node:fs"
import { Options } from "@chemstream/client"
import { Context, Effect, type FileSystem, Option, type Path, type Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { addressOf } from "./internal/database/postgresClient.ts"
import * as mirrorSink from "./internal/mirror/mirrorSink.ts"
import * as folderSink from "./internal/sinks/folderSink.ts"
import { define, holderOf } from "./internal/sinks/harvestTables.ts"
import { type SinkTarget, sinkTarget, type TableSpec } from "./internal/sinks/recordedSink.ts"
import { toSinkError, unusableSink } from "./internal/sinks/sinkErrors.ts"
import * as tableSink from "./internal/sinks/tableSink.ts"
import * as postgresTables from "./internal/tables/postgresTables.ts"
import * as sqliteTables from "./internal/tables/sqliteTables.ts"
import { type Identity, kind, type Sink, SinkError, type Spec } from "./Sink.ts"
import * as TableTarget from "./TableTarget.ts"

/**
 * Opens a sink for a harvest until the scope closes, and creates it if necessary. Fails if it stores another harvest,
 * or the same harvest with another source.
 *
 * @example
 * ```ts
 * import { Sink, Sinks } from "@chemstream/workflow"
 * import { Outcome } from "@chemstream/stream"
 * import { NodeServices } from "@effect/platform-node"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const spec: Sink.Spec = { _tag: "Folder", folder: "mirror", file: "records.ndjson" }
 *   const sink = yield* Sinks.open(spec, { harvest: "mirror", source: "sha256:…" })
 *   yield* sink.write({ index: 0, outcomes: [Outcome.missing("DTXSID7020182", 1)], duplicates: 0 })
 *   return yield* sink.complete(1)
 * })
 * const run = program.pipe(Effect.scoped, Effect.provide(NodeServices.layer))
 * ```
 */
export const open = (
  spec: Spec,
  identity: Identity
): Effect.Effect<Sink, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope> => {
  Options.argument("spec", kind, spec)
  Options.argument("identity", identityKind, identity)
  switch (spec._tag) {
    case "Folder":
      return folderSink.open(spec.folder, spec.file, spec.columns ?? [], identity)
    case "Table":
      return openTables(spec, identity)
    case "Mirror":
      return Effect.flatMap(Effect.serviceOption(SqlClient.SqlClient), (client) =>
        Option.isSome(client)
          ? mirrorSink.open(client.value, spec, identity)
          : Effect.fail(noDatabase(`the mirror ${spec.mirror}`))
      )
  }
}

/**
 * Returns the name of the harvest that a folder or a table stores, to refuse another harvest before it starts.
 * Undefined if it stores none or cannot be read, and for mirrors. Fails if no process can write there: a part of the
 * folder's path is a file, a file is not a SQLite database, or the table has another key.
 */
export const holder = (
  spec: Spec
): Effect.Effect<string | undefined, SinkError, FileSystem.FileSystem | Path.Path> => {
  Options.argument("spec", kind, spec)
  switch (spec._tag) {
    case "Folder":
      return folderSink.holder(spec.folder)
    case "Table":
      return holderOfTable(spec)
    case "Mirror":
      return Effect.undefined
  }
}

const identityKind = /* @__PURE__ */ Options.objectWith("the identity of a harvest", {
  harvest: Options.text,
  source: Options.text
})

/** Parses the target of a table, which may be in the database of harvests. */
const parseTarget = (spec: TableSpec) =>
  Effect.gen(function* () {
    const client = yield* Effect.serviceOption(SqlClient.SqlClient)
    const own = Option.isSome(client) ? addressOf(client.value) : undefined
    return yield* Effect.fromResult(sinkTarget(spec, own, yield* Addresses))
  })

const holderOfTable = (spec: TableSpec) =>
  Effect.gen(function* () {
    const target = yield* parseTarget(spec)
    if (target._tag === "Sqlite" && !existsSync(target.file)) return undefined
    const database = yield* openDatabase(target)
    return yield* holderOf(database, define(target.table, []), TableTarget.nameOf(target))
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => {
      if (error._tag === "SinkError") return Effect.fail(error)
      // The worker reports any other reason when it opens the table.
      return error._tag === "SqlError" && error.message.includes("file is not a database")
        ? toSinkError(spec.target)("open", Effect.fail(error))
        : Effect.undefined
    })
  )

const openDatabase = (target: SinkTarget) =>
  target._tag === "Postgres"
    ? postgresTables.openShared(target.url, target.schema)
    : sqliteTables.open(target.file)

/**
 * Addresses of Postgres databases, with passwords. A harvest is stored without a password. A `Table` sink uses the
 * password of the address with the same user, host and port. Default: `PGPASSWORD`.
 */
export const Addresses: Context.Reference<ReadonlyArray<Redacted.Redacted>> = Context.Reference(
  "@chemstream/workflow/Sinks/Addresses",
  { defaultValue: (): ReadonlyArray<Redacted.Redacted> => [] }
)

const openTables = (spec: TableSpec, identity: Identity): Effect.Effect<Sink, SinkError, Scope.Scope> =>
  Effect.gen(function* () {
    const target = yield* Effect.mapError(parseTarget(spec), ({ message }) =>
      unusableSink(spec.target, message)
    )
    const name = TableTarget.nameOf(target)
    const database = yield* toSinkError(name)("open", openDatabase(target))
    const schema = target._tag === "Postgres" ? target.schema : undefined
    return yield* tableSink.open(database, define(target.table, spec.columns ?? []), schema, name, identity)
  })

const noDatabase = (sink: string): SinkError =>
  new SinkError({
    sink,
    operation: "open",
    retryable: false,
    message: `${sink} is stored in the database of harvests. Provide it with Database.layerSqlite or Database.withTables`
  })
