/**
 * What every run that writes records has in common: its files, its counts, what is said at the end, and how it is
 * interrupted. What is asked for, and how, is its callers' (`lookupRun`, `commands/all`).
 */
import { type ChemClient, MonotonicClock } from "@chemstream/client"
import { Ledger } from "@chemstream/stream"
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import * as Bar from "./bar.ts"
import { type CommandFailure, incomplete, reasonOf } from "./CommandFailure.ts"
import type { LineTally } from "./lineTally.ts"
import type { ReaderGone } from "./output.ts"
import * as Problems from "./problems.ts"
import * as Stopping from "./stopping.ts"
import * as Store from "./store.ts"
import * as summary from "./summary.ts"
import * as Messages from "./terminal/messages.ts"

export interface Options extends Store.Files {
  readonly failOnMissing: boolean
  readonly failOnInvalid: boolean
  readonly quiet: boolean
  /** How much there is to do, in what the ledger counts, where that is known. */
  readonly total: Effect.Effect<number, CommandFailure> | undefined
  /** The lines of the input without a value, where it is lines. */
  readonly tally?: LineTally | undefined
}

/** What a run works with. */
export interface Run {
  readonly store: Store.Store
  readonly reasons: Problems.Reasons
  readonly stopping: Stopping.Stopping
}

/**
 * Runs `transfer` to the end and says what came of it. Fails when an identifier did, with the reasons already shown.
 *
 * When the reader of standard output goes away the run ends there, with what was settled until then in the files. A run
 * with a checkpoint that is interrupted finishes what is in flight, and saves it.
 */
export const run = (
  options: Options,
  identity: Store.Identity,
  toText: (ledger: Ledger.Ledger, spent: summary.Spent) => string,
  transfer: (run: Run) => Effect.Effect<void, CommandFailure | ReaderGone, ChemClient.ChemClient>
): Effect.Effect<Ledger.Counts, CommandFailure, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      const started = yield* MonotonicClock.currentMillis
      const store = yield* Store.open(options, identity)
      const stopping = yield* Stopping.make
      const { ledger } = store
      const before = Ledger.accounted(ledger)
      const reasons = Problems.reasons()
      const report = Effect.fnUntraced(function* (isComplete: boolean) {
        const now = ((yield* MonotonicClock.currentMillis) - started) / 1000
        const spent = { now, seconds: now + store.earlier / 1000 }
        // Apart from the other files: the counts are wanted of a run that failed, too.
        yield* store.writeSummary(summary.toJson(ledger, spent.seconds, options.tally))
        // A run that settled nothing has nothing to sum up: its error says it all.
        const isSummed = isComplete || Ledger.accounted(ledger) > before
        if (!options.quiet && isSummed) {
          Messages.say(toText(ledger, spent) + summary.linesText(ledger.read, options.tally))
        }
        Messages.say(reasons.toText(options.quiet))
      })
      const work = store.isComplete
        ? Effect.void
        : Effect.catchTag(
            transfer({ store: telling(store, options), reasons, stopping }),
            "ReaderGone",
            () => Effect.void
          )
      yield* (store.checkpoint === undefined ? work : inOrder(work, store, stopping)).pipe(
        Effect.andThen(store.complete),
        Effect.onError(() => Effect.ignore(report(false)))
      )
      yield* report(true)
      const { failOnInvalid, failOnMissing } = options
      if (
        ledger.failed > 0 ||
        (failOnMissing && ledger.missing > 0) ||
        (failOnInvalid && ledger.invalid > 0)
      ) {
        return yield* incomplete
      }
      return ledger
    })
  )

/** The same store, which says where a run continues once it is known to be the run that was saved. */
const telling = (store: Store.Store, { quiet, total }: Pick<Options, "quiet" | "total">): Store.Store => {
  if (store.settlement === undefined || quiet) return store
  const at = summary.count(Ledger.accounted(store.ledger))
  const tell = Effect.gen(function* () {
    const all = total === undefined ? "" : ` of ${summary.count(yield* total)}`
    Bar.say(`chemstream: continuing at ${at}${all}, as saved in ${store.checkpoint}\n`)
  })
  return {
    ...store,
    write: (parts) =>
      Effect.suspend(() => {
        let isTold = false
        const once = Effect.suspend(() => {
          const first = !isTold
          isTold = true
          return first ? tell : Effect.void
        })
        return Effect.andThen(store.write(Stream.onFirst(parts, () => once)), once)
      })
  }
}

/** The work, which an interruption asks to end, and then waits for. */
const inOrder = <E, R>(
  work: Effect.Effect<void, E, R>,
  store: Store.Store,
  stopping: Stopping.Stopping
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(work)
    yield* Effect.onInterrupt(Fiber.join(fiber), () =>
      Effect.gen(function* () {
        const inFlight = stopping.inFlight()
        Bar.say(
          `chemstream: stopping${inFlight > 0 ? `, after ${summary.counted(inFlight, "request")} in flight` : ""} (again to stop at once)\n`
        )
        yield* stopping.request
        const exit = yield* Fiber.await(fiber)
        if (Exit.isFailure(exit)) Messages.say(`chemstream: ${reasonOf(Cause.squash(exit.cause))}\n`)
        const saved = yield* Effect.result(store.save)
        Messages.say(
          saved._tag === "Failure"
            ? `chemstream: ${saved.failure.message}; what was saved before holds\n`
            : `chemstream: saved in ${store.checkpoint}; the same command goes on from there\n`
        )
      })
    )
  })
