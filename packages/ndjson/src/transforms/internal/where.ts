/** Selects records with conditions as data: `where`. A predicate is for `filter`. */
import type * as Stream from "effect/Stream"
import { InvalidOption } from "../../InvalidOption.ts"
import { knownOptions, oneOf } from "../../internal/optionChecks.ts"
import { decimalIn } from "../../internal/textNumber.ts"
import { compareNumbers, LongNumber, numberOf } from "./exactNumber.ts"
import type { Field } from "./recordFields.ts"
import { type Key, keyReader, type Scalar, scalarOf } from "./recordKey.ts"
import { runStep } from "./recordStep.ts"
import { compareText } from "./sort/sortOrder.ts"
import { TransformError } from "./transformError.ts"

/** The comparisons of a condition. */
export const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const

/** A comparison of a field with a value. */
export interface Condition<F extends string = string> {
  readonly field: F
  readonly operator: (typeof OPERATORS)[number]
  /** A number, also as text, compares numbers. `null` and the empty text mean "no value". */
  readonly value: Key
}

/**
 * Keeps the records that meet all conditions, in their order.
 *
 * - A number compares by value: `10` equals `10.0` and the text `"+1e1 "` (`TextNumbers.parse`). `<`, `<=`, `>` and `>=` hold only for
 *   numbers, so that `"NA"` is not above 5.
 * - Any other text compares by code point, with texts only. `true` and `false` equal their texts.
 * - `null`, an absent field, `NaN` and the empty text are no value. It equals only no value, and is not above or
 *   below anything.
 * - `!=` keeps exactly the records that `=` does not.
 *
 * Fails with `not-a-key` if the field is an array or object, and with `malformed` for a malformed raw record.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const doses = Stream.make({ id: "a", dose: 12 }, { id: "b", dose: "7.5" }, { id: "c", dose: null })
 * const low = doses.pipe(Transform.where({ field: "dose", operator: "<", value: 10 }), Stream.runCollect)
 * await Effect.runPromise(low) // => [{ id: "b", dose: "7.5" }]
 * ```
 */
export const where = <A extends object, const F extends Field<A>>(
  ...conditions: ReadonlyArray<Condition<F>>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<A, E | TransformError, R>) => {
  const tests = conditions.map((condition) => {
    knownOptions("where", condition, { field: true, operator: true, value: true }, true)
    oneOf("operator", String(condition.operator), OPERATORS)
    return testOf(condition.operator, numeric(scalarOf(condition.value) as Scalar))
  })
  if (tests.length === 0) throw new InvalidOption("where", "needs at least one condition")
  const read = keyReader<A>(
    "where",
    conditions.map(({ field }) => field)
  )
  return runStep<A, A>(() => (record, index, out) => {
    const scalars = read(record, index)
    if (scalars instanceof TransformError) return scalars
    if (tests.every((test, i) => test(scalars[i]))) out.push(record)
    return undefined
  })
}

/** Makes the test of a scalar for one condition. */
const testOf = (operator: Condition["operator"], value: Scalar): ((scalar: Scalar) => boolean) => {
  const compare = comparisonWith(value)
  // Values of different kinds have no sign: they are unequal.
  if (operator === "!=") return (scalar) => compare(scalar) !== 0
  const signs = signsOf[operator]
  return (scalar) => {
    const sign = compare(scalar)
    return sign !== undefined && signs.includes(Math.sign(sign))
  }
}

/** Compares scalars with a value. Returns undefined for a scalar of another kind. */
const comparisonWith = (value: Scalar): ((scalar: Scalar) => number | undefined) => {
  if (isNumber(value))
    return (scalar) => {
      const number = numeric(scalar)
      return isNumber(number) ? compareNumbers(number, value) : undefined
    }
  const text = textOf(value)
  if (text === undefined) return (scalar) => (scalar === undefined || scalar === "" ? 0 : undefined)
  return (scalar) => {
    const other = textOf(scalar)
    return other === undefined ? undefined : compareText(other, text)
  }
}

/** The signs of a comparison that an operator accepts. */
const signsOf: { readonly [O in Exclude<Condition["operator"], "!=">]: ReadonlyArray<number> } = {
  "=": [0],
  "<": [-1],
  "<=": [-1, 0],
  ">": [1],
  ">=": [0, 1]
}

const textOf = (scalar: Scalar): string | undefined =>
  scalar === "" || scalar === undefined || isNumber(scalar) ? undefined : String(scalar)

/** Returns the number of a text, and any other scalar unchanged. */
const numeric = (scalar: Scalar): Scalar => {
  const decimal = typeof scalar === "string" ? decimalIn(scalar) : undefined
  return decimal === undefined ? scalar : numberOf(decimal)
}

const isNumber = (scalar: Scalar): scalar is number | LongNumber =>
  typeof scalar === "number" || scalar instanceof LongNumber
