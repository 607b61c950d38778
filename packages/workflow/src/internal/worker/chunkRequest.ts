/** Requests the identifiers of a chunk with a lookup of `@chemstream/stream` or of the program. */
import { type ChemClient, RequestGate } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { BatchCalls, type Identifiers, type Ledger, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import * as Fetch from "../../Fetch.ts"
import type * as Sink from "../../Sink.ts"
import type * as harvestRow from "../harvest/harvestRow.ts"
import { type Failure, OwnLookupFailed } from "./chunkFailure.ts"

/** How long an attempt at a chunk waits for the service. A longer wait ends the attempt, and shows in the status (`chunkAttempts.ts`). */
const availability = { wait: "30 seconds" } as const

/** A specification that names a call of the program. */
type NamedCall = Extract<Fetch.Spec, { readonly own: string }>

/** Requests identifiers, and counts them in a ledger. */
export type ChunkRequest = (
  identifiers: ReadonlyArray<Identifiers.Identifier>,
  ledger: Ledger.Ledger
) => Stream.Stream<Outcome.Outcome<RawRecord.RawRecord, Sink.Failure>, Failure, ChemClient.ChemClient>

/** Makes the requests of a harvest. */
export const chunkRequest =
  (settings: harvestRow.Definition, own: Fetch.OwnLookups): ChunkRequest =>
  (identifiers, ledger) => {
    const { fetch, strictIds, validate } = settings
    const texts = Stream.fromIterable(identifiers)
    const lookup = Fetch.lookupOf(fetch, own)
    if (lookup !== undefined)
      return Lookup.outcomes(texts, lookup, { strictIds, validate, ledger, availability }).pipe(
        Stream.catchTag("InvalidOption", Stream.die)
      )
    const { call, ...calls } = own[(fetch as NamedCall).own] as Fetch.OwnLookup
    return BatchCalls.outcomes(texts, {
      availability,
      ...calls,
      parse: Fetch.parse(fetch, own),
      // Starts the whole call within the gate, because the call may not use the gate itself.
      call: (ids) =>
        Effect.flatMap(RequestGate.RequestGate, (gate) =>
          gate(
            Effect.suspend(() => {
              const response = call(ids)
              return Effect.isEffect(response) ? response : Effect.promise(() => response)
            })
          )
        ),
      ledger
    }).pipe(Stream.mapError((cause) => new OwnLookupFailed({ message: cause.message, cause })))
  }
