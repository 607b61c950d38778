/**
 * Stores the settings of `chemstream config`: the base URL, the dialect and the key.
 *
 * They are one JSON file in the configuration folder of the user, which only its owner can read. Flags and the environment override
 * them (`effectiveSettings.ts`).
 */
import { readFile, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { Dialect } from "@chemstream/client"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Redacted, Result } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"

/** The permissions of the file: only its owner can read and write it. */
const ownerOnly = 0o600

/** The permission bits of all other users. */
const others = 0o077

/** The stored settings. */
export interface Settings {
  readonly baseUrl?: string
  readonly dialect?: Dialect.Name
  readonly apiKey?: Redacted.Redacted
}

/** The path of the file, in `XDG_CONFIG_HOME`. Default: `~/.config`, also if the variable is not an absolute path. */
export const path = (): string => {
  const home = process.env["XDG_CONFIG_HOME"] ?? ""
  return join(isAbsolute(home) ? home : join(homedir(), ".config"), "chemstream", "settings.json")
}

/**
 * Reads the settings. Returns no settings if there is no file. Fails if the file has a key and other users can read
 * it.
 */
export const read: Effect.Effect<Settings, CommandFailure> = Effect.suspend(() => {
  const file = path()
  return Effect.gen(function* () {
    const found = yield* Effect.tryPromise({
      try: () => readIfPresent(file),
      catch: (cause) => usageFailure(`cannot read the settings: ${reasonOf(cause)}`)
    })
    if (found === undefined) return {}
    const settings = decode(found.text)
    if (settings === undefined) {
      return yield* usageFailure(
        `${file} is not a settings file of chemstream. Remove it, then set the settings again`
      )
    }
    if (settings.apiKey !== undefined && isOpen(found.mode)) {
      return yield* usageFailure(
        `${file} contains a key and other users can read it. Run chmod 600 ${file}, and replace the key`
      )
    }
    return settings
  })
})

/** Replaces the settings. On failure the old ones stay. Without any setting the file is deleted. */
export const write = (settings: Settings): Effect.Effect<void, CommandFailure> =>
  Effect.suspend(() => {
    const file = path()
    const written = Object.values(settings).every((value) => value === undefined)
      ? Effect.flatMap(FileSystem.FileSystem, (fs) => fs.remove(file, { force: true }))
      : replace(file, encode(settings))
    return written.pipe(
      Effect.mapError(({ reason }) =>
        runFailure(`cannot write the settings: ${reasonOf(reason.cause ?? reason)}`)
      ),
      Effect.provide(NodeServices.layer)
    )
  })

const readIfPresent = async (
  file: string
): Promise<{ readonly text: string; readonly mode: number } | undefined> => {
  try {
    const { mode } = await stat(file)
    return { text: await readFile(file, "utf8"), mode }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

// On Windows, Node reports permissions that do not exist.
const isOpen = (mode: number): boolean => process.platform !== "win32" && (mode & others) !== 0

const decode = (text: string): Settings | undefined => {
  const { apiKey, baseUrl, dialect } = parse(text) ?? { apiKey: null }
  if (!isText(apiKey) || !isText(baseUrl)) return undefined
  if (dialect !== undefined && !Dialect.isName(dialect)) return undefined
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(apiKey === undefined ? {} : { apiKey: Redacted.make(apiKey) })
  }
}

const parse = (text: string): { readonly [K in keyof Settings]?: unknown } | undefined => {
  // The reason of a failure is omitted, because it quotes the text with the key.
  const value = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  return typeof value === "object" && value !== null ? value : undefined
}

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string"

const encode = ({ apiKey, baseUrl, dialect }: Settings): string =>
  `${JSON.stringify({ baseUrl, dialect, apiKey: apiKey === undefined ? undefined : Redacted.value(apiKey) }, null, 2)}\n`

// Written whole, so the file never has other permissions.
const replace = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
  const target = yield* Effect.orElseSucceed(fs.realPath(file), () => file)
  yield* WholeFile.write(target, new TextEncoder().encode(text), { mode: ownerOnly })
})
