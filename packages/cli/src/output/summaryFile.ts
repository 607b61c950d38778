/**
 * Writes the file of `--json-summary`, once, at the end of a run.
 */
import { Effect } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import * as OutputFiles from "./outputFiles.ts"

/** Writes the counts to the file, if one is named. */
export const write = (file: string | undefined, bytes: Uint8Array): Effect.Effect<void, CommandFailure> =>
  file === undefined
    ? Effect.void
    : Effect.scoped(
        Effect.gen(function* () {
          const { commit, outputs } = yield* OutputFiles.openFiles({ "json-summary": file })
          // A closed pipe is not an error here.
          yield* Effect.catchTag(
            outputs["json-summary"]?.write(bytes) ?? Effect.void,
            "ReaderGone",
            () => Effect.void
          )
          yield* commit("json-summary")
        })
      )
