/**
 * Finds the place of an output: a regular file, a device, or a file that this process has open.
 *
 * A regular file is written under a temporary name. `publish` renames it, and `keep` renames it to `FILE.partial`.
 * The temporary files of a killed process are deleted by the next run that writes the same file. `output.ts` writes
 * the content.
 */
import { createHash, randomBytes } from "node:crypto"
import { fstatSync, readlinkSync } from "node:fs"
import {
  chmod,
  type FileHandle,
  open as openFile,
  readdir,
  realpath,
  rename,
  rm,
  stat
} from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { Effect, type Scope } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"
import { descriptorOf } from "./fileIdentity.ts"

/** The place that an option writes to. */
export interface Place<Option extends string = string> {
  readonly option: Option
  /** Its name in messages, as the user wrote it. */
  readonly file: string
  /** The temporary file. Undefined: not a regular file. */
  readonly temporary: string | undefined
  readonly target: string
  /** The name of the target in messages: as the user wrote it, unless that is a link. */
  readonly name: string
  /** The file descriptor, if this process has it open. */
  readonly descriptor: number | undefined
  /** The permissions of the file to replace. */
  readonly mode: number | undefined
  /** The open file. Undefined: not opened, or closed. */
  handle: FileHandle | undefined
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
    for (const { name, option, target, temporary } of yield* locateAll(files)) {
      if (temporary !== undefined) found[option] = { path: target, name }
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
      const common = { option, file, handle: undefined }
      const direct = { ...common, target: file, name: file, temporary: undefined, mode: undefined }
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
      return { ...common, descriptor, target, name, temporary: temporaryOf(target), mode: existing?.mode }
    },
    catch: (cause) => usageFailure(`cannot write --${option} ${JSON.stringify(file)}: ${reasonOf(cause)}`)
  })

/** Opens a place until the scope closes. A temporary file that was not published is deleted then. */
export const open = (place: Place): Effect.Effect<FileHandle, CommandFailure, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(place.file, async () => {
      if (place.temporary !== undefined) await removeAbandoned(place.target)
      place.handle = await openFile(
        place.temporary ?? place.target,
        // Opened for appending, so that a write after a truncation starts at the end of the file.
        place.temporary === undefined ? "w" : "ax"
      )
      return place.handle
    }),
    // A commit leaves nothing to delete.
    () =>
      Effect.promise(async () => {
        await place.handle?.close().catch(() => {})
        if (place.temporary !== undefined) await rm(place.temporary, { force: true })
      })
  )

/** Closes a place. A regular file is flushed to disk first. */
export const close = (place: Place): Effect.Effect<void, CommandFailure> =>
  attempt(place.file, async () => {
    if (place.temporary !== undefined) await place.handle?.sync()
    await place.handle?.close()
    place.handle = undefined
  })

/** Gives a closed file its name. */
export const publish = ({ file, mode, target, temporary }: Place): Effect.Effect<void, CommandFailure> =>
  attempt(file, async () => {
    if (temporary === undefined) return
    if (mode !== undefined) await chmod(temporary, mode & 0o777)
    await rename(temporary, target)
    // Deletes the results that an earlier run kept for the same file.
    await rm(partialOf(target), { force: true })
  })

/** Renames a closed file to `FILE.partial`. Returns that name, undefined if the place is not a regular file. */
export const keep = ({ name, target, temporary }: Place): Effect.Effect<string | undefined, CommandFailure> =>
  attempt(name, async () => {
    if (temporary === undefined) return undefined
    await rename(temporary, partialOf(target))
    return partialOf(name)
  })

const partialOf = (file: string): string => `${file}.partial`

/**
 * The namespace of process ids. It distinguishes the files of a dead process from those of a process in another container, or on another
 * machine with the same disk.
 */
const processNamespace = (): string => {
  let space = ""
  try {
    space = readlinkSync("/proc/self/ns/pid")
  } catch {
    // Not available on this system.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8)
}

const temporaryOf = (target: string): string =>
  `${target}.part-${processNamespace()}-${process.pid}-${randomBytes(6).toString("hex")}`

/** Deletes the temporary files of dead processes. */
const removeAbandoned = async (target: string): Promise<void> => {
  const beginning = `${basename(target)}.part-${processNamespace()}-`
  for (const name of await readdir(dirname(target))) {
    const pid = name.startsWith(beginning)
      ? /^(\d+)-[0-9a-f]{12}$/.exec(name.slice(beginning.length))?.[1]
      : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(target), name), { force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process of another user is alive, too.
    return (cause as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Runs an action on a file. A failure names the file. */
export const attempt = <A>(file: string, action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({ try: action, catch: (cause) => writeFailure(file, cause) })

/** The error of a file that cannot be written. */
export const writeFailure = (file: string, cause: unknown): CommandFailure =>
  runFailure(`cannot write ${file}: ${reasonOf(cause)}${isDenied(cause) ? denialAdvice : ""}`)

const denialAdvice = ". Allow writing to its folder, or name a file in another folder"

const isDenied = (cause: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? "")
