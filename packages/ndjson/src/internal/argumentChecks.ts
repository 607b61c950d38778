/** Checks arguments where they are used, so that a wrong one is an error of this package, and not of the engine. */
import { InvalidOption } from "../InvalidOption.ts"

const isText = (value: unknown): boolean => typeof value === "string"
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const tests = {
  "a layout": (value: unknown) => isObject(value) && "columns" in value,
  "a list": Array.isArray,
  "a list of columns": (value: unknown) => Array.isArray(value) && value.every(isObject),
  "a list of pairs": (value: unknown) => Array.isArray(value) && value.every(Array.isArray),
  "a list of RawRecords": (value: unknown) =>
    Array.isArray(value) && value.every((one) => isObject(one) && "bytes" in one),
  "a list of rows": (value: unknown) =>
    Array.isArray(value) && value.every((one) => isObject(one) && "cells" in one),
  "a list of texts": (value: unknown) => Array.isArray(value) && value.every(isText),
  "a RawShape": (value: unknown) => isObject(value) && "elements" in value,
  "a set": (value: unknown) => isObject(value) && "size" in value,
  "a sheet": (value: unknown) => isObject(value) && "rows" in value,
  "a stream of Effect": (value: unknown) => isObject(value) && "channel" in value,
  "a text": isText,
  "a text that is not empty": (value: unknown) => isText(value) && value !== "",
  "a Uint8Array": ArrayBuffer.isView,
  "an object": isObject
}

/** Returns the value of an argument. Throws `InvalidOption` if it is not as wanted. */
export const argument = <A>(name: string, wanted: keyof typeof tests, value: A): A => {
  if (tests[wanted](value)) return value
  throw new InvalidOption(name, `must be ${wanted}`, value)
}
