/**
 * Writes everything that the command says on standard error as lines of JSON, with `--log json`: one object for each message.
 *
 * Each has `time`, `level`, `message` and `traceId`; a message of a run in a span has `spanId`, and an error may have `cause`. The
 * access log of the service has the same first three.
 */

/** The levels of messages. */
export type Level = "debug" | "info" | "warning" | "error"

/** The value of `--log`. */
export const formats = ["text", "json"] as const

/** The variable with the default of `--log`. */
export const variable = "CHEMSTREAM_LOG"

/** One state for the process, because it has one standard error. */
let isOn = false
let traceId: string | undefined

/** Whether messages are written as JSON. */
export const isJson = (): boolean => isOn

/**
 * Reads `--log` before the arguments are parsed, so that their errors have the same form. A value that is not allowed is left to
 * the parser.
 */
export const setUp = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): void => {
  const end = args.indexOf("--")
  const own = end === -1 ? args : args.slice(0, end)
  const at = own.lastIndexOf("--log")
  const value = own.findLast((arg) => arg.startsWith("--log="))?.slice("--log=".length)
  isOn = (value ?? (at === -1 ? env[variable] : own[at + 1])) === "json"
}

/** Sets the trace of the process. */
export const setTrace = (id: string): void => {
  traceId = id
}

/** The parts of a message besides its text and level. */
interface More {
  readonly spanId?: string | undefined
  readonly cause?: string | undefined
}

/** Writes one message. */
export const write = (message: string, level: Level, more: More = {}): void => {
  const time = new Date().toISOString()
  process.stderr.write(`${JSON.stringify({ time, level, message, traceId, ...more })}\n`)
}

/** Writes a text for people as a message: the level is that of its prefix, and the name of the command is omitted. */
export const writeText = (text: string, level: Level = "info"): void => {
  const [, prefix = ""] = /^chemstream: (warning|error): /.exec(text) ?? []
  const message = text.replace(/^chemstream: ((warning|error): )?/, "").trim()
  if (message !== "") write(message, prefix === "" ? level : (prefix as Level))
}
