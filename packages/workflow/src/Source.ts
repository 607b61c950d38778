/**
 * Where the identifiers of a harvest come from: a list, a text file, NDJSON, a search, all chemicals.
 *
 * A source is read once, when the harvest starts; from then on its identifiers are in the database. A file is read again
 * where the harvest is started again, to see that it is still the same.
 */
import { createReadStream } from "node:fs"
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Ndjson, RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup, Outcome, Search } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Data, Effect, Stream } from "effect"

/** Bytes read from a file at a time. */
const fileChunk = 256 * 1024

/** A source could not be read; `message` says which and why. */
export class SourceError extends Data.TaggedError("SourceError")<{
  readonly source: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** Identifiers, and what they are called. */
export interface Source<E = never, R = never> {
  /** What the source is, for people. */
  readonly description: string
  /** Whether it is the same when it is read again, so that a start can be checked against the first. Else its description tells. */
  readonly isStable: boolean
  /**
   * Whether it names what the service has now, so that what it named before and names no more may be gone; not when not
   * given.
   */
  readonly isListing?: boolean | undefined
  readonly identifiers: Stream.Stream<Identifiers.Identifier, E, R>
  /**
   * What it is recognised by where it gives other identifiers each time, e.g. those of a list that are due: the list.
   * Default: `identifiers`.
   */
  readonly named?: Stream.Stream<Identifiers.Identifier, E, R> | undefined
  /** A digest of `named` as it was last read. Default: one of `identifiers`. */
  readonly digest?: (() => string) | undefined
}

/**
 * Identifiers in memory.
 *
 * @example
 * ```ts
 * import { Source } from "@chemstream/workflow"
 *
 * Source.list(["DTXSID7020182", "DTXSID2021315"]).description // => "a list of 2"
 * ```
 */
export const list = (values: ReadonlyArray<string>): Source => ({
  description: `a list of ${values.length}`,
  isStable: true,
  identifiers: Identifiers.fromIterable(values)
})

/** The lines of a text file: one identifier a line, blank lines and lines that start with `#` skipped. */
export const file = (path: string): Source<SourceError> => ({
  description: path,
  isStable: true,
  identifiers: Identifiers.fromBytes(bytesOf(path))
})

/** The values of one field of the objects in an NDJSON file. */
export const ndjson = (path: string, field: string): Source<SourceError | Ndjson.NdjsonError> => ({
  description: `${field} of ${path}`,
  isStable: true,
  identifiers: bytesOf(path).pipe(Ndjson.decodeNumbered(), (records) => valuesOf(records, field))
})

/** Identifiers from a stream that can be read only once, e.g. standard input. */
export const stream = <E, R>(
  description: string,
  identifiers: Stream.Stream<Identifiers.Identifier, E, R>
): Source<E, R> => ({ description, isStable: false, identifiers })

/** All chemicals of the service, by DTXSID. */
export const all = (): Source<
  ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | SourceError,
  ChemClient.ChemClient
> => ({
  description: "all chemicals",
  isStable: false,
  isListing: true,
  identifiers: Details.all({ projection: "all-ids" }).pipe(
    Stream.map(({ records }) => records),
    Stream.flattenIterable,
    (records) => valuesOf(numbered(records), "dtxsid")
  )
})

/** The substances, by DTXSID, whose name or identifier contains, starts with or equals one of the words. */
export const search = (
  how: "contain" | "startWith" | "equal",
  words: ReadonlyArray<string>
): Source<ChemError.ChemError | SourceError, ChemClient.ChemClient> => ({
  description: `a search: ${how} ${words.join(", ")}`,
  isStable: false,
  isListing: true,
  identifiers: Lookup.outcomes(Identifiers.fromIterable(words), Search[how]()).pipe(
    // No option is set.
    Stream.catchTag("InvalidOption", Stream.die),
    Stream.mapEffect((outcome) => {
      switch (outcome._tag) {
        case "Found":
          // A listing that lacks substances is worth a warning before hours of harvest.
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
          return Effect.fail(
            new SourceError({
              source: outcome.id,
              message: `the search for ${outcome.id} failed: ${outcome.error.message}`,
              cause: outcome.error
            })
          )
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
    const message = `the object in line ${line} has no text in the field ${JSON.stringify(field)}`
    return Effect.fail(new SourceError({ source: field, message }))
  })
