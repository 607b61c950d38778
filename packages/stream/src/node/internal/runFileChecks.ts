/** Checks the files of a run before it begins, so that a wrong name is reported at once. */
import { dirname, resolve } from "node:path"
import { InvalidOption } from "@chemstream/batch"
import { Effect, FileSystem, type PlatformError } from "effect"

/** The files of a run by their options. */
export type Files = Readonly<Record<string, string | undefined>>

/** Fails with `InvalidOption` for two options with one file, for a folder, and for a file in a folder that does not exist. */
export const check = (
  files: Files
): Effect.Effect<void, InvalidOption.InvalidOption | PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const isFolder = (file: string) =>
      fs.stat(file).pipe(
        Effect.map(({ type }) => type === "Directory"),
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined))
      )
    const owners = new Map<string, string>()
    for (const [option, value] of Object.entries(files)) {
      if (value === undefined) continue
      const path = resolve(value)
      const owner = owners.get(path)
      owners.set(path, option)
      const wanted =
        owner !== undefined
          ? `another file: ${owner} has this one`
          : (yield* isFolder(path)) === true
            ? "the name of a file: this is a folder"
            : (yield* isFolder(dirname(path))) === undefined
              ? `a file in a folder that exists, or make the folder ${dirname(path)} first`
              : undefined
      if (wanted !== undefined)
        return yield* Effect.fail(new InvalidOption.InvalidOption({ option, value, wanted }))
    }
  })
