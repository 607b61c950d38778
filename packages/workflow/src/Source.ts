/**
 * Reads identifiers from a list, a text file, NDJSON, a search, or the list of all chemicals.
 *
 * A source is read once, when the harvest starts, and its identifiers are stored in the database. A file is read
 * again if the harvest is started again, to check that it has not changed.
 */
import { createReadStream } from "node:fs"
import { type InvalidIdentifier, Quote } from "@chemstream/api"
import { type ChemClient, type ChemError, Options } from "@chemstream/client"
import { Ndjson, RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup, Outcome, Search } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Data, Effect, Stream } from "effect"

/** The size of a read, in bytes. */
const fileChunk = 256 * 1024

/** A source could not be read. `message` gives the source and the reason. */
export class SourceError extends Data.TaggedError("SourceError")<{
  readonly source: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** Identifiers with a description. */
export interface Source<E = never, R = never> {
  /** The description of the source, for people. */
  readonly description: string
  /**
   * Whether every read gives the same identifiers. If true, a second start compares the identifiers, otherwise the
   * descriptions.
   */
  readonly isStable: boolean
  /**
   * Whether the source lists identifiers that the service has now. A refresh then checks whether unlisted ones were
   * removed. Default: false.
   */
  readonly isListing?: boolean | undefined
  readonly identifiers: Stream.Stream<Identifiers.Identifier, E, R>
  /**
   * The identifiers that identify the source, if `identifiers` differ each time. Example: the list from which due
   * identifiers are selected.
   *
   * Default: `identifiers`.
   */
  readonly identity?: Stream.Stream<Identifiers.Identifier, E, R> | undefined
  /** Returns the digest of `identity` as last read. Default: the digest of `identifiers`. */
  readonly digest?: (() => string) | undefined
}

/** The kind of a source, for declarations of options (`Options`). */
export const kind: Options.Kind<Source<unknown, unknown>> = /* @__PURE__ */ Options.objectWith(
  "a source, e.g. Source.list(ids)",
  { description: Options.text, identifiers: Options.stream }
)

const { argument, text } = Options

const texts = /* @__PURE__ */ Options.list(text)

/**
 * Reads identifiers from memory.
 *
 * @example
 *
 * ```ts
 * import { Source } from "@chemstream/workflow"
 *
 * Source.list(["DTXSID7020182", "DTXSID2021315"]).description // => "a list of 2"
 * ```
 */
export const list = (values: ReadonlyArray<string>): Source => ({
  description: `a list of ${argument("values", texts, values).length}`,
  isStable: true,
  identifiers: Identifiers.fromIterable(values)
})

/** Reads a text file with one identifier per line. Skips blank lines and lines that start with `#`. */
export const file = (path: string): Source<SourceError> => ({
  description: argument("path", text, path),
  isStable: true,
  identifiers: Identifiers.fromBytes(bytesOf(path))
})

/** Reads one field of the objects in an NDJSON file. */
export const ndjson = (path: string, field: string): Source<SourceError | Ndjson.NdjsonError> => ({
  description: `${argument("field", text, field)} of ${argument("path", text, path)}`,
  isStable: true,
  identifiers: bytesOf(path).pipe(Ndjson.decodeNumbered(), (records) => valuesOf(records, field))
})

/** Reads identifiers from a stream that can be read only once, e.g. standard input. */
export const stream = <E, R>(
  description: string,
  identifiers: Stream.Stream<Identifiers.Identifier, E, R>
): Source<E, R> => ({
  description: argument("description", text, description),
  isStable: false,
  identifiers: argument("identifiers", Options.stream, identifiers)
})

/** Lists all chemicals of the service, by DTXSID. */
export const all = (): Source<
  ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | SourceError,
  ChemClient.ChemClient
> => ({
  description: "all chemicals",
  isStable: false,
  isListing: true,
  identifiers: valuesOf(numbered(Details.all({ projection: "all-ids" })), "dtxsid")
})

const hows = /* @__PURE__ */ Options.oneOf(["contain", "startWith", "equal"])

/** Lists the DTXSIDs of substances whose name or identifier contains, starts with or equals one of the words. */
export const search = (
  how: "contain" | "startWith" | "equal",
  words: ReadonlyArray<string>
): Source<ChemError.ChemError | SourceError, ChemClient.ChemClient> => ({
  description: `a search: ${argument("how", hows, how)} ${argument("words", texts, words).join(", ")}`,
  isStable: false,
  isListing: true,
  identifiers: Lookup.outcomes(Identifiers.fromIterable(words), Search[how]()).pipe(
    // No option is given, so none can be invalid.
    Stream.catchTag("InvalidOption", Stream.die),
    Stream.mapEffect((outcome) => {
      switch (outcome._tag) {
        case "Found":
          // Fails before the harvest starts, because a truncated search lacks substances.
          return outcome.truncated === undefined
            ? Effect.succeed(outcome.records)
            : Effect.as(
                Effect.logWarning(
                  `the search for ${outcome.id} is truncated: the service has more hits than it sent`
                ),
                outcome.records
              )
        case "Missing":
          return Effect.succeed([])
        case "Surplus":
          return Effect.as(Effect.logWarning(Outcome.describe(outcome)), [])
        default:
          return new SourceError({
            source: outcome.id,
            message: `the search for ${outcome.id} failed: ${outcome.error.message}`,
            cause: outcome.error
          })
      }
    }),
    Stream.flattenIterable,
    (records) => valuesOf(numbered(records), "dtxsid")
  )
})

const bytesOf = (path: string): Stream.Stream<Uint8Array, SourceError> =>
  NodeStream.fromReadable<Uint8Array, SourceError>({
    evaluate: () => createReadStream(path, { highWaterMark: fileChunk }),
    onError: (cause) =>
      new SourceError({
        source: path,
        message: `cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  })

const numbered = <E, R>(
  records: Stream.Stream<RawRecord.RawRecord, E, R>
): Stream.Stream<Ndjson.NumberedRecord, E, R> =>
  records.pipe(
    Stream.zipWithIndex,
    Stream.map(([record, index]) => ({ record, line: index + 1 }))
  )

const valuesOf = <E, R>(
  records: Stream.Stream<Ndjson.NumberedRecord, E, R>,
  field: string
): Stream.Stream<Identifiers.Identifier, E | SourceError, R> =>
  Stream.mapEffect(records, ({ line, record }) => {
    const value = RawRecord.value(record, field)
    if (typeof value === "string" || typeof value === "number") {
      return Effect.succeed({ text: String(value), line })
    }
    const message = `the object in line ${line} has no text in the field ${Quote.value(field)}`
    return Effect.fail(new SourceError({ source: field, message }))
  })
