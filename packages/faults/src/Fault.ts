/**
 * What can go wrong with one answer, as data.
 *
 * Which answers it happens to is said in `Scenario.ts`; it is done by `FaultProxy.ts`. What happens to the service as a
 * whole (it is late, it dies, its clock jumps) is part of the scenario and no fault of an answer.
 */
import { Schema } from "effect"

/** A place in a body, as a share of its length. */
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

const Millis = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 86_400_000 }))

/**
 * Another status instead of the answer, e.g. 429 or 503; the service is not asked. `retryAfter` is the header: seconds
 * as a number, or as the date that is so many seconds away. `body` is what comes with it: a problem document, an HTML
 * page as gateways send it, or nothing.
 */
export const Status = Schema.TaggedStruct("Status", {
  status: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 })),
  body: Schema.Literals(["problem", "page", "nothing"]),
  retryAfter: Schema.optionalKey(
    Schema.Struct({ seconds: Schema.Finite, as: Schema.Literals(["number", "date"]) })
  )
})

/** The request is taken and never answered. The service is not asked. */
export const Silence = Schema.TaggedStruct("Silence", {})

/**
 * The connection ends: before the answer, or after that share of its body that `at` says. `how` is the way it ends, with
 * a reset (RST) or in good order (FIN).
 */
export const Cut = Schema.TaggedStruct("Cut", {
  at: Schema.Union([Schema.Literal("before"), Share]),
  how: Schema.Literals(["reset", "close"])
})

/** A whole answer whose body is only the beginning of one, up to the share `at`: the connection does not show it. */
export const Truncated = Schema.TaggedStruct("Truncated", { at: Share })

/** Control characters over so many bytes of the body: never JSON, and never in a body by chance. */
export const Corrupted = Schema.TaggedStruct("Corrupted", { bytes: Count })

/** An HTML page with the status 200 instead of the answer. The service is not asked. */
export const Page = Schema.TaggedStruct("Page", {})

/** The answer under another content type. */
export const WrongType = Schema.TaggedStruct("WrongType", { contentType: Schema.String })

/** The body in pieces of so many bytes, with a wait before each of them. */
export const Drip = Schema.TaggedStruct("Drip", { bytes: Count, everyMillis: Millis })

/** So many elements of an array twice. */
export const Duplicated = Schema.TaggedStruct("Duplicated", { records: Count })

/** An array without so many of its elements. What the client then takes for unknown is what the service has said. */
export const Omitted = Schema.TaggedStruct("Omitted", { records: Count })

/** An array with elements that nobody asked for, as JSON texts. */
export const Foreign = Schema.TaggedStruct("Foreign", { records: Schema.Array(Schema.String) })

/** An array in another order. */
export const Shuffled = Schema.TaggedStruct("Shuffled", {})

/**
 * Anything that can go wrong with an answer. The faults of arrays leave a body alone that is none.
 *
 * @example
 * ```ts
 * import { Fault } from "@chemstream/faults"
 * import { Schema } from "effect"
 *
 * Schema.is(Fault.Fault)({ _tag: "Truncated", at: 0.5 }) // => true
 * Schema.is(Fault.Fault)({ _tag: "Truncated", at: 2 }) // => false
 * ```
 */
export const Fault = Schema.Union([
  Status,
  Silence,
  Cut,
  Truncated,
  Corrupted,
  Page,
  WrongType,
  Drip,
  Duplicated,
  Omitted,
  Foreign,
  Shuffled
])

/** A value of it. */
export type Fault = typeof Fault.Type
