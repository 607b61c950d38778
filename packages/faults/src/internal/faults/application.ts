/**
 * Answers as the faults leave them. Plain functions; what happens to the connection is in `deliver.ts`.
 */
import type { Fault } from "../../Fault.ts"
import { type Answer, beginning } from "../http/upstream.ts"
import type { Chance } from "../random.ts"
import { join, split } from "./arrayElements.ts"

/** What no JSON text may hold anywhere: a control character other than white space. */
const corruption = 0x07

const page = Buffer.from(
  "<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head><body><h1>Please try again later</h1></body></html>\n"
)

/** The fault's own answer, where it does not depend on what the service would say. */
export const instead = (fault: Fault, now: number): Answer | undefined => {
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

/** The answer with the fault in it, and the elements that were taken from it. */
export const spoil = (
  answer: Answer,
  fault: Fault,
  chance: Chance
): { readonly answer: Answer; readonly omitted: ReadonlyArray<string> } => {
  switch (fault._tag) {
    case "Truncated":
      return unomitted({ ...answer, body: beginning(answer.body, fault.at) })
    case "Corrupted":
      return unomitted({ ...answer, body: corrupt(answer.body, fault.bytes, chance) })
    case "WrongType":
      return unomitted({ ...answer, headers: { ...answer.headers, "content-type": fault.contentType } })
    case "Duplicated":
      return ofElements(answer, (elements) => {
        const again = pickSome(elements, fault.records, chance).map((at) => elements[at] ?? "")
        return { elements: [...elements, ...again], omitted: [] }
      })
    case "Omitted":
      return ofElements(answer, (elements) => {
        const gone = new Set(pickSome(elements, fault.records, chance))
        return {
          elements: elements.filter((_, at) => !gone.has(at)),
          omitted: elements.filter((_, at) => gone.has(at))
        }
      })
    case "Foreign":
      return ofElements(answer, (elements) => {
        const at = chance.between(0, elements.length)
        return { elements: elements.toSpliced(at, 0, ...fault.records), omitted: [] }
      })
    case "Shuffled":
      return ofElements(answer, (elements) => ({ elements: shuffle(elements, chance), omitted: [] }))
    default:
      return unomitted(answer)
  }
}

const unomitted = (answer: Answer) => ({ answer, omitted: [] })

const corrupt = (body: Uint8Array, count: number, chance: Chance): Uint8Array => {
  const corrupted = Buffer.from(body)
  for (let n = 0; n < count && body.length > 0; n++)
    corrupted[chance.between(0, body.length - 1)] = corruption
  return corrupted
}

/** Changes the elements of a successful answer that is an array. */
const ofElements = (
  answer: Answer,
  change: (elements: ReadonlyArray<string>) => {
    readonly elements: ReadonlyArray<string>
    readonly omitted: ReadonlyArray<string>
  }
): { readonly answer: Answer; readonly omitted: ReadonlyArray<string> } => {
  const elements =
    answer.status >= 200 && answer.status < 300 ? split(new TextDecoder().decode(answer.body)) : undefined
  if (elements === undefined) return unomitted(answer)
  const changed = change(elements)
  return { answer: { ...answer, body: Buffer.from(join(changed.elements)) }, omitted: changed.omitted }
}

/** The places of some elements, each at most once. */
const pickSome = (elements: ReadonlyArray<string>, count: number, chance: Chance): ReadonlyArray<number> =>
  shuffle([...elements.keys()], chance).slice(0, count)

const shuffle = <A>(values: ReadonlyArray<A>, chance: Chance): ReadonlyArray<A> => {
  const shuffled = [...values]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = chance.between(0, last)
    const moved = shuffled[last] as A
    shuffled[last] = shuffled[other] as A
    shuffled[other] = moved
  }
  return shuffled
}
