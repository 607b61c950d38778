/**
 * Tells from the body of a success whether the service has nothing under some of the values asked for: such a response is
 * cached for as long as "not found" (`ResponseCache`).
 *
 * By the body rather than by what was read from it, because callers bring readers of their own (`Endpoint.Raw`).
 */
import { Predicate } from "effect"
import type * as Endpoint from "../Endpoint.ts"

/** The field that says which value a record of a batch is of. A record of a search is one for each word, found or not. */
const keys: Readonly<Partial<Record<Endpoint.Name, string>>> = {
  "details.byDtxsidBatch": "dtxsid",
  "details.byDtxcidBatch": "dtxcid",
  "msready.byDtxcidBatch": "dtxcid",
  "synonyms.byDtxsidBatch": "dtxsid",
  "bioactivity.byDtxsidBatch": "dtxsid",
  "bioactivity.byAeidBatch": "aeid",
  "bioactivity.bySpidBatch": "spid",
  "bioactivity.byM4idBatch": "m4id",
  "bioactivity.aedByDtxsidBatch": "dtxsid"
}

/** A longer body of a call for one value is not empty. */
const longestEmpty = 64

/** `values` are those of a batch, `undefined` for a call for one. */
export const isPartial = (
  name: Endpoint.Name,
  values: ReadonlyArray<unknown> | undefined,
  body: Uint8Array
): boolean => {
  if (values === undefined) {
    return body.length <= longestEmpty && /^\s*(null|\[\s*\]|\{\s*\})?\s*$/.test(decoder.decode(body))
  }
  const response: unknown = parse(body)
  if (Array.isArray(response)) return lacks(response, values, keys[name])
  if (!Predicate.isObject(response)) return false
  // A mapping of values to lists.
  const lists = Object.values(response)
  return lists.length < new Set(values).size || lists.some((list) => Array.isArray(list) && list.length === 0)
}

const lacks = (
  records: ReadonlyArray<unknown>,
  values: ReadonlyArray<unknown>,
  key: string | undefined
): boolean => {
  if (records.length === 0) return true
  const objects = records.filter(Predicate.isObject)
  if (key === undefined) return objects.some(({ dtxsid }) => dtxsid === null || dtxsid === undefined)
  // A list of bare values is the one of a single value.
  if (objects.length === 0) return false
  const present = new Set(objects.map((record) => folded(record[key])))
  return values.some((value) => !present.has(folded(value)))
}

/** A service may spell a value otherwise, or a number as a text. */
const folded = (value: unknown): string => String(value).trim().toUpperCase()

const decoder = new TextDecoder()

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}
