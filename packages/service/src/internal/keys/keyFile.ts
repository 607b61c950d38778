/** Reads a file of API keys, and warns if others can read it. `parseKeys.ts` defines the form of its lines. */
import { readFile, stat } from "node:fs/promises"
import { Effect } from "effect"
import { toStderr } from "../server/stderrLog.ts"
import { ApiKeysError, type Keys, keysOf } from "./parseKeys.ts"

// The permission bits of all users but the owner.
const othersBits = 0o077

/** Reads the text of the file. */
export const read = (file: string): Effect.Effect<string, ApiKeysError> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) =>
      new ApiKeysError({
        source: "file",
        message: `The file of API keys ${file} cannot be read: ${cause instanceof Error ? cause.message : cause}.`,
        cause
      })
  })

// Only a warning, because the group of a container can often read mounted secrets. On Windows, Node invents
// permissions.
export const warnIfOpen = (file: string): Effect.Effect<void> =>
  Effect.tryPromise(() => stat(file)).pipe(
    Effect.flatMap(({ mode }) =>
      process.platform !== "win32" && (mode & othersBits) !== 0
        ? warn(
            `The file of API keys ${file} is readable by other users. Run chmod 600 ${file}, and replace its keys.`
          )
        : Effect.void
    ),
    Effect.ignore
  )

/** Parses the text of the file. Fails without keys. */
export const parse = (file: string, text: string): Effect.Effect<Keys, ApiKeysError> =>
  keysOf("file", text, `The file of API keys ${file} has no key. Write one key per line.`)

/** Logs a warning to stderr. */
export const warn = (message: string): Effect.Effect<void> => toStderr(Effect.logWarning(message))
