/**
 * Where bytes go: standard output, or files that appear under their names only when the whole run is complete.
 *
 * A file is written beside its place under a temporary name; `commit` flushes all of them to disk and then renames
 * them. Without it the temporary files are removed and older files of those names stay as they were. What is no
 * regular file (a device, a pipe) is written to directly.
 */
import { randomBytes } from "node:crypto"
import { chmod, type FileHandle, open as openFile, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { Data, Effect, type Scope } from "effect"
import { type CommandFailure, failed, reasonOf, usage } from "./CommandFailure.ts"

/** The reader of standard output has gone (`| head`): no failure, there is nobody left to write for. */
export class ReaderGone extends Data.TaggedError("ReaderGone") {}

/** What bytes can be written to. */
export interface Output {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure | ReaderGone>
}

/** The outputs of a command by the option that names each. */
export interface Outputs<Option extends string> {
  readonly outputs: { readonly [O in Option]?: Output }
  /** Makes some of the files appear under their names: all of those or, where one cannot be completed, none. */
  readonly commit: (...options: ReadonlyArray<Option>) => Effect.Effect<void, CommandFailure>
}

/** Standard output. */
export const standard = (): Output => ({
  write: (bytes) =>
    Effect.callback<void, CommandFailure | ReaderGone>((resume) => {
      process.stdout.write(bytes, (error) => {
        if (error == null) resume(Effect.void)
        else if ((error as NodeJS.ErrnoException).code === "EPIPE") resume(Effect.fail(new ReaderGone()))
        else resume(Effect.fail(unwritable("standard output", error)))
      })
    })
})

/** Opens the files that options name; an option without a file has no output. Fails where two are the same file. */
export const openFiles = <Option extends string>(
  files: { readonly [O in Option]: string | undefined }
): Effect.Effect<Outputs<Option>, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const targets = new Map<string, string>()
    const places: Array<Place> = []
    const outputs: { [O in Option]?: Output } = {}
    for (const option of Object.keys(files) as Array<Option>) {
      const file = files[option]
      if (file === undefined) continue
      const place = yield* locate(option, file)
      const other = targets.get(place.identity)
      if (other !== undefined) return yield* usage(`--${other} and --${option} name the same file: ${file}`)
      targets.set(place.identity, option)
      const handle = yield* openPlace(place)
      places.push(place)
      outputs[option] = {
        write: (bytes) => Effect.asVoid(attempt(place.file, () => handle.writeFile(bytes)))
      }
    }
    return {
      outputs,
      commit: Effect.fnUntraced(function* (...options) {
        const chosen = places.filter((place) => options.some((option) => option === place.option))
        for (const place of chosen) yield* attempt(place.file, () => complete(place))
        for (const place of chosen) yield* attempt(place.file, () => publish(place))
      })
    }
  })

interface Place {
  readonly option: string
  /** As the user named it, for messages. */
  readonly file: string
  /** The file it really is: two outputs must not have the same. */
  readonly identity: string
  /** Where the bytes are written until they are complete; undefined for what is no regular file. */
  readonly temporary: string | undefined
  readonly target: string
  /** The permissions of the file that is replaced. */
  readonly mode: number | undefined
  handle: FileHandle | undefined
}

const locate = (option: string, file: string): Effect.Effect<Place, CommandFailure> =>
  Effect.tryPromise({
    try: async (): Promise<Place> => {
      if (file === "" || file === "-") throw new Error("it must name a file")
      const existing = await stat(file).catch(() => undefined)
      if (existing?.isDirectory()) throw new Error("it is a folder")
      const common = { option, file, handle: undefined }
      if (existing !== undefined && !existing.isFile()) {
        return { ...common, identity: resolve(file), target: file, temporary: undefined, mode: undefined }
      }
      const target =
        existing === undefined ? join(await realpath(dirname(file)), basename(file)) : await realpath(file)
      const temporary = `${target}.part-${randomBytes(6).toString("hex")}`
      return { ...common, identity: target, target, temporary, mode: existing?.mode }
    },
    catch: (cause) => usage(`cannot write --${option} ${JSON.stringify(file)}: ${reasonOf(cause)}`)
  })

const openPlace = (place: Place): Effect.Effect<FileHandle, CommandFailure, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(place.file, async () => {
      place.handle = await openFile(
        place.temporary ?? place.target,
        place.temporary === undefined ? "w" : "wx"
      )
      return place.handle
    }),
    // After a commit nothing of this is left to do.
    () =>
      Effect.promise(async () => {
        await place.handle?.close().catch(() => {})
        if (place.temporary !== undefined) await rm(place.temporary, { force: true })
      })
  )

const complete = async (place: Place): Promise<void> => {
  if (place.temporary !== undefined) await place.handle?.sync()
  await place.handle?.close()
  place.handle = undefined
}

const publish = async ({ mode, target, temporary }: Place): Promise<void> => {
  if (temporary === undefined) return
  if (mode !== undefined) await chmod(temporary, mode & 0o777)
  await rename(temporary, target)
}

const attempt = <A>(file: string, action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({ try: action, catch: (cause) => unwritable(file, cause) })

const unwritable = (file: string, cause: unknown): CommandFailure =>
  failed(`cannot write ${file}: ${reasonOf(cause)}`)
