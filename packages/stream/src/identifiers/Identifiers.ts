/**
 * Reads the input of a run: identifiers as text, each with its line number.
 *
 * Text is UTF-8 with one identifier a line. White space around it and the quotes of a CSV cell are dropped.
 * Blank lines and comments (`#`) are skipped, but not the errors of spreadsheets, e.g. `#N/A`. Lines end with
 * LF or CRLF, and a byte-order mark is ignored. The lookup checks the form of the identifiers.
 */
import { Placeholder } from "@chemstream/api"
import { InvalidOption, Options } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import { mapEach } from "./internal/mapEach.ts"

/** The longest value, in characters. A longer one is cut and marked, so that it cannot be a valid identifier. */
const longestValue = 4096

/** The largest number of characters kept of a line: far more than a quoted value needs. */
const longestLine = 1024 * 1024

const cutMark = "…"

/** An identifier as given. `line` counts from 1. For values without lines, it is their position. */
export interface Text {
  readonly text: string
  readonly line: number
  /** Why this is not an identifier, if its source knows. The outcome is then `Invalid`, whatever `text` is. */
  readonly fault?: string
}

/** An identifier as given, with data of the caller. */
export interface Identifier<out C = unknown> extends Text {
  /**
   * Data of the caller that the outcome returns, e.g. other columns of the row. A checkpoint compares it by its
   * JSON text. An identifier with this property, even undefined, is a row: it has an outcome also if it occurred
   * before.
   */
  readonly carried?: C
}

/** An identifier with data of the caller. */
export interface IdentifierWithData<out C> extends Identifier<C> {
  readonly carried: C
}

/** How to read the items of the caller, e.g. the rows of a table. */
export interface ItemReader<Item, C = undefined> {
  /** Returns the identifier of an item. An item without one is `Invalid`. */
  readonly id: (item: Item) => string | number | null | undefined
  /** Returns the data of an item that its outcome returns. Default: nothing. */
  readonly carried?: ((item: Item) => C) | undefined
}

/** The declaration of a reader of items. */
const readerSet: Options.Set<ItemReader<unknown, unknown>> = /* @__PURE__ */ Options.set<
  ItemReader<unknown, unknown>
>()({ id: /* @__PURE__ */ Options.required(Options.func), carried: Options.func })

/**
 * Makes identifiers from values in memory.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * const identifiers = Identifiers.fromIterable(["DTXSID7020182", "DTXSID3039242"])
 * ```
 */
export const fromIterable = (values: Iterable<string>): Stream.Stream<Identifier<undefined>> => {
  Options.refuseArguments({ values: Options.required(texts) }, [values])
  return Stream.map(Stream.fromIterable(values), (text, index) => ({ text, line: index + 1 }))
}

const texts = /* @__PURE__ */ Options.iterable("texts")

