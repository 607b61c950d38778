/**
 * Implements `--dry-run`: reads the input, makes the batches, and prints the requests instead of sending them. It writes no file.
 */
import { Ledger, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { type CommandFailure, ofCall, usage } from "../CommandFailure.ts"
import * as clientFlags from "../flags/clientFlags.ts"
import type { Input } from "../input/input.ts"
import * as Messages from "../terminal/messages.ts"
import type * as lookupRun from "./lookupRun.ts"
import { counted } from "./summary.ts"

/** Prints the requests of a lookup for its input. */
export const run = (
  input: Input,
  { lookup }: lookupRun.Question,
  options: lookupRun.Options,
  client: clientFlags.Settings
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const ledger = Ledger.make()
    // Each request fails without bisection, so the output has the requests of a run in which none fails.
    yield* Lookup.outcomes(input.identifiers, lookup, { ...options, ledger, onFailure: "failBatch" }).pipe(
      Stream.runDrain,
      Effect.mapError((error) => {
        if (error._tag === "CommandFailure") return error
        return error._tag === "InvalidOption" ? usage(error.message) : ofCall(error)
      }),
      Effect.provide(clientFlags.dryLayer(client))
    )
    const { duplicates, invalid, read, requests } = ledger
    Messages.say(
      `${counted(requests, "request")} for ${counted(read - duplicates - invalid, "value")} not sent (--dry-run)` +
        `${invalid > 0 ? `, ${counted(invalid, "value")} invalid` : ""}\n`
    )
  })
