/** Reads the JSON text of a response body: its kind, its elements, its records, their fields. */
import type { BodyReader } from "@chemstream/client"
import { RawArray, RawRecord, type RawShape } from "@chemstream/ndjson"
import { Result } from "effect"

type Raw = RawRecord.RawRecord

/** Cuts an array into its objects, each with its key and its differences from the shape. Their JSON is not checked. */
export const cutRecords = (
  body: Uint8Array,
  shape: RawShape.RawShape
): Result.Result<ReadonlyArray<RawShape.Reading>, BodyReader.BodyFault> =>
  Result.mapError(RawArray.cutLines(body, shape), bodyFault)

/** Reads the elements of an array. */
export const elements: BodyReader.BodyReader<ReadonlyArray<Raw>> = (body) =>
  Result.flatMap(jsonText(body), () => Result.mapError(RawArray.cut(body), bodyFault))

/** Checks that the body is one JSON text. Drops a byte-order mark. */
export const jsonText: BodyReader.BodyReader<Raw> = (body) => {
  const text = withoutMark(body)
  return Result.match(RawRecord.check(text), {
    onSuccess: () => Result.succeed(text),
    onFailure: (error) => Result.fail(bodyFault(error))
  })
}

/** Returns the text of a body without its byte-order mark. */
export const withoutMark = (body: Uint8Array): Raw =>
  RawRecord.fromBytes(startsWithMark(body) ? body.subarray(3) : body)

/** Returns the value of a field. An array or object is parsed. */
export const fieldValue = (record: Raw, field: string): unknown => {
  const value = RawRecord.value(record, field)
  return RawRecord.isRawRecord(value) ? Result.getOrElse(RawRecord.parse(value), () => undefined) : value
}

/** Returns the kind of a JSON text by its first byte. A bare value is a string, a number or a literal. */
export const kindOf = ({ bytes, end, start }: Raw): "array" | "object" | "bare value" => {
  let at = start
  while (at < end && (bytes[at] as number) <= 0x20) at++
  return bytes[at] === 0x5b ? "array" : bytes[at] === 0x7b ? "object" : "bare value"
}

/** Makes the fault of a body of a kind that the endpoint does not send. */
export const unexpected = (kind: string): BodyReader.BodyFault => ({
  path: "",
  reason: `the body is ${kind === "bare value" ? "a" : "an"} ${kind}, which this endpoint does not send`
})

/** Makes the fault of a body from the error of its text. */
export const bodyFault = (error: {
  readonly offset: number
  readonly message: string
}): BodyReader.BodyFault => ({
  path: `byte ${error.offset}`,
  reason: error.message
})

/** Whether the body starts with a byte-order mark. Some services send one, but JSON does not allow it. */
const startsWithMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
