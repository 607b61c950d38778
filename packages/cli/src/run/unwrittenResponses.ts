/**
 * Keeps the responses of a run that are not in its output yet, because an earlier value is not settled. A run that stops saves them
 * beside its output (`Store.Responses`), and the run that continues it does not request them again.
 *
 * A response with records that were not requested settles nothing for certain, so its values are requested again.
 */
import { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Exit, type Scope } from "effect"
import type * as Store from "../output/runStore.ts"
import * as Messages from "../terminal/messages.ts"

type Response<R> = Effect.Success<ReturnType<Lookup.Lookup<R, unknown>["requestBatch"]>>

/** The part of a response that belongs to one value. */
interface Answer {
  readonly records: ReadonlyArray<unknown>
  readonly truncated?: NonNullable<Outcome.Found<unknown>["truncated"]> | undefined
  readonly suggestions?: ReadonlyArray<string> | undefined
}

type Answers = ReadonlyMap<string, Answer>

/** The answers of a run, and those of the parts of its lookup, by endpoint and value. */
interface Known {
  readonly whole: Map<string, Answer>
  readonly parts: Map<string, Answer>
}

export interface UnwrittenResponses {
  /** Makes the requests of the run, but for the values whose response was received by the earlier run. Undefined: nothing is kept. */
  readonly requester: Lookup.Requester | undefined
  /** Records that outcomes are in the output. */
  readonly written: (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) => void
}

/**
 * Opens the responses of a store. Saves them when the scope closes. The records of the lookup are JSON values, and may contain raw records.
 */
export const open = ({
  earlier: earlierMillis,
  responses
}: Store.Store): Effect.Effect<UnwrittenResponses, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (responses === undefined) return { requester: undefined, written: () => {} }
    const earlier = earlierMillis > 0 ? yield* readKnown(responses) : empty()
    const unwritten: Known = { whole: new Map(earlier.whole), parts: new Map(earlier.parts) }
    yield* Effect.addFinalizer(() =>
      Effect.catch(
        Effect.suspend(() => responses.replace(encode(unwritten))),
        ({ message }) =>
          Effect.sync(() =>
            Messages.say(`chemstream: ${message}; the next run requests these values again\n`)
          )
      )
    )
    const written: UnwrittenResponses["written"] = (outcomes) => {
      for (const outcome of outcomes) if (outcome._tag !== "Surplus") unwritten.whole.delete(outcome.id)
    }
    return {
      written,
      requester: (lookup, ids, request) =>
        Effect.suspend(() => {
          // The answers of the parts are needed until the whole is known.
          const parts = new Map<string, Answer>()
          const ofParts: Lookup.Requester = (part, values, requestPart) =>
            requestOthers(part, values, requestPart, {
              earlier: earlier.parts,
              received: parts,
              keyOf: (id) => `${part.endpoint} ${id}`
            })
          return requestOthers(
            lookup,
            ids,
            (rest) => Effect.provideService(request(rest), Lookup.Requester, ofParts),
            { earlier: earlier.whole, received: unwritten.whole, keyOf: (id) => id }
          ).pipe(
            Effect.onExit((exit) =>
              Effect.sync(() => {
                for (const [key, answer] of parts)
                  if (Exit.isSuccess(exit)) unwritten.parts.delete(key)
                  else unwritten.parts.set(key, answer)
              })
            )
          )
        })
    }
  })

const empty = (): Known => ({ whole: new Map(), parts: new Map() })

/** Where the answers of a lookup are: those of the earlier run, and those that this run receives. */
interface Place {
  readonly earlier: Answers
  readonly received: Map<string, Answer>
  readonly keyOf: (id: string) => string
}

