/**
 * The input of a run: identifiers as text, each with the line it stood on.
 *
 * Reads plain lines: one identifier a line, surrounding white space dropped, blank lines and lines that start with
 * `#` skipped, LF or CRLF, a byte-order mark ignored. What an identifier must look like is checked by the stream
 * that uses it.
 */
import { Stream } from "effect"

/** The most characters a line may have; a longer one is passed on cut, to be refused as an identifier. */
const longestLine = 4096

/** One identifier as it was given. `line` counts from 1; for values that have no lines it is their position. */
export interface Identifier {
  readonly text: string
  readonly line: number
}

/**
 * Identifiers from values in memory.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * const identifiers = Identifiers.fromIterable(["DTXSID7020182", "DTXSID3039242"])
 * ```
 */
export const fromIterable = (values: Iterable<string>): Stream.Stream<Identifier> =>
  Stream.fromIterable(values).pipe(
    Stream.mapAccumArray(
      () => 0,
      (line, texts) =>
        [line + texts.length, texts.map((text, index) => ({ text, line: line + index + 1 }))] as const
    )
  )

/**
 * Identifiers from the bytes of a text: a file, standard input.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const bytes = Stream.make(new TextEncoder().encode("# mine\r\nDTXSID7020182\r\n"))
 * const identifiers = Identifiers.fromBytes(bytes)
 * await Effect.runPromise(Stream.runCollect(identifiers)) // => [{ text: "DTXSID7020182", line: 2 }]
 * ```
 */
export const fromBytes = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Identifier, E, R> =>
  bytes.pipe(
    Stream.mapAccumArray(
      (): LineState => ({ decoder: new TextDecoder("utf-8"), rest: "", line: 0 }),
      (state, chunks) => [
        state,
        chunks.flatMap((chunk) => readLines(state, state.decoder.decode(chunk, { stream: true })))
      ],
      { onHalt: (state) => readLines(state, `${state.decoder.decode()}\n`) }
    )
  )

interface LineState {
  readonly decoder: TextDecoder
  rest: string
  line: number
}

const readLines = (state: LineState, text: string): Array<Identifier> => {
  const lines = (state.rest + text).split("\n")
  // The rest of an overlong line is dropped as it comes, so a file without newlines stays bounded in memory.
  state.rest = (lines.pop() ?? "").slice(0, longestLine)
  const identifiers: Array<Identifier> = []
  for (const line of lines) {
    state.line++
    const trimmed = line.trim()
    if (trimmed !== "" && !trimmed.startsWith("#")) {
      identifiers.push({ text: trimmed.slice(0, longestLine), line: state.line })
    }
  }
  return identifiers
}
