/** Describes an error of a database with the words of the database: its text, its code, and the table. */
import { SqlError } from "effect/sql"

/** The fields of an error of Postgres. */
interface PostgresFields {
  readonly message: string
  readonly code?: unknown
  readonly table?: unknown
  readonly column?: unknown
}

/** Returns the code of a Postgres error, e.g. `42P01`. */
export const codeOf = (error: SqlError.SqlError): string | undefined => {
  const code = (error.reason.cause as Partial<PostgresFields> | undefined)?.code
  return typeof code === "string" ? code : undefined
}

/** Returns the text of an error. */
export const sqlErrorText = (error: SqlError.SqlError): string => {
  const { cause } = error.reason
  if (!(cause instanceof Error) || cause.message === "") return error.message
  const { code, column, message, table } = cause as PostgresFields
  const place = [
    typeof table === "string" && !message.includes(`"${table}"`) ? `table ${table}` : [],
    typeof column === "string" && !message.includes(`"${column}"`) ? `column ${column}` : []
  ].flat()
  // A code of the operating system is in the message.
  const facts = [
    ...(typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? [`code ${code}`] : []),
    ...place
  ]
  if (facts.length > 0) return `${message} (${facts.join(", ")})`
  return error.message.includes(message) ? error.message : `${error.message}: ${message}`
}

/** Returns the text of any error. */
export const errorText = (error: { readonly message: string }): string =>
  SqlError.isSqlError(error) ? sqlErrorText(error) : error.message