/**
 * Makes identifiers from items of the caller, e.g. the rows of a table. The line of an identifier is the
 * position of its item. Every item has an outcome: equal identifiers of a batch are requested once, and none is
 * counted as a duplicate.
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
  <Item, E, R, C = undefined>(
    items: Stream.Stream<Item, E, R>,
    reader: ItemReader<Item, C>
  ): Stream.Stream<IdentifierWithData<C>, E, R>
  <Item, C = undefined>(
    reader: ItemReader<Item, C>
  ): <E, R>(items: Stream.Stream<Item, E, R>) => Stream.Stream<IdentifierWithData<C>, E, R>
} = Options.streamFrom("items", { reader: Options.required(readerSet) })(
  <Item, E, R, C>(
    items: Stream.Stream<Item, E, R>,
    { carried, id }: ItemReader<Item, C>
  ): Stream.Stream<IdentifierWithData<C>, E, R> =>
    mapEach(
      items,
      (item, index) => ({ text: ofValue(textOf(id(item))), line: index + 1, carried: carried?.(item) as C }),
      Effect.die
    )
)

const textOf = (id: unknown): string => {
  if (id === undefined || id === null) return ""
  if (typeof id === "string" || typeof id === "number" || typeof id === "bigint") return String(id)
  throw new InvalidOption.InvalidOption({
    option: "id",
    value: id,
    wanted:
      "a function that returns a text or a number. Await promises before, e.g. in an async generator of the items"
  })
}

/**
 * Reads identifiers from the bytes of a text, e.g. a file or standard input. Each line is read as `fromLine`
 * does.
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
): Stream.Stream<Identifier<undefined>, E, R> => {
  Options.refuseArguments({ bytes: Options.required(Options.stream) }, [bytes])
  return bytes.pipe(
    Stream.mapAccumArray(
      (): LineState => ({ decoder: new TextDecoder("utf-8"), rest: "", line: 0 }),
      (state, chunks) => [
        state,
        chunks.flatMap((chunk) => {
          Options.refuseArguments(chunkArguments, [chunk])
          return identifiersOf(state, state.decoder.decode(chunk, { stream: true }))
        })
      ],
      { onHalt: (state) => identifiersOf(state, `${state.decoder.decode()}\n`) }
    )
  )
}

const chunkArguments = {
  bytes: /* @__PURE__ */ Options.kind<Uint8Array>(
    "a stream of bytes (Uint8Array). For texts, use Identifiers.fromItems, or Stream.encodeText before",
    (value) => value instanceof Uint8Array
  )
}

/**
 * Reads the identifier of a line as `ofLine` does. Undefined: the line has none.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.fromLine(" DTXSID7020182", 1) // => { text: "DTXSID7020182", line: 1 }
 * ```
 */
export const fromLine = (text: string, line: number): Identifier<undefined> | undefined => {
  const value = ofLine(text)
  return value === undefined
    ? undefined
    : { text: value, line: Options.argument("line", Options.count, line) }
}

/**
 * Reads the value of a line. Drops the white space around it and the quotes of a CSV cell, and cuts it as
 * `ofValue` does. Undefined for blank lines, empty quotes and comments (`isComment`). Quote a value that starts
 * with `#`.
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
  const text = Options.argument("line", Options.text, line).trim()
  if (text === "" || isComment(text)) return undefined
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  const value = ofValue(isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text)
  return value === "" ? undefined : value
}

/**
 * Returns whether the text of a line without its white space is a comment, which starts with `#`. The errors of spreadsheets, e.g.
 * `#N/A`, are not comments.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.isComment("# a comment") // => true
 * Identifiers.isComment("#N/A") // => false
 * ```
 */
export const isComment = (text: string): boolean =>
  Options.argument("text", Options.text, text).startsWith("#") && !Placeholder.isSpreadsheetError(text)

/**
 * Trims a text. A text of more than 4096 characters is cut and marked: no identifier is that long.
 *
 * @example
 * ```ts
 * import { Identifiers } from "@chemstream/stream"
 *
 * Identifiers.ofValue(" DTXSID7020182 ") // => "DTXSID7020182"
 * ```
 */
export const ofValue = (text: string): string => {
  const value = Options.argument("text", Options.text, text).trim()
  return value.length > longestValue ? value.slice(0, longestValue) + cutMark : value
}

interface LineState {
  readonly decoder: TextDecoder
  rest: string
  line: number
}

const identifiersOf = (state: LineState, text: string): Array<Identifier<undefined>> => {
  const lines = text.split("\n")
  const identifiers: Array<Identifier<undefined>> = []
  for (const [index, piece] of lines.entries()) {
    // Keeps no more of a line that is too long, so that a file without newlines needs bounded memory.
    if (state.rest.length <= longestLine) state.rest += piece
    if (index === lines.length - 1) break
    state.line++
    const identifier = fromLine(state.rest, state.line)
    state.rest = ""
    if (identifier !== undefined) identifiers.push(identifier)
  }
  return identifiers
}
