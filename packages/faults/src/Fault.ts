/**
 * Defines the faults of one response, as data.
 *
 * The service is asked for uncompressed bodies, so no fault concerns a compression. `Scenario.ts` decides which responses have a fault, and `FaultProxy.ts` applies it: `internal/faults/applyFaults.ts`
 * changes the response, and `internal/http/deliverResponse.ts` sends it in pieces, or in part before the connection ends. The scenario also
 * has the faults of the whole service (a late start, an outage) and of the client's clock.
 */
import { Schema } from "effect"
import { Time } from "./internal/scenarioTime.ts"

/** A position in a body, as a share of its length. */
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const Count = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/**
 * Sends another status instead of the response, e.g. 429 or 503, without a request to the service.
 *
 * `retryAfter` sets the header, as seconds or as the date that many seconds ahead. `body` is a problem document, an
 * HTML page such as gateways send, or empty.
 */
export const Status = Schema.TaggedStruct("Status", {
  status: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 })),
  body: Schema.Literals(["problem", "page", "nothing"]),
  retryAfter: Schema.optionalKey(
    Schema.Struct({ seconds: Schema.Finite, as: Schema.Literals(["number", "date"]) })
  )
})

/** Accepts the request and never responds. The service gets no request. */
export const Silence = Schema.TaggedStruct("Silence", {})

/** Resets (RST) or closes (FIN) the connection, before the response or after the share `at` of its body. */
export const Cut = Schema.TaggedStruct("Cut", {
  at: Schema.Union([Schema.Literal("before"), Share]),
  how: Schema.Literals(["reset", "close"])
})

/**
 * Sends a complete response with only the first part of the body, up to the share `at`. The connection shows no
 * error.
 */
export const Truncation = Schema.TaggedStruct("Truncation", { at: Share })

/** Overwrites up to this many bytes of the body with control characters, which are never valid JSON. */
export const Corruption = Schema.TaggedStruct("Corruption", { bytes: Count })

/** Sends an HTML page with the status 200 instead of the response. The service gets no request. */
export const Page = Schema.TaggedStruct("Page", {})

/** Sends the response with another content type. */
export const WrongType = Schema.TaggedStruct("WrongType", { contentType: Schema.String })

/** Sends the body in pieces of this many bytes, with a wait before each piece. */
export const Drip = Schema.TaggedStruct("Drip", { bytes: Count, every: Time })

/** Sends this many elements of an array twice. */
export const Duplication = Schema.TaggedStruct("Duplication", { records: Count })

/** Removes this many elements from an array. The event of the request lists them. */
export const Omission = Schema.TaggedStruct("Omission", { records: Count })

/** Adds elements that were not requested to an array, as JSON texts. */
export const Surplus = Schema.TaggedStruct("Surplus", { records: Schema.Array(Schema.String) })

/** Sends an array in random order. */
export const Shuffle = Schema.TaggedStruct("Shuffle", {})

/**
 * A fault of one response. Faults of arrays do not change a body that is not an array.
 *
 * @example
 *
 * ```ts
 * import { Fault } from "@chemstream/faults"
 * import { Schema } from "effect"
 *
 * Schema.is(Fault.Fault)({ _tag: "Truncation", at: 0.5 }) // => true
 * Schema.is(Fault.Fault)({ _tag: "Truncation", at: 2 }) // => false
 * ```
 */
export const Fault = Schema.Union([
  Status,
  Silence,
  Cut,
  Truncation,
  Corruption,
  Page,
  WrongType,
  Drip,
  Duplication,
  Omission,
  Surplus,
  Shuffle
])

/** A fault of one response. */
export type Fault = typeof Fault.Type
