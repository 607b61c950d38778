/** Requests batches of keys, with the state that the calls of one run share. */
import { Effect } from "effect"
import * as Availability from "../../Availability.ts"
import type * as Ledger from "../../Ledger.ts"
import { type Call, type Calls, defaultConcurrency, defaultSize, UnmatchedResponse } from "../settings.ts"
import type { Verdict } from "./batchCall.ts"
import * as BatchSize from "./batchSize.ts"
import { type KeyResults, settle } from "./bisection.ts"
import { callRunner } from "./callRunner.ts"
import * as Slots from "./slots.ts"

/** Requests distinct keys until each is settled. */
export type BatchRequest<E, Foreign> = ReturnType<typeof make<E, Foreign>>

/** Makes the state of requests: the size of batches, the availability and the slots. */
export const make = <E, Foreign>(settings: Calls<E, Foreign>, ledger: Ledger.Ledger) => {
  ledger.batchSize = settings.size ?? defaultSize
  const batchSize = BatchSize.make(ledger)
  const own = Availability.make(settings.availability, {
    isReached: settings.isReached,
    onWait: (change) => {
      ledger.waiting += change
    }
  })
  const availability = Effect.map(Availability.Current, (outer) =>
    settings.availability === undefined && outer !== undefined ? outer.availability : own
  )
  const slots = Slots.make(settings.concurrency ?? defaultConcurrency, ledger)
  const classify = settings.classify ?? ((): Verdict => "isolate")
  // The default of `Foreign` is this error.
  const unmatched = settings.unmatched ?? (unmatchedResponse as (key: unknown, requestedKey: string) => never)
  // The default of `Foreign` includes this error.
  const unavailable =
    settings.unavailable ?? ((error: Availability.ServiceUnavailable) => error as unknown as Foreign)
  const runCall = callRunner<E>({ ...settings, availability, classify, ledger })
  return <R, Services>(
    call: Call<R, E, Services>,
    keys: ReadonlyArray<string>
  ): Effect.Effect<KeyResults<R, E | Foreign>, E | Foreign, Services> =>
    settle<R, E, Services, Foreign>(
      {
        ...settings,
        classify,
        unmatched,
        unavailable,
        ledger,
        call: (some) => runCall(call, some)
      },
      keys,
      batchSize,
      slots
    )
}

const unmatchedResponse = (key: unknown, requestedKey: string): UnmatchedResponse =>
  new UnmatchedResponse({
    key,
    requestedKey,
    message: `no record of the response has a requested key: ${JSON.stringify(requestedKey)} was requested, the first record has ${JSON.stringify(key)}. Give each record its key as it was requested`
  })

/** Joins the results of several batches. */
export const union = <R, E>(parts: ReadonlyArray<KeyResults<R, E>>): KeyResults<R, E> => ({
  records: new Map(parts.flatMap(({ records }) => [...records])),
  errors: new Map(parts.flatMap(({ errors }) => [...errors])),
  suggestions: new Map(parts.flatMap(({ suggestions }) => [...suggestions])),
  surplus: parts.flatMap(({ surplus }) => surplus),
  truncated: new Map(parts.flatMap(({ truncated }) => [...truncated]))
})
