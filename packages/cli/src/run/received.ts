/**
 * Keeps the responses of a run that are not in its output yet, because an earlier value is not settled. A run that stops saves them
 * beside its output (`Store.Responses`), and the run that continues it does not request them again.
 *
 * A response with records that were not requested settles nothing for certain, so its values are requested again.
 */
import { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import type { Lookup, Outcome } from "@chemstream/stream"
import { Effect, type Scope } from "effect"
import type * as Store from "../output/store.ts"
import * as Messages from "../terminal/messages.ts"

type Response<R> = Effect.Success<ReturnType<Lookup.Lookup<R, unknown>["requestBatch"]>>

/** The response for one value. */
interface Answer<R> {
  readonly records: ReadonlyArray<R>
  readonly truncated?: NonNullable<Outcome.Found<R>["truncated"]> | undefined
  readonly suggestions?: ReadonlyArray<string> | undefined
}

type Answers<R> = ReadonlyMap<string, Answer<R>>

export interface Received<R> {
  /** The lookup, which requests no value whose response was received by the earlier run. */
  readonly lookup: Lookup.Lookup<R>
  /** Records that outcomes are in the output. */
  readonly written: (outcomes: ReadonlyArray<Outcome.Outcome<unknown, unknown>>) => void
}

/**
 * Opens the responses of a store. Saves them when the scope closes. The records of the lookup are JSON values, and may contain raw records.
 */
export const open = <R>(
  lookup: Lookup.Lookup<R>,
  { earlier: earlierMillis, responses }: Store.Store
): Effect.Effect<Received<R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (responses === undefined) return { lookup, written: () => {} }
    const earlier = earlierMillis > 0 ? yield* read<R>(responses) : new Map<string, Answer<R>>()
    const unwritten = new Map(earlier)
    yield* Effect.addFinalizer(() =>
      Effect.catch(
        Effect.suspend(() => responses.replace(Array.from(unwritten, encode))),
        ({ message }) =>
          Effect.sync(() =>
            Messages.say(`chemstream: ${message}; the next run requests these values again\n`)
          )
      )
    )
    const written: Received<R>["written"] = (outcomes) => {
      for (const outcome of outcomes) if (outcome._tag !== "Surplus") unwritten.delete(outcome.id)
    }
    const receive = (answers: Answers<R>): void => {
      for (const [id, answer] of answers) unwritten.set(id, answer)
    }
    return {
      written,
      lookup: {
        ...lookup,
        requestBatch: (ids, inspection) => {
          const others = ids.filter((id) => !earlier.has(id))
          const known = responseOf(ids, earlier)
          if (others.length === 0) return Effect.succeed(known)
          return lookup.requestBatch(others, inspection).pipe(
            Effect.tapError((error) => Effect.sync(() => receive(missing(others, error)))),
            Effect.map((result) => {
              receive(certain(lookup, others, result))
              return {
                ...result,
                records: [...known.records, ...result.records],
                truncated: new Map([...known.truncated, ...(result.truncated ?? [])]),
                suggestions: new Map([...known.suggestions, ...(result.suggestions ?? [])])
              }
            })
          )
        }
      }
    }
  })

/** Returns the response that has these answers. */
const responseOf = <R>(ids: ReadonlyArray<string>, answers: Answers<R>) => {
  const own = ids.flatMap((id) => {
    const answer = answers.get(id)
    return answer === undefined ? [] : [{ id, ...answer }]
  })
  return {
    records: own.flatMap(({ id, records }) => records.map((record) => ({ key: id, record }))),
    truncated: new Map(
      own.flatMap(({ id, truncated }) => (truncated === undefined ? [] : [[id, truncated]]))
    ),
    suggestions: new Map(
      own.flatMap(({ id, suggestions }) => (suggestions === undefined ? [] : [[id, suggestions]]))
    )
  }
}

/** The answer of an error that says that the only value is missing. */
const missing = <R>(ids: ReadonlyArray<string>, error: ChemError.ChemError): Answers<R> => {
  const [only] = ids
  return only !== undefined && ids.length === 1 && ChemError.verdict(error, true) === "missing"
    ? new Map([[only, { records: [], suggestions: "suggestions" in error ? error.suggestions : undefined }]])
    : new Map()
}

/** The values that a response settles for certain. */
const certain = <R>(
  { multiplicity }: Lookup.Lookup<R>,
  ids: ReadonlyArray<string>,
  { doubt, errors, records, suggestions, surplus, truncated }: Response<R>
): Answers<R> => {
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

const read = <R>({ name, read }: Store.Responses): Effect.Effect<Answers<R>> =>
  read.pipe(
    Effect.flatMap((texts) => Effect.try(() => new Map(texts.map((text) => decode<R>(text))))),
    Effect.catch(() =>
      Effect.sync(() => {
        Messages.say(`chemstream: cannot read ${name}: it is damaged. Its values are requested again\n`)
        return new Map()
      })
    )
  )

/** The text begins with `Store.responseBeginning`. */
const encode = <R>([id, answer]: readonly [string, Answer<R>]): string =>
  JSON.stringify({ received: id, ...answer }, replace)

const decode = <R>(text: string): readonly [string, Answer<R>] => {
  const { received: id, ...answer } = JSON.parse(text, revive)
  if (typeof id !== "string" || !Array.isArray(answer.records)) throw new TypeError("not a response")
  return [id, answer]
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
