/**
 * The calls of a paged row: every record, one page, and all pages.
 *
 * A page is an array, or `{size, total, next, data}`, where `next` is the cursor of the next page.
 */
import { InvalidIdentifier, Operation, type Row } from "@chemstream/api"
import { Effect, Result, Schema, Stream } from "effect"
import { type BodyReader, json } from "../BodyReader.ts"
import * as Pages from "../Pages.ts"
import { refine } from "./readers.ts"
import { type CallOperation, type Failure, withValid } from "./request.ts"

interface Options {
  readonly projection?: string | undefined
  readonly page?: number | undefined
}

export const make = (callOperation: CallOperation, row: Row.Row) => {
  const operation = Operation.single(row)
  const readers = new Map<string | undefined, BodyReader<Pages.Slice<unknown>>>()
  const readerOf = (form: string | undefined): BodyReader<Pages.Slice<unknown>> => {
    const { record = row.record } = row.forms?.[form ?? ""] ?? {}
    const reader = readers.get(form) ?? sliceReader(record() as unknown as Decoder)
    readers.set(form, reader)
    return reader
  }
  const request = ({ page, projection }: Options = {}): Effect.Effect<Pages.Slice<unknown>, Failure> =>
    withValid(pageOf(page), (number) => {
      const isSent = projection !== undefined && Object.hasOwn(row.forms ?? {}, projection)
      const query = { [row.page ?? "page"]: number, ...(isSent ? { projection } : {}) }
      return callOperation(operation, { query }, readerOf(projection))
    })
  return {
    all: (options?: Options) => Effect.map(request(options), ({ records }) => records),
    allPages: (options?: Options) =>
      Pages.all({
        endpoint: row.name,
        first: options?.page,
        request: (page) => request({ ...options, page }),
        toText: JSON.stringify
      }).pipe(
        Stream.map(({ records }) => records),
        Stream.flattenIterable
      )
  }
}

type Decoder = Schema.ConstraintDecoder<unknown>

const sliceReader = (record: Decoder): BodyReader<Pages.Slice<unknown>> => {
  const records = Schema.Array(record)
  const envelope = Schema.Struct({ data: records, next: Schema.Unknown })
  return refine(json(Schema.Union([records, envelope])), (page) =>
    Result.succeed("data" in page ? sliceOf(page) : { records: page })
  )
}

const sliceOf = ({ data, next }: { readonly data: ReadonlyArray<unknown>; readonly next: unknown }) => ({
  records: data,
  next: Pages.cursor(
    next,
    data.map((record) => (record as { readonly id?: unknown }).id)
  )
})

const pageOf = (page = 1): Result.Result<number, InvalidIdentifier.InvalidIdentifier> =>
  Number.isInteger(page) && page >= 1 && page < 2 ** 31
    ? Result.succeed(page)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "page",
          value: String(page),
          reason: "malformed",
          message: `${page} is not a page: it must be a whole number from 1 to ${2 ** 31 - 1}`
        })
      )
