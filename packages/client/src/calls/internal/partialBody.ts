/**
 * Checks whether a successful response lacks requested values. Such a response is cached for as long as "not found"
 * (`ResponseCache`).
 *
 * It reads the body itself, because callers have their own readers (`Endpoint.Raw`).
 */
import type { Operation } from "@chemstream/api"
import { Predicate } from "effect"

/** The longest body, in bytes, that may lack a record of a single value. */
const longestEmpty = 64

/** Whether the body of a success lacks requested values. `values`: those of a batch; undefined for a single value. */
export const isPartial = (
  operation: Operation.Operation,
  values: ReadonlyArray<unknown> | undefined,
  body: Uint8Array
): boolean => {
  if (values === undefined) {
    return body.length <= longestEmpty && /^\s*(null|\[\s*\]|\{\s*\})?\s*$/.test(decoder.decode(body))
  }
  const response: unknown = parse(body)
  if (Array.isArray(response)) return lacks(response, values, keyField(operation))
  if (!Predicate.isObject(response)) return false
  // A mapping of values to lists.
  const lists = Object.values(response)
  return lists.length < new Set(values).size || lists.some((list) => Array.isArray(list) && list.length === 0)
}

/**
 * The field of a record of a batch that holds its requested value. A batch search has none: it sends a record for each
 * word.
 */
const keyField = ({ key, row }: Operation.Operation): string | undefined =>
  row.miss === "suggestions" ? undefined : (row.recordKey ?? key?.name)

/** Whether a value of the batch has no record. Without a key: whether a record has no substance. */
const lacks = (
  records: ReadonlyArray<unknown>,
  values: ReadonlyArray<unknown>,
  key: string | undefined
): boolean => {
  if (records.length === 0) return true
  const objects = records.filter(Predicate.isObject)
  if (key === undefined) return objects.some(({ dtxsid }) => dtxsid === null || dtxsid === undefined)
  // A list without objects belongs to a single value.
  if (objects.length === 0) return false
  const found = new Set(objects.map((record) => comparable(record[key])))
  return values.some((value) => !found.has(comparable(value)))
}

/** Returns a value for comparisons. A service may change the spelling, or send a number as text. */
const comparable = (value: unknown): string => String(value).trim().toUpperCase()

const decoder = new TextDecoder()

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}
