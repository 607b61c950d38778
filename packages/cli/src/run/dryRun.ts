/**
 * Implements `--dry-run`: reads the input, makes the batches, and prints the requests instead of sending them. It writes no file.
 */
import type { ChemClient } from "@chemstream/client"
import { type Identifiers, Ledger, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { type CommandFailure, callFailure, usageFailure } from "../CommandFailure.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "./summary.ts"

/**
 * Returns the failure mode of a run. In a dry run every request fails. Bisection would then print requests that a real run does not send.
 */
export const onFailure = ({ dryRun }: { readonly dryRun: boolean }): Lookup.Options["onFailure"] =>
  dryRun ? "failBatch" : undefined

/**
 * Prints the requests of a lookup, through a client that sends none. For a lookup of several steps it prints only the
 * first requests, because the others depend on the responses.
 */
export const run = <R>(
  identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>,
  lookup: Lookup.Lookup<R>,
  options: Lookup.Options
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const ledger = Ledger.make()
    yield* Lookup.outcomes(identifiers, lookup, {
      ...options,
      ledger,
      onFailure: onFailure({ dryRun: true })
    }).pipe(
      Stream.runDrain,
      Effect.mapError((error) => {
        if (error._tag === "CommandFailure") return error
        return error._tag === "InvalidOption" ? usageFailure(error.message) : callFailure(error)
      })
    )
    const { duplicates, invalid, read, requests } = ledger
    Messages.say(
      `${counted(requests, "request")} for ${counted(read - duplicates - invalid, "value")} not sent (--dry-run)` +
        `${invalid > 0 ? `, ${counted(invalid, "value")} invalid` : ""}\n`
    )
  })
