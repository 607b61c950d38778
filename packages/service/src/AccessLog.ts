/**
 * The access log: what is known of one answered request, as one line of JSON, and a writer that puts lines on stderr.
 *
 * A line never holds an API key: it has the path without its query, and of the headers only the request id. Which
 * requests are logged, and when, is `Service`'s business. Does not rotate files: stderr is the operator's to direct.
 */
import { DateTime, Effect, type Scope } from "effect"

/** How many bytes of lines wait for stderr at most; a line that finds no room is counted, and the count written. */
export const defaultMaxPending: number = 4 * 1024 * 1024

const longestPath = 1000

/** One answered request. */
export interface Entry {
  /** When the request arrived, in milliseconds since 1970. */
  readonly time: number
  /** The id of the request: that of the header `x-request-id`, or a new one. */
  readonly requestId: string
  /** Null where the request could not be read: it was no HTTP, too large, or too slow to arrive. */
  readonly method: string | null
  /** The path as it was sent, without the query; null where the request could not be read. */
  readonly path: string | null
  /** The path of the endpoint, e.g. `/chemical/search/equal/:word`; null when there is none. */
  readonly route: string | null
  readonly status: number
  /** The size of the answer's body, in bytes, as sent; null where it is not known beforehand. */
  readonly bytes: number | null
  /** From the arrival of the request to the answer, in milliseconds. */
  readonly milliseconds: number
  /** The address of the client; null without a connection. */
  readonly remote: string | null
}

/** Takes the lines, without line ends. */
export type Write = (line: string) => void

/**
 * The line of an entry, without a line end. A path is cut after 1000 characters.
 *
 * @example
 * ```ts
 * import { AccessLog } from "@chemstream/service"
 *
 * const line = AccessLog.format({
 *   time: 0,
 *   requestId: "a-1",
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
export const format = (entry: Entry): string =>
  JSON.stringify({
    ...entry,
    time: DateTime.formatIso(DateTime.makeUnsafe(entry.time)),
    path:
      entry.path !== null && entry.path.length > longestPath
        ? `${entry.path.slice(0, longestPath)}…`
        : entry.path,
    milliseconds: Math.round(entry.milliseconds * 1000) / 1000
  })

/** Where lines are written to: as much of a Node stream as is needed. */
export interface Output {
  readonly write: (text: string, written: () => void) => unknown
}

/**
 * Writes lines to stderr, several at once and never waiting: a reader of stderr that is slow does not hold up the
 * service. Lines over `maxPending` bytes (4 MiB when not given) are dropped, and their number is written afterwards.
 * What is pending is written when the scope is closed.
 */
export const stderr = (options?: {
  readonly output?: Output | undefined
  readonly maxPending?: number | undefined
}): Effect.Effect<Write, never, Scope.Scope> =>
  Effect.gen(function* () {
    const output = options?.output ?? process.stderr
    const maxPending = options?.maxPending ?? defaultMaxPending
    let pending = ""
    let dropped = 0
    let writing = false
    const flush = () => {
      if (dropped > 0) {
        pending += `${JSON.stringify({ droppedLines: dropped })}\n`
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
      // In UTF-16 units: paths are ASCII, so these are bytes.
      if (pending.length + line.length > maxPending) {
        dropped++
        return
      }
      if (pending === "" && !writing) setImmediate(flush)
      pending += `${line}\n`
    }
  })
