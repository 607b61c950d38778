/** Makes the calls `get`, which collect the single identifiers of many callers into batches. */
import { type Key, Operation, type Row } from "@chemstream/api"
import { Effect, Result } from "effect"
import type { BodyReader } from "../../BodyReader.ts"
import type { Get, MakeGet } from "./batchedGet.ts"
import { type CallOperation, withValid } from "./callOperation.ts"
import { fieldText, shown } from "./checkArguments.ts"
import { readersOf } from "./endpointReaders.ts"
import { type Fields, formOf, withOptions } from "./requestArguments.ts"

/** Makes `get` of a group with batches by DTXSID. The beginning of an identifier says which key it is. */
export const make = (
  callOperation: CallOperation,
  makeGet: MakeGet,
  rows: ReadonlyArray<Row.Row>
): object => {
  const getBy = (method: string) => {
    const row = rows.find(
      ({ batch, name, scalar }) => Operation.methodOf(name) === method && batch && !scalar
    )
    if (row === undefined) return undefined
    const get = getCall(callOperation, makeGet, row)
    return (id: string, options?: Readonly<Record<string, unknown>>) =>
      row.multiplicity === "one"
        ? Effect.map(get(id, options), (records) => (records as ReadonlyArray<unknown>)[0])
        : get(id, options)
  }
  const byDtxsid = getBy("byDtxsid")
  if (byDtxsid === undefined) return {}
  const byDtxcid = getBy("byDtxcid") ?? byDtxsid
  return {
    get: (id: string, options?: Readonly<Record<string, unknown>>) =>
      (/^\s*DTXCID/i.test(shown(id)) ? byDtxcid : byDtxsid)(id, options)
  }
}

/** Gets the records of one value in a batch with the values of other callers. */
const getCall = (callOperation: CallOperation, makeGet: MakeGet, row: Row.Row) => {
  const operation = Operation.batch(row) as Operation.Operation
  const key = row.key as Key.Key
  const field = row.recordKey ?? key.name
  const get: Get<string, string, unknown> = makeGet({
    endpoint: operation.name,
    largest: operation.batch?.limit ?? 1,
    call: (ids, projection, read: BodyReader<ReadonlyArray<unknown>>) =>
      Effect.suspend(() =>
        callOperation(
          operation,
          {
            payload: ids.map((id) => Object.values(key.toFields(id))[0]),
            query: row.batch?.hasForms ? { projection } : {}
          },
          read
        )
      ),
    read: (form) => readersOf(row, form).batch(),
    multiplicity: row.multiplicity,
    keyOf: (record) => {
      const value = (record as Fields)[field]
      return typeof value === "string" ? Result.getOrElse(key.parse(value), () => value) : undefined
    }
  })
  return withOptions(row, (id: string, options) =>
    withValid(Result.flatMap(fieldText(key, id, 0), key.parse), (parsed) =>
      get(parsed, formOf(options) ?? row.form ?? "")
    )
  )
}
