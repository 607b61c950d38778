/**
 * Formats and writes the access log: one line of JSON per request.
 *
 * A line never has an API key. It has the path without the query and, of the headers, only the request id and the trace.
 * `observeRequests.ts` makes the entries. Log rotation is left to the operator.
 */
import { Options } from "@chemstream/batch"
import { Clock, DateTime, Effect, type Scope } from "effect"

/** The default limit of bytes that wait for stderr: 4 MiB. */
export const defaultMaxPending: number = 4 * 1024 * 1024

const longestPath = 1000

/** One request with its response. */
export interface Entry {
  /** When the request arrived, in milliseconds since 1970. */
  readonly time: number
  /** The header `x-request-id` of the request, or a new id. */
  readonly requestId: string
  /** The trace of the header `traceparent` of the request. Null without one. */
  readonly traceId: string | null
  /** Null if the request was unreadable: not HTTP, too large or too slow. */
  readonly method: string | null
  /** The path as sent, without the query. Null if the request was unreadable. */
  readonly path: string | null
  /** The path of the endpoint, e.g. `/chemical/search/equal/:word`. Null if there is none. */
  readonly route: string | null
  readonly status: number
  /** The size of the response body as sent, in bytes. Null for a stream. */
  readonly bytes: number | null
  /** The time from the arrival of the request to the response, in milliseconds. */
  readonly milliseconds: number
  /** The address of the client. Null without a connection. */
  readonly remote: string | null
}

const entryKind = /* @__PURE__ */ Options.kind<Entry>("an entry, with its time, path and status", (value) => {
  const { path, status, time } = Object(value)
  return Number.isFinite(time) && Number.isInteger(status) && (path === null || typeof path === "string")
})

/** Receives a line without its line feed. */
export type Write = (line: string) => void

/**
 * Returns the line of an entry, without a line feed. Paths are cut after 1000 characters.
 *
 * @example
 *
 * ```ts
 * import { AccessLog } from "@chemstream/service"
 *
 * const line = AccessLog.format({
 *   time: 0,
 *   requestId: "a-1",
 *   traceId: null,
 *   method: "GET",
 *   path: "/health",
 *   route: "/health",
 *   status: 200,
 *   bytes: 15,
 *   milliseconds: 0.25,
 *   remote: "127.0.0.1"
 * })
 * JSON.parse(line).time // => "1970-01-01T00:00:00.000Z"
 * ```
 */
export const format = (entry: Entry): string => {
  const { path: whole } = Options.argument("entry", entryKind, entry)
  const path = whole !== null && whole.length > longestPath ? `${whole.slice(0, longestPath)}…` : whole
  return JSON.stringify({
    ...entry,
    time: DateTime.formatIso(DateTime.makeUnsafe(entry.time)),
    level: entry.status >= 500 ? "error" : "info",
    message: `${entry.method ?? "an unreadable request"} ${path ?? ""} ${entry.status}`.replace("  ", " "),
    path,
    milliseconds: Math.round(entry.milliseconds * 1000) / 1000
  })
}

/** The part of a Node stream that the log needs. */
export interface Output {
  readonly write: (text: string, done: () => void) => unknown
}

/** The options of `stderr`. */
export interface StderrOptions {
  /** Default: stderr of the process. */
  readonly output?: Output | undefined
  /** The largest number of bytes that wait. Default: 4 MiB. */
  readonly maxPending?: number | undefined
}

const stderrOptions = /* @__PURE__ */ Options.set<StderrOptions>()({
  output: Options.instance<Output>("a stream of Node", "write"),
  maxPending: Options.amount
})

/**
 * Writes lines to stderr without waiting, so that a slow reader of stderr does not delay requests.
 *
 * Lines beyond `maxPending` bytes are dropped and counted, and a warning with their number is written later. Default: 4 MiB.
 * Closing the scope writes the pending lines.
 */
export const stderr = (options: StderrOptions = {}): Effect.Effect<Write, never, Scope.Scope> =>
  Effect.gen(function* () {
    const given = Options.argument("options", stderrOptions, options)
    const { maxPending = defaultMaxPending, output = process.stderr } = given
    const clock = yield* Clock.Clock
    let pending = ""
    let dropped = 0
    let writing = false
    const flush = () => {
      if (dropped > 0) {
        const time = DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
        const message = `${dropped} lines of the access log are missing: standard error was not read fast enough`
        pending += `${JSON.stringify({ time, level: "warning", message, traceId: null, droppedLines: dropped })}\n`
        dropped = 0
      }
      if (pending === "") return
      const text = pending
      pending = ""
      writing = true
      output.write(text, () => {
        writing = false
        flush()
      })
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (pending !== "") output.write(pending, () => {})
        pending = ""
      })
    )
    return (line) => {
      // `length` counts UTF-16 units. It equals the number of bytes, because paths are ASCII.
      if (pending.length + line.length > maxPending) {
        dropped++
        return
      }
      if (pending === "" && !writing) setImmediate(flush)
      pending += `${line}\n`
    }
  })
