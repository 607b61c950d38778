/**
 * Makes the specification of a sink as a start records it (`recordedSink`), and parses the table that it names
 * (`sinkTarget`), at the start and when a worker opens it.
 */
import { resolve } from "node:path"
import { RecordSchema } from "@chemstream/api"
import type { Dialect } from "@chemstream/client"
import { Format, Table } from "@chemstream/ndjson"
import { Effect, Redacted, Result } from "effect"
import * as Fetch from "../../Fetch.ts"
import type { Spec } from "../../Sink.ts"
import * as TableTarget from "../../TableTarget.ts"
import { completeAddress } from "../database/postgresAddress.ts"
import type { Definition } from "../harvest/harvestRow.ts"

/** The specification of a table. */
export type TableSpec = Extract<Spec, { readonly _tag: "Table" }>

/** A table that can be a sink. */
export type SinkTarget = Exclude<TableTarget.TableTarget, { readonly _tag: "Duckdb" }>

/**
 * Parses the target of a sink. Fails if a harvest cannot write into it. `own` is the address of the Postgres of harvests, and
 * `addresses` have the passwords (`Sinks.Addresses`).
 */
export const sinkTarget = (
  sink: TableSpec,
  own: string | undefined,
  addresses: ReadonlyArray<Redacted.Redacted> = []
): Result.Result<SinkTarget, TableTarget.InvalidTarget> => {
  const text = sink.database === undefined ? sink.target : `${own ?? ""}${sink.target}`
  return Result.flatMap(TableTarget.parse(text, environmentOf(text, addresses)), (target) =>
    target._tag === "Duckdb"
      ? Result.fail(
          new TableTarget.InvalidTarget({
            message: `cannot write ${target.file}: only one process can write a DuckDB file, and a harvest may have several workers. Harvest into FOLDER/records.parquet, which DuckDB reads, or write the table with a lookup`
          })
        )
      : Result.succeed(target)
  )
}

/** Removes the address from a target without a password, if it is this one. */
const relativeTo = (own: string | undefined, target: string): string => {
  const address = new URL(own ?? "postgres:")
  address.password = ""
  return target.startsWith(`${address.href}#`) ? target.slice(address.href.length) : target
}

/** Returns the environment, with the password of the address that has the same user, host and port. */
const environmentOf = (text: string, addresses: ReadonlyArray<Redacted.Redacted>): typeof process.env => {
  const own = completeAddress(text, process.env)
  const same = addresses
    .flatMap((address) => completeAddress(Redacted.value(address), process.env) ?? [])
    .find(({ host, username }) => host === own?.host && username === own.username)
  return same === undefined || same.password === ""
    ? process.env
    : { ...process.env, PGPASSWORD: decodeURIComponent(same.password) }
}

/** Returns the place of a sink that holds one harvest alone. Undefined for a mirror. */
export const placeOf = (sink: Spec, own?: string): string | undefined =>
  sink._tag === "Folder" ? sink.folder : sink._tag === "Table" ? relativeTo(own, sink.target) : undefined

/** The extensions of a file of all records, as a message names them. */
const formats = `one of ${[...Format.byExtension.keys()].map((name) => `.${name}`).join(", ")}, each also with .gz or .zst`

const refused = (file: string, reason: string): Effect.Effect<never, TableTarget.InvalidTarget> =>
  Effect.fail(new TableTarget.InvalidTarget({ message: `cannot write ${file}: ${reason}` }))

/**
 * Returns the sink as it is stored: with absolute paths, the columns of a table, and no password. `own` is the
 * address of the Postgres of harvests.
 */
export const recordedSink = (
  { dialect, fetch, sink }: Pick<Definition, "dialect" | "fetch" | "sink">,
  lookups: Fetch.OwnLookups,
  own: string | undefined
): Effect.Effect<Spec, TableTarget.InvalidTarget> => {
  switch (sink._tag) {
    case "Folder": {
      const { file = "" } = sink
      const extension = Format.unknownExtension(file)
      if (extension !== undefined) return refused(file, `unknown format ${extension}. Use ${formats}`)
      const isTable = Format.tables.has(Format.ofPath(file).kind)
      const columns = sink.columns ?? (isTable ? columnsOf(fetch, lookups, dialect) : undefined)
      return Effect.succeed({
        ...sink,
        folder: resolve(sink.folder),
        ...(columns === undefined ? {} : { columns })
      })
    }
    case "Table": {
      const columns = sink.columns ?? columnsOf(fetch, lookups, dialect)
      return Effect.map(Effect.fromResult(sinkTarget(sink, own)), (parsed) => {
        const target = relativeTo(own, TableTarget.toText(parsed))
        return {
          _tag: "Table",
          ...(target.startsWith("#") ? { database: "own" } : {}),
          target,
          columns
        } as const
      })
    }
    case "Mirror":
      if (!Format.isNdjson(sink.report ?? "")) return refused(`${sink.report}`, "a report is lines of NDJSON")
      return Effect.succeed(sink.report === undefined ? sink : { ...sink, report: resolve(sink.report) })
  }
}

/** Returns the columns of the records of a harvest. */
export const columnsOf = (
  fetch: Fetch.Spec,
  lookups: Fetch.OwnLookups,
  dialect: Dialect.Name | undefined
): ReadonlyArray<Table.Column> => {
  if ("enrich" in fetch)
    return [
      { name: "query", type: "text" },
      ...Object.keys(fetch.enrich).map((name): Table.Column => ({ name, type: "json" }))
    ]
  const schema = Fetch.lookupOf(fetch, lookups)?.schema
  if (schema === undefined) return []
  return Table.columnsOf(dialect === undefined ? schema : RecordSchema.inDialect(schema, dialect))
}
