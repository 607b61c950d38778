/**
 * The file of `--json-summary`: written once, when the counts are known.
 */
import { Effect } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as Output from "../output/output.ts"

/** Writes the counts to a file, if one was named. */
export const write = (file: string | undefined, bytes: Uint8Array): Effect.Effect<void, CommandFailure> =>
  file === undefined
    ? Effect.void
    : Effect.scoped(
        Effect.gen(function* () {
          const { commit, outputs } = yield* Output.openFiles({ "json-summary": file })
          // A reader that has gone wants no counts either.
          yield* Effect.catchTag(
            outputs["json-summary"]?.write(bytes) ?? Effect.void,
            "ReaderGone",
            () => Effect.void
          )
          yield* commit("json-summary")
        })
      )
