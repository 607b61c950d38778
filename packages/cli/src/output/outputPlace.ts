/**
 * Finds the place of an output: a regular file, a device, or a file that this process has open.
 *
 * A regular file is written whole (`WholeFile`): `publish` gives it its name, and `keep` renames it to `FILE.partial`.
 * `outputFiles.ts` writes the content.
 */

import { fstatSync } from "node:fs"
import { open as openFile, realpath, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Quote } from "@chemstream/api"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, PlatformError, type Scope } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"
import { descriptorOf } from "./fileIdentity.ts"

/** The place that an option writes to. */
export interface Place<Option extends string = string> {
  readonly option: Option
  /** Its name in messages, as the user wrote it. */
  readonly file: string
  /** Whether it is a regular file, which is written whole. All others are written directly. */
  readonly isRegular: boolean
  /** Its path after links. */
  readonly target: string
  /** The name of the target in messages: as the user wrote it, unless that is a link. */
  readonly name: string
  /** The file descriptor, if this process has it open. */
  readonly descriptor: number | undefined
}

/** The regular file of an option. */
export interface Target {
  /** Its path after links. */
  readonly path: string
  /** Its name in messages: as the user wrote it, unless that is a link. */
  readonly name: string
}

/** Returns the regular files of options, for outputs that other modules write. Fails if one is not writable. */
export const targets = <Option extends string>(
  files: { readonly [O in Option]: string | undefined }
): Effect.Effect<{ readonly [O in Option]?: Target }, CommandFailure> =>
  Effect.gen(function* () {
    const found: { [O in Option]?: Target } = {}
    for (const { isRegular, name, option, target } of yield* locateAll(files)) {
      if (isRegular) found[option] = { path: target, name }
    }
    return found
  })

/** Returns the places of options. Fails if one is not writable. */
export const locateAll = <Option extends string>(
  files: { readonly [O in Option]: string | undefined }
): Effect.Effect<ReadonlyArray<Place<Option>>, CommandFailure> =>
  Effect.gen(function* () {
    const places: Array<Place<Option>> = []
    for (const option of Object.keys(files) as Array<Option>) {
      const file = files[option]
      if (file === undefined) continue
      places.push(yield* locate(option, file))
    }
    return places
  })

const locate = <Option extends string>(
  option: Option,
  file: string
): Effect.Effect<Place<Option>, CommandFailure> =>
  Effect.tryPromise({
    try: async (): Promise<Place<Option>> => {
      if (file === "" || file === "-") throw new Error("it must name a file")
      const direct = { option, file, target: file, name: file, isRegular: false }
      const descriptor = await descriptorOf(file)
      if (descriptor !== undefined) {
        // Fails if the descriptor is not open.
        fstatSync(descriptor)
        return { ...direct, descriptor }
      }
      const existing = await stat(file).catch(() => undefined)
      if (existing?.isDirectory()) throw new Error("it is a folder")
      if (existing !== undefined && !existing.isFile()) return { ...direct, descriptor }
      const folder = await realpath(dirname(file)).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== "ENOENT") throw cause
        throw new Error(`there is no folder ${dirname(file)}. Make it, or name another file`)
      })
      const place = join(folder, basename(file))
      const target = existing === undefined ? place : await realpath(file)
      const name = target === place ? file : target
      return { option, file, descriptor, target, name, isRegular: true }
    },
    catch: (cause) => usageFailure(`cannot write --${option} ${Quote.value(file)}: ${reasonOf(cause)}`)
  })

/** A file or device that is open for writing. */
export interface OpenPlace {
  readonly append: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure | PlatformError.PlatformError>
  /** The file descriptor of a device. Undefined: a regular file. */
  readonly descriptor: number | undefined
  /** Gives a regular file its name. */
  readonly publish: Effect.Effect<void, PlatformError.PlatformError>
  /** Renames a regular file to `FILE.partial`. Returns that name, undefined if the place is not a regular file. */
  readonly keep: Effect.Effect<string | undefined, PlatformError.PlatformError>
}

/** Opens a place until the scope closes. A regular file that was not published is removed then. */
export const open = ({
  isRegular,
  name,
  target
}: Place): Effect.Effect<OpenPlace, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (!isRegular) return yield* openDevice(target, name)
    const fs = yield* FileSystem.FileSystem
    const file = yield* WholeFile.open(target)
    return {
      append: file.append,
      descriptor: undefined,
      publish: Effect.andThen(
        file.publish(),
        // Removes the results that an earlier run kept for the same file.
        Effect.ignore(fs.remove(partialOf(target), { force: true }))
      ),
      keep: Effect.as(file.publish(partialOf(target)), partialOf(name))
    }
  }).pipe(Effect.provide(NodeServices.layer), asWriteFailure(name))

const openDevice = (target: string, name: string) => {
  const attempt = <A>(action: () => Promise<A>) =>
    Effect.tryPromise({ try: action, catch: (cause) => writeFailure(name, cause) })
  return Effect.map(
    Effect.acquireRelease(
      attempt(() => openFile(target, "w")),
      (handle) => Effect.promise(() => handle.close().catch(() => {}))
    ),
    (handle): OpenPlace => ({
      append: (bytes) => attempt(() => handle.writeFile(bytes)),
      descriptor: handle.fd,
      publish: Effect.void,
      keep: Effect.undefined
    })
  )
}

const partialOf = (file: string): string => `${file}.partial`

/** Names the file in the errors of the file system. */
export const asWriteFailure =
  (file: string) =>
  <A, E, R>(
    effect: Effect.Effect<A, E | PlatformError.PlatformError, R>
  ): Effect.Effect<A, Exclude<E, PlatformError.PlatformError> | CommandFailure, R> =>
    Effect.mapError(effect, (error) =>
      PlatformError.isPlatformError(error)
        ? writeFailure(file, error.reason.cause ?? error)
        : (error as Exclude<E, PlatformError.PlatformError>)
    )

/** The error of a file that cannot be written. */
export const writeFailure = (file: string, cause: unknown): CommandFailure =>
  runFailure(`cannot write ${file}: ${reasonOf(cause)}${isDenied(cause) ? denialAdvice : ""}`)

const denialAdvice = ". Allow writing to its folder, or name a file in another folder"

const isDenied = (cause: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? "")
