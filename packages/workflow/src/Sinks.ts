/**
 * Opens the sink of a harvest: a folder, a SQLite file, tables in the Postgres of the workers, or a mirror.
 *
 * `Sink` defines what every sink guarantees.
 */
import { Effect, type FileSystem, Option, type Path, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import * as Database from "./Database.ts"
import * as mirrorSink from "./internal/mirror/mirrorSink.ts"
import * as folderSink from "./internal/sinks/folderSink.ts"
import { refusing } from "./internal/sinks/sinkErrors.ts"
import * as sqlSink from "./internal/sinks/sqlSink.ts"
import { type Identity, type Sink, SinkError, type Spec } from "./Sink.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"

/**
 * Opens a sink for a harvest until the scope closes, and creates it if necessary. Fails if it has another
 * harvest, or the same harvest of another source.
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
  switch (spec._tag) {
    case "Folder":
      return folderSink.open(spec.folder, spec.file, identity)
    case "Sqlite":
      return refusing<SqlError.SqlError>(
        spec.file,
        (error) => sqlSink.canPass(error) && !Database.isNowhere(error)
      )("open", Effect.provide(SqliteClient.make({ file: spec.file }), Reactivity.layer)).pipe(
        Effect.flatMap((sql) => sqlSink.open(sql, spec.file, undefined, identity))
      )
    case "Postgres":
      return Effect.flatMap(Effect.serviceOption(SqlClient.SqlClient), (client) => {
        const sql = Option.getOrUndefined(client)
        return sql === undefined || dialectOf(sql) !== "pg"
          ? Effect.fail(noPostgres())
          : sqlSink.open(
              sql,
              `Postgres${spec.schema === undefined ? "" : `, schema ${spec.schema}`}`,
              spec.schema,
              identity
            )
      })
    case "Mirror":
      return Effect.flatMap(Effect.serviceOption(SqlClient.SqlClient), (client) =>
        Option.isSome(client)
          ? mirrorSink.open(client.value, spec, identity)
          : Effect.fail(noDatabase(`the mirror ${spec.mirror}`))
      )
  }
}

/**
 * Returns the name of the harvest in the folder of a sink, so that another harvest can be refused before it
 * starts. Undefined without a harvest, and for other sinks, which can have many.
 */
export const holder = (
  spec: Spec
): Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path> =>
  spec._tag === "Folder" ? folderSink.holder(spec.folder) : Effect.undefined

const dialectOf = (sql: SqlClient.SqlClient): "pg" | "another" =>
  sql.onDialectOrElse({ pg: () => "pg", orElse: () => "another" })

const noDatabase = (sink: string): SinkError =>
  new SinkError({
    sink,
    operation: "open",
    retryable: false,
    message: `${sink} is in the database of harvests: provide one`
  })

const noPostgres = (): SinkError =>
  new SinkError({
    sink: "Postgres",
    operation: "open",
    retryable: false,
    message: "a sink in Postgres needs workers that share a Postgres: name its address, or another sink"
  })