/** Requests the values without an earlier answer, and keeps all answers. */
const requestOthers = <R, F>(
  lookup: Parameters<Lookup.Requester>[0],
  ids: ReadonlyArray<string>,
  request: (ids: ReadonlyArray<string>) => ReturnType<Lookup.Lookup<R, F>["requestBatch"]>,
  { earlier, keyOf, received }: Place
): ReturnType<typeof request> => {
  const receive = (answers: Answers): void => {
    for (const [id, answer] of answers) received.set(keyOf(id), answer)
  }
  const answers = new Map(
    ids.flatMap((id) => {
      const answer = earlier.get(keyOf(id))
      return answer === undefined ? [] : [[id, answer] as const]
    })
  )
  receive(answers)
  const known = responseOf<R>(answers)
  const others = ids.filter((id) => !answers.has(id))
  if (others.length === 0) return Effect.succeed(known)
  return request(others).pipe(
    Effect.tapError((error) => Effect.sync(() => receive(missingAnswer(others, error)))),
    Effect.map((result) => {
      receive(certainAnswers(lookup, others, result))
      return {
        ...result,
        records: [...known.records, ...result.records],
        truncated: new Map([...known.truncated, ...(result.truncated ?? [])]),
        suggestions: new Map([...known.suggestions, ...(result.suggestions ?? [])])
      }
    })
  )
}

/** Returns the response that has these answers. */
const responseOf = <R>(answers: Answers) => {
  const own = Array.from(answers, ([id, answer]) => ({ id, ...answer }))
  return {
    // A lookup reads the records that it has made.
    records: own.flatMap(({ id, records }) => records.map((record) => ({ key: id, record: record as R }))),
    truncated: new Map(
      own.flatMap(({ id, truncated }) => (truncated === undefined ? [] : [[id, truncated]]))
    ),
    suggestions: new Map(
      own.flatMap(({ id, suggestions }) => (suggestions === undefined ? [] : [[id, suggestions]]))
    )
  }
}

/** The answer of an error that says that the only value is missing. */
const missingAnswer = (ids: ReadonlyArray<string>, error: ChemError.ChemError): Answers => {
  const [only] = ids
  return only !== undefined && ids.length === 1 && ChemError.verdict(error, true) === "missing"
    ? new Map([[only, { records: [], suggestions: "suggestions" in error ? error.suggestions : undefined }]])
    : new Map()
}

/** The answers for the values that a response settles for certain. */
const certainAnswers = <R>(
  { multiplicity }: Parameters<Lookup.Requester>[0],
  ids: ReadonlyArray<string>,
  { doubt, errors, records, suggestions, surplus, truncated }: Response<R>
): Answers => {
  const found = Map.groupBy(records, ({ key }) => key)
  const requested = ids.filter((id) => found.has(id)).length
  const isClear =
    doubt === undefined &&
    (surplus ?? []).length === 0 &&
    requested === found.size &&
    (multiplicity === "many" || requested === records.length)
  const settled = isClear ? ids.filter((id) => errors?.has(id) !== true) : []
  return new Map(
    settled.map((id) => [
      id,
      {
        records: (found.get(id) ?? []).map(({ record }) => record),
        truncated: truncated?.get(id),
        suggestions: suggestions?.get(id)
      }
    ])
  )
}

/** Reads the answers of the earlier run. None if they are damaged. */
const readKnown = ({ name, read }: Store.Responses): Effect.Effect<Known> =>
  read.pipe(
    Effect.flatMap((texts) => Effect.try(() => decode(texts))),
    Effect.catch(() =>
      Effect.sync(() => {
        Messages.say(`chemstream: cannot read ${name}: it is damaged. Its values are requested again\n`)
        return empty()
      })
    )
  )

/** The texts begin with `Store.responseBeginning`. Those of a part have `isPart`. */
const encode = ({ parts, whole }: Known): ReadonlyArray<string> => [
  ...Array.from(whole, ([id, answer]) => JSON.stringify({ received: id, ...answer }, replace)),
  ...Array.from(parts, ([id, answer]) => JSON.stringify({ received: id, isPart: true, ...answer }, replace))
]

const decode = (texts: ReadonlyArray<string>): Known => {
  const known = empty()
  for (const text of texts) {
    const { isPart, received: id, ...answer } = JSON.parse(text, revive)
    if (typeof id !== "string" || !Array.isArray(answer.records)) throw new TypeError("not a response")
    known[isPart === true ? "parts" : "whole"].set(id, answer)
  }
  return known
}

/** The name of the only field of an object that stands for a raw record: its JSON text. */
const raw = "\u0000raw"

/** `value` is what `toJSON` of a raw record has parsed. */
function replace(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key]
  return RawRecord.isRawRecord(own) ? { [raw]: RawRecord.toText(own) } : value
}

const revive = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && raw in value ? RawRecord.fromText(String(value[raw])) : value
