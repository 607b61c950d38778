/** Applies faults to responses, without I/O. `http/deliverResponse.ts` applies faults of the connection. */
import type { Fault } from "../../Fault.ts"
import { firstPart, type ProxyResponse } from "../http/forwardRequest.ts"
import type { Random } from "../seededRandom.ts"
import { join, split } from "./arrayElements.ts"

/** A control character, which is not allowed anywhere in a JSON text. */
const corruption = 0x07

const page = Buffer.from(
  "<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head><body><h1>Please try again later</h1></body></html>\n"
)

/** Returns the response of a fault that needs no request to the service. */
export const injectedResponse = (fault: Fault, now: number): ProxyResponse | undefined => {
  if (fault._tag === "Page") return { status: 200, headers: { "content-type": "text/html" }, body: page }
  if (fault._tag !== "Status") return undefined
  const { retryAfter, status } = fault
  const wait =
    retryAfter === undefined
      ? {}
      : {
          "retry-after":
            retryAfter.as === "number"
              ? String(retryAfter.seconds)
              : new Date(now + retryAfter.seconds * 1000).toUTCString()
        }
  switch (fault.body) {
    case "problem":
      return {
        status,
        headers: { ...wait, "content-type": "application/problem+json" },
        body: Buffer.from(JSON.stringify({ type: "about:blank", status, detail: "injected by a scenario" }))
      }
    case "page":
      return { status, headers: { ...wait, "content-type": "text/html" }, body: page }
    case "nothing":
      return { status, headers: wait, body: Buffer.alloc(0) }
  }
}

/** Returns the response with the fault, and the elements that were removed from it. */
export const applyFault = (
  response: ProxyResponse,
  fault: Fault,
  random: Random
): { readonly response: ProxyResponse; readonly omitted: ReadonlyArray<string> } => {
  switch (fault._tag) {
    case "Truncation":
      return nothingOmitted({ ...response, body: firstPart(response.body, fault.at) })
    case "Corruption":
      return nothingOmitted({ ...response, body: corrupt(response.body, fault.bytes, random) })
    case "WrongType":
      return nothingOmitted({
        ...response,
        headers: { ...response.headers, "content-type": fault.contentType }
      })
    case "Duplication":
      return changeElements(response, (elements) => {
        const repeated = pickIndexes(elements, fault.records, random).map((at) => elements[at] ?? "")
        return { elements: [...elements, ...repeated], omitted: [] }
      })
    case "Omission":
      return changeElements(response, (elements) => {
        const omittedIndexes = new Set(pickIndexes(elements, fault.records, random))
        return {
          elements: elements.filter((_, at) => !omittedIndexes.has(at)),
          omitted: elements.filter((_, at) => omittedIndexes.has(at))
        }
      })
    case "Surplus":
      return changeElements(response, (elements) => {
        const at = random.between(0, elements.length)
        return { elements: elements.toSpliced(at, 0, ...fault.records), omitted: [] }
      })
    case "Shuffle":
      return changeElements(response, (elements) => ({ elements: shuffle(elements, random), omitted: [] }))
    default:
      return nothingOmitted(response)
  }
}

const nothingOmitted = (response: ProxyResponse) => ({ response, omitted: [] })

const corrupt = (body: Uint8Array, count: number, random: Random): Uint8Array => {
  const corrupted = Buffer.from(body)
  for (let n = 0; n < count && body.length > 0; n++)
    corrupted[random.between(0, body.length - 1)] = corruption
  return corrupted
}

/** Changes the elements of a successful response that is an array. */
const changeElements = (
  response: ProxyResponse,
  change: (elements: ReadonlyArray<string>) => {
    readonly elements: ReadonlyArray<string>
    readonly omitted: ReadonlyArray<string>
  }
): { readonly response: ProxyResponse; readonly omitted: ReadonlyArray<string> } => {
  const elements =
    response.status >= 200 && response.status < 300
      ? split(new TextDecoder().decode(response.body))
      : undefined
  if (elements === undefined) return nothingOmitted(response)
  const changed = change(elements)
  return { response: { ...response, body: Buffer.from(join(changed.elements)) }, omitted: changed.omitted }
}

/** Picks the indexes of some elements, each at most once. */
const pickIndexes = (elements: ReadonlyArray<string>, count: number, random: Random): ReadonlyArray<number> =>
  shuffle([...elements.keys()], random).slice(0, count)

const shuffle = <A>(values: ReadonlyArray<A>, random: Random): ReadonlyArray<A> => {
  const shuffled = [...values]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.between(0, last)
    const moved = shuffled[last] as A
    shuffled[last] = shuffled[other] as A
    shuffled[other] = moved
  }
  return shuffled
}
