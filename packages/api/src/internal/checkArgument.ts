/** Checks arguments where they are used, so that a wrong one is an error of this package, and not of the engine. */
import { InvalidOption } from "../InvalidOption.ts"

type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object or a list. */
export const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string"
/** Whether a value is a number of 0 or more. */
export const isAmount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0
const hasTexts = (value: unknown, ...names: ReadonlyArray<string>): value is Fields =>
  isObject(value) && names.every((name) => isText(value[name]))

/** The tests of arguments, by what is wanted. */
const tests = {
  "a finite number": Number.isFinite,
  "a key": (value) => isObject(value) && typeof value["parse"] === "function",
  "a list": Array.isArray,
  "a record": (value) => isObject(value) && !Array.isArray(value),
  "a row": (value) => hasTexts(value, "name", "what") && isObject(value["get"]),
  "a text": isText,
  "a whole number of at most 10 digits": (value) =>
    Number.isInteger(value) && isAmount(value) && value < 1e10,
  "an object": isObject,
  "an object of the texts one, many and example": (value) => hasTexts(value, "one", "many", "example"),
  "an operation": (value) => isObject(value) && isObject(value["row"]),
  "the name of a row, e.g. details.byDtxsid": (value) => isText(value) && value.includes(".")
} satisfies Readonly<Record<string, (value: unknown) => boolean>>

/** Returns the value of an argument. Throws `InvalidOption` if it is not as wanted. */
export const argument = <A>(name: string, wanted: keyof typeof tests, value: A): A =>
  argumentAs(name, wanted, value, tests[wanted])

/** Returns the value of an argument that a test accepts. Throws `InvalidOption` otherwise. */
export const argumentAs = <A>(
  name: string,
  wanted: string,
  value: A,
  test: (value: unknown) => boolean
): A => {
  if (test(value)) return value
  throw new InvalidOption(name, wanted, value)
}

/** Returns the one of some values that has a name. Throws `InvalidOption` if there is none. */
export const named = <N extends string, A>(what: string, values: Readonly<Record<N, A>>, name: N): A => {
  if (isText(name) && Object.hasOwn(values, name)) return values[name]
  throw new InvalidOption(what, `one of ${Object.keys(values).join(", ")}`, name)
}
