/**
 * Names the place of a table, as text and as data: `FILE.duckdb#table`, `FILE.sqlite#table` or
 * `postgres://…#schema.table`.
 *
 * `TableOutput` opens and writes the table.
 */
import { resolve } from "node:path"
import { Options } from "@chemstream/client"
import { Data, Redacted, Result } from "effect"
import { completeAddress } from "./internal/database/postgresAddress.ts"

/** A table in a file or in a Postgres. */
export type TableTarget =
  | { readonly _tag: "Duckdb"; readonly file: string; readonly table: string }
  | { readonly _tag: "Sqlite"; readonly file: string; readonly table: string }
  | {
      readonly _tag: "Postgres"
      /** The address, which may hold a password. */
      readonly url: Redacted.Redacted
      /** The host and the database, for messages. */
      readonly place: string
      /** Undefined for the current schema of the connection. */
      readonly schema: string | undefined
      readonly table: string
    }

/** The kind of a target, for declarations of options (`Options`). */
export const kind: Options.Kind<TableTarget> = /* @__PURE__ */ Options.objectWith(
  "a target of TableTarget.parse",
  { _tag: /* @__PURE__ */ Options.oneOf(["Duckdb", "Sqlite", "Postgres"]), table: Options.text }
)

/** What a run does with records of a table that the service no longer has. */
export const stales = ["keep", "mark", "delete"] as const

/** What a run does with records of a table that the service no longer has. */
export type Stale = (typeof stales)[number]

/** The text does not name a table or file that can be written. */
export class InvalidTarget extends Data.TaggedError("InvalidTarget")<{ readonly message: string }> {}

/** The ends of names of files. The group matches those of DuckDB. */
const files = /\.(?:(duckdb|ddb)|sqlite3?|db)$/i

const postgres = /^postgres(?:ql)?:\/\//i

/** The longest table name in Postgres, in bytes: 63, minus the longest suffix that is added to it. */
const longestName = 63 - "_outcomes_chunk".length

/** Whether a text names a database, with or without a table. */
export const isTarget = (text: string): boolean =>
  postgres.test(text) || files.test(Options.argument("text", Options.text, text).replace(/#.*$/s, ""))

/**
 * Parses a target. A table that is only read (`isRead`) may have any name of its database. `PGHOST`, `PGPORT`, `PGUSER`,
 * `PGPASSWORD` and `PGDATABASE` fill in missing parts of a Postgres address.
 *
 * @example
 * ```ts
 * import { TableTarget } from "@chemstream/workflow"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(TableTarget.parse("out/chemicals.sqlite#details"))
 * // => { _tag: "Sqlite", file: "out/chemicals.sqlite", table: "details" }
 * ```
 */
export const parse = (
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  isRead = false
): Result.Result<TableTarget, InvalidTarget> => {
  const at = Options.argument("text", Options.text, text).indexOf("#")
  const place = at === -1 ? text : text.slice(0, at)
  const name = at === -1 ? "" : text.slice(at + 1)
  return postgres.test(place) ? ofPostgres(place, name, environment, isRead) : ofFile(place, name, isRead)
}

/** Returns the name of a target in messages: without its user and password. */
export const nameOf = (target: TableTarget): string => {
  Options.argument("target", kind, target)
  return target._tag === "Postgres"
    ? `postgres://${target.place}#${tableOf(target)}`
    : `${target.file}#${target.table}`
}

/** Returns a target as text, with an absolute path and without a password. `parse` reads it. */
export const toText = (target: TableTarget): string => {
  Options.argument("target", kind, target)
  if (target._tag !== "Postgres") return `${resolve(target.file)}#${target.table}`
  const url = new URL(Redacted.value(target.url))
  url.password = ""
  return `${url.href}#${encodeURIComponent(tableOf(target))}`
}

const tableOf = ({ schema, table }: TableTarget & { readonly _tag: "Postgres" }): string =>
  schema === undefined ? table : `${schema}.${table}`

const ofFile = (file: string, table: string, isRead: boolean): Result.Result<TableTarget, InvalidTarget> => {
  const match = files.exec(file)
  if (match === null)
    return invalid(`${file} is not named like a file of DuckDB or SQLite. End its name in .duckdb or .sqlite`)
  if (table === "") return invalid(`name the table, too: ${file}#details`)
  if (table.includes(".") && !isRead)
    return invalid(`a table name cannot contain a dot. Write ${file}#${table.replaceAll(".", "_")}`)
  return Result.succeed({ _tag: match[1] === undefined ? "Sqlite" : "Duckdb", file, table })
}

const ofPostgres = (
  address: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  isRead: boolean
): Result.Result<TableTarget, InvalidTarget> => {
  const url = completeAddress(address, environment)
  if (url === undefined)
    return invalid("the Postgres address is malformed. Write postgres://host/database#table")
  const place = `${url.host}${url.pathname}`
  // The fragment of an address may be percent-encoded.
  let words: string
  try {
    words = decodeURIComponent(name)
  } catch {
    words = name
  }
  const parts = words.split(".")
  if (words === "" || parts.length > 2 || parts.includes(""))
    return invalid(`name the table, too: postgres://${place}#details or #schema.details`)
  const [table = "", schema] = parts.reverse()
  if (Buffer.byteLength(table) > longestName && !isRead)
    return invalid(`the table name is too long for Postgres. Use at most ${longestName} bytes`)
  return Result.succeed({ _tag: "Postgres", url: Redacted.make(url.href), place, schema, table })
}

const invalid = (message: string): Result.Result<never, InvalidTarget> =>
  Result.fail(new InvalidTarget({ message }))
