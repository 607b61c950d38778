/**
 * Reads responses that show how the service understood a request: it needs another form of it, cut off the response, or ignored a
 * projection.
 *
 * A form (`Dialect.Form`) is a way of sending a request, e.g. to another path. `callOperation.ts` tries the forms of a dialect in turn
 * until the service accepts one.
 */
import type { Dialect } from "@chemstream/api"
import { Result, Schema } from "effect"
import { type BodyFault, type BodyReader, json } from "../../BodyReader.ts"
import type { ChemError } from "../../errors/ChemError.ts"

/** The value of a response, and whether the request needs another form. */
export interface FormResponse<A> {
  readonly value: A
  /** Whether the service needs another form. */
  readonly isRefusal: boolean
}

/** Whether the service refuses the form of a request, and not its values. */
export const isFormRefused = (error: ChemError, { refusedBy }: Dialect.Form): boolean =>
  (error._tag === "InvalidRequest" || (error._tag === "NotFound" && error.status === 404)) &&
  error.status === refusedBy

/** Reads the response to a request of this form: whether the service needs another one, and whether it cut off the records. */
export const readForm =
  <A>({ cutAt, isObject, refusedBy }: Dialect.Form, read: BodyReader<A>): BodyReader<FormResponse<A>> =>
  (body, truncated) => {
    if (isObject && firstByte(body) === openingBracket) return Result.fail(unexpectedArray)
    const isCut = cutAt !== undefined && countRecords(body) === cutAt
    return Result.map(read(body, truncated ?? (isCut ? "capped" : undefined)), (value) => ({
      value,
      isRefusal: refusedBy === "object" && firstByte(body) === openingBrace
    }))
  }

/**
 * Reads the response to a request with a projection. Refuses whole records, because the service then ignored the
 * projection.
 */
export const readProjection = <A>(
  query: Readonly<Record<string, unknown>> | undefined,
  read: BodyReader<A>
): BodyReader<A> =>
  query?.["projection"] === "assay-summary-plot"
    ? (body, truncated) =>
        dataField.test(new TextDecoder().decode(body.subarray(0, longestRecord)))
          ? Result.fail(ignoredProjection)
          : read(body, truncated)
    : read

/** A field of whole data records. Points of a plot do not have it. */
const dataField = /"mc[3-6]Param"/

/** The first record of a response ends before this byte. */
const longestRecord = 100_000

/** The public service ignores a projection that it does not know. */
const ignoredProjection: BodyFault = {
  path: "[0]",
  reason: "the service ignored the projection and sent whole records",
  dialect: "ctx"
}

const openingBrace = 0x7b
const openingBracket = 0x5b

/** An array where the public service sends an object. */
const unexpectedArray: BodyFault = {
  path: "",
  reason: "an array instead of an object",
  dialect: "specification"
}

/** Returns the first byte of a JSON text, after white space and a byte-order mark. */
const firstByte = (body: Uint8Array): number | undefined => body.find((byte) => byte > 0x20 && byte < 0x80)

const records = json(Schema.Array(Schema.Unknown))

const countRecords = (body: Uint8Array): number =>
  Result.getOrElse(
    Result.map(records(body), ({ length }) => length),
    () => 0
  )
