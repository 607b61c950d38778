/**
 * Sends the identifiers of an input through a lookup, and writes the parts that its batches become. `lookupRun.ts` and `tableRun.ts`
 * make the parts.
 */
import { type ChemClient, type ChemError, Options as Declared } from "@chemstream/client"
import { Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import type { Input } from "../input/openInput.ts"
import type * as Store from "../output/runStore.ts"
import type * as progress from "../terminal/runProgress.ts"
import * as Run from "./recordRun.ts"
import * as RunPlan from "./runPlan.ts"
import * as UnwrittenResponses from "./unwrittenResponses.ts"

interface Options extends Lookup.RunOptions {
  readonly progress: progress.Style
  readonly quiet: boolean
  /** How long to wait for an unavailable service, in milliseconds. */
  readonly wait: number
}

/** Transfers an input. `partOf` returns what a batch writes. */
export const run = <R>(
  input: Pick<Input, "copy" | "identifiers">,
  lookup: Lookup.Lookup<R>,
  options: Options,
  { stopping, store }: Run.Run,
  partOf: (
    outcomes: ReadonlyArray<Outcome.Outcome<R, ChemError.ChemError>>
  ) => Effect.Effect<Omit<Store.Part, "batch">, CommandFailure>
): Effect.Effect<void, Run.Failure, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* RunPlan.show(input, lookup, options, store.ledger)
      const received = yield* UnwrittenResponses.open(store)
      const parts = Lookup.batches(input.identifiers, lookup, {
        ...Declared.pick(Lookup.optionSet, options),
        ledger: store.ledger,
        resumePoint: store.resumePoint,
        // If the service stays unavailable, a run that cannot be continued still reads its whole input. Its errors file has a line for each
        // value that was not requested.
        availability: { wait: options.wait }
      }).pipe(
        Stream.mapEffect((batch) =>
          Effect.map(partOf(batch.outcomes), (part): Store.Part => ({ batch, ...part }))
        ),
        Stream.tap(({ batch }) => Effect.sync(() => received.written(batch.outcomes))),
        Stream.provideService(Lookup.Requester, received.requester)
      )
      yield* Run.write(parts, { stopping, store })
    })
  )
