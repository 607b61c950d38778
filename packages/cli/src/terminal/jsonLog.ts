/**
 * Makes lines of JSON of everything that the command says on standard error, with `--log json`: one object for each message.
 * `messages.ts` writes them.
 *
 * Each has `time`, `level`, `message` and `traceId`; a message of a run in a span has `spanId`, and an error may have `cause`. The
 * access log of the service has the same four: there, the trace is that of the request, or null.
 */

/** The levels of messages. */
export type Level = "debug" | "info" | "warning" | "error"

/** The value of `--log`. */
export const formats = ["text", "json"] as const

/** The variable with the default of `--log`. */
export const variable = "CHEMSTREAM_LOG"

/** Whether `--log json` is given. One state for the process, because it has one standard error. */
let isOn = false
/** The trace of the process (W3C), if it has one. */
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

/** Returns the line of one message. */
export const line = (message: string, level: Level, more: More = {}): string =>
  `${JSON.stringify({ time: new Date().toISOString(), level, message, traceId, ...more })}\n`

/**
 * Returns the line of a text for people: the level is that of its prefix, and the name of the command is omitted. A blank text has
 * none.
 */
export const lineOf = (text: string, level: Level = "info"): string => {
  const [, prefix = ""] = /^chemstream: (warning|error): /.exec(text) ?? []
  const message = text.replace(/^chemstream: ((warning|error): )?/gm, "").trim()
  return message === "" ? "" : line(message, prefix === "" ? level : (prefix as Level))
}
