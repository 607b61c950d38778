/**
 * Describes an error of a database with the words of the database: its text, its code, the table, and what to do. Says
 * whether it is permanent. `Database.explain` puts it into a sentence about the database of harvests, `sinkErrors.ts` into one
 * about a sink.
 */
import { SqlError } from "effect/sql"

/** What a code of Postgres means, and what to do. */
interface Advice {
  readonly codes: RegExp
  readonly problem: string
  readonly action: string
}

/** The classes of errors that a row causes, e.g. by a trigger, an overflow, or a key that is too long for its index. */
const refusedRow = "(0A|22|23|27|38|39|44|54|P0)"

const advices: ReadonlyArray<Advice> = [
  ["53300", "accepts no more connections", "Raise its limit, or lower --connections of the workers"],
  ["28", "refuses the login", "Check the user and the password of its address"],
  ["3D000", "does not exist", "Create it, or check its address"],
  ["42501", "refuses this user", "Grant the user the rights on its tables"],
  ["25006", "is read-only", "Connect to the primary server"],
  ["42", "lacks a part of its tables", "Restore that part, then resume the harvests"],
  ["26000", "lost a statement", "Put its pooler into a mode that keeps them, or connect directly"],
  ["55P03", "is locked by another session", "Wait for that session, or end it"],
  ["57014", "stops statements early", "Raise the statement_timeout of its user"],
  ["53400", "has reached a limit of its settings", "Raise that limit"],
  [refusedRow, "refuses a row", "Check the constraints and triggers of its table, then resume the harvests"]
].map(([codes, problem = "", action = ""]) => ({ codes: new RegExp(`^${codes}`), problem, action }))

/** Returns what the code of an error means, and what to do. Undefined without a known code. */
export const adviceOf = (error: SqlError.SqlError): Advice | undefined => {
  const code = codeOf(error)
  return code === undefined ? undefined : advices.find(({ codes }) => codes.test(code))
}

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

/**
 * Whether the same statement fails again with Postgres: it refuses a row, a login or a user, lacks a table, or does not
 * have the database or its pages. All others count as transient, because a server that stops, starts or is full has
 * many codes.
 */
export const isPermanent = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "AuthenticationError" ||
  new RegExp(`^(28|3D|42|XX00[12]|${refusedRow})`).test(codeOf(error) ?? "")

export const sqlErrorText = (error: SqlError.SqlError): string => {
  const { cause } = error.reason
  if (error.message.includes("No password configured"))
    return "the server asks for a password. Set PGPASSWORD or PGPASSWORD_FILE, or give it in the address of the harvests"
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

/** Returns the text of any error, and what to do if its code says so. */
export const errorText = (error: { readonly message: string }): string => {
  if (!SqlError.isSqlError(error)) return error.message
  const action = adviceOf(error)?.action
  return action === undefined ? sqlErrorText(error) : `${sqlErrorText(error)}. ${action}`
}
