/**
 * The input of a run: identifiers as text, each with the line it stood on.
 *
 * Reads plain lines in UTF-8: one identifier a line, surrounding white space and the quotes of a CSV column dropped,
 * blank lines and lines that start with `#` skipped (but not `#N/A` and other errors of spreadsheets), LF or CRLF, a
 * byte-order mark ignored. The command reads its lines with it, and JSON objects beside them. What an identifier must
 * look like is checked by the stream that uses it.
 */
import { Stream } from "effect"
import { dual } from "effect/Function"

/** The most characters a value may have. A longer one is passed on cut, with a mark that no identifier can hold. */
const longestValue = 4096

/** The most characters of a line that are kept until its end is seen: far more than a value has, however it is quoted. */
const longestLine = 1024 * 1024

const cutMark = "…"

/** What a spreadsheet writes in a cell that has no value. */
const spreadsheetError =
  /^#(N\/A|NAME\?|(REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|ERROR|BLOCKED|BUSY|CONNECT|UNKNOWN)!)$/

/** The text of an identifier as it was given. `line` counts from 1; for values that have no lines it is their position. */
export interface Text {
  readonly text: string
  readonly line: number
  /** Why it is no identifier, where its source knows that of itself: it is `Invalid`, whatever `text` looks like. */
  readonly fault?: string
}

/** One identifier as it was given, with what it carries. */
export interface Identifier<out C = unknown> extends Text {
  /**
   * A value that comes out again with the outcome, e.g. other columns of its row. A checkpoint recognises it by its JSON text.
   */
  readonly carried?: C
}

/** An identifier that carries something. */
export interface Carrying<out C> extends Identifier<C> {
  readonly carried: C
}

/** How an item of one's own, e.g. a row of a table, is read. */
export interface Reading<Item, C = undefined> {
  /** The identifier in an item; an item without one is `Invalid`. */
  readonly id: (item: Item) => string | number | null | undefined
  /** What of an item its outcome carries. Default: nothing. */
  readonly carried?: ((item: Item) => C) | undefined
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
export const fromIterable = (values: Iterable<string>): Stream.Stream<Identifier<undefined>> =>
  Stream.fromIterable(values).pipe(
    Stream.mapAccumArray(
      () => 0,
      (line, texts) =>
        [line + texts.length, texts.map((text, index) => ({ text, line: line + index + 1 }))] as const
    )
  )

/**
 * Identifiers from items of one's own, e.g. the rows of a table. Their line is the position of the item.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const rows = Stream.make({ substance: "DTXSID7020182", peak: 7 })
 * const identifiers = rows.pipe(
 *   Identifiers.fromItems({ id: (row) => row.substance, carried: (row) => row.peak })
 * )
 * await Effect.runPromise(Stream.runCollect(identifiers)) // => [{ text: "DTXSID7020182", line: 1, carried: 7 }]
 * ```
 */
export const fromItems: {
  <Item, C = undefined>(
    reading: Reading<Item, C>
  ): <E, R>(items: Stream.Stream<Item, E, R>) => Stream.Stream<Carrying<C>, E, R>
  <Item, E, R, C = undefined>(
    items: Stream.Stream<Item, E, R>,
    reading: Reading<Item, C>
  ): Stream.Stream<Carrying<C>, E, R>
} = dual(
  2,
  <Item, E, R, C>(
    items: Stream.Stream<Item, E, R>,
    { carried, id }: Reading<Item, C>
  ): Stream.Stream<Carrying<C>, E, R> =>
    Stream.map(items, (item, index) => {
      const identifier = { text: ofValue(String(id(item) ?? "")), line: index + 1 }
      const own = carried?.(item)
      return (own === undefined ? identifier : { ...identifier, carried: own }) as Carrying<C>
    })
)

/**
 * Identifiers from the bytes of a text: a file, standard input. Each line is read as `fromLine` does.
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
export const fromBytes = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>
): Stream.Stream<Identifier<undefined>, E, R> =>
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

/**
 * The identifier of a line, read as `ofLine` does, undefined where it has none. `line` is its number. The errors of
 * spreadsheets (`#N/A`, `#NAME?`, `#REF!`, `#VALUE!` …) have a fault, for where they stand a value is missing.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.fromLine(" DTXSID7020182", 1) // => { text: "DTXSID7020182", line: 1 }
 * Identifiers.fromLine("#N/A", 2)?.fault // => '"#N/A" is an error of a spreadsheet, no value'
 * ```
 */
export const fromLine = (text: string, line: number): Identifier<undefined> | undefined => {
  const value = ofLine(text)
  if (value === undefined) return undefined
  return value.startsWith("#") && spreadsheetError.test(value)
    ? { text: value, line, fault: `${JSON.stringify(value)} is an error of a spreadsheet, no value` }
    : { text: value, line }
}

/**
 * What a line is asked for with, undefined where it has nothing: without the white space around it and the quotes of a CSV
 * column, cut as `ofValue` does. Blank lines, empty quotes, and comments, which start with `#`, have nothing; a word that
 * starts with `#` is quoted. The errors of spreadsheets, as `#N/A`, are no comments.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.ofLine(' "say ""hey"", oil"\r') // => 'say "hey", oil'
 * Identifiers.ofLine("# a comment") // => undefined
 * ```
 */
export const ofLine = (line: string): string | undefined => {
  const text = line.trim()
  if (text === "" || (text.startsWith("#") && !spreadsheetError.test(text))) return undefined
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  const value = ofValue(isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text)
  return value === "" ? undefined : value
}

/**
 * A text as it is asked for: without the white space around it, and cut and marked where it is longer than 4096
 * characters, more than any identifier has.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.ofValue(" DTXSID7020182 ") // => "DTXSID7020182"
 * ```
 */
export const ofValue = (text: string): string => {
  const value = text.trim()
  return value.length > longestValue ? value.slice(0, longestValue) + cutMark : value
}

interface LineState {
  readonly decoder: TextDecoder
  rest: string
  line: number
}

const readLines = (state: LineState, text: string): Array<Identifier<undefined>> => {
  const lines = text.split("\n")
  const identifiers: Array<Identifier<undefined>> = []
  for (const [index, piece] of lines.entries()) {
    // Once a line is too long nothing more of it is kept, so a file without newlines stays bounded in memory.
    if (state.rest.length <= longestLine) state.rest += piece
    if (index === lines.length - 1) break
    state.line++
    const identifier = fromLine(state.rest, state.line)
    state.rest = ""
    if (identifier !== undefined) identifiers.push(identifier)
  }
  return identifiers
}
