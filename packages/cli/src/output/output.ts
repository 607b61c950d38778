/**
 * Writes bytes to standard output, or to files that get their names only when the whole run is complete.
 *
 * A file is written under a temporary name. `commit` flushes all files to disk and renames them. Without it, the temporary files are
 * deleted, and older files of these names stay unchanged. The temporary files of a killed process are deleted by the next run that writes
 * the same file.
 *
 * A device or pipe is written directly. A file that this process has open (`/dev/stdout`, `/dev/fd/3`) is written at its position. The
 * extensions `.gz` and `.zst` compress. On a terminal, control characters are escaped.
 */
import { createHash, randomBytes } from "node:crypto"
import { fstatSync, readlinkSync, writeFile } from "node:fs"
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
import { isatty } from "node:tty"
import { promisify } from "node:util"
import { Format } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Data, Effect, type Scope } from "effect"
import { type CommandFailure, failed, reasonOf, usage } from "../CommandFailure.ts"
import { printable, printableStyled } from "../terminal/printable.ts"
import { descriptorOf } from "./fileIdentity.ts"

/** The number of bytes to compress together. */
const memberBytes = 1024 * 1024

/** The reader of standard output has closed it (`| head`). This is not a failure. */
export class ReaderGone extends Data.TaggedError("ReaderGone") {}

/** A destination of bytes. */
export interface Output {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, CommandFailure | ReaderGone>
}

/** The outputs of a command, by option. */
export interface Outputs<Option extends string> {
  readonly outputs: { readonly [O in Option]?: Output }
  /** Renames the given files to their names: all of them, or none if one cannot be completed. */
  readonly commit: (...options: ReadonlyArray<Option>) => Effect.Effect<void, CommandFailure>
  /** Keeps the content so far of the given regular files as `FILE.partial`. Returns their names. */
  readonly keep: (...options: ReadonlyArray<Option>) => Effect.Effect<ReadonlyArray<string>, CommandFailure>
  /** The options with regular files. */
  readonly regular: ReadonlySet<Option>
}

/** Standard output. `styled`: the text has our own colours and weights. */
export const standard = (styled = false): Output => to(process.stdout, "standard output", styled)

const to = (stream: NodeJS.WriteStream, name: string, styled = false): Output =>
  shown(
    {
      write: (bytes) =>
        Effect.callback<void, CommandFailure | ReaderGone>((resume) => {
          stream.write(bytes, (error) => {
            if (error == null) resume(Effect.void)
            else if ((error as NodeJS.ErrnoException).code === "EPIPE") resume(Effect.fail(new ReaderGone()))
            else resume(Effect.fail(unwritable(name, error)))
          })
        })
    },
    stream.isTTY,
    styled
  )

/** Escapes control characters if the output is a terminal. */
const shown = (output: Output, isTerminal: boolean, styled = false): Output => {
  if (!isTerminal) return output
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const escaped = styled ? printableStyled : printable
  return {
    write: (bytes) =>
      Effect.suspend(() => {
        const text = decoder.decode(bytes, { stream: true })
        // Removes the CR of CSV line ends, which a terminal adds itself.
        return output.write(encoder.encode(escaped(text.replaceAll("\r\n", "\n"))))
      })
  }
}

/**
 * Opens the files of options. An option without a file has no output. `runFiles.ts` checks that no two are the same file.
 */
export const openFiles = <Option extends string>(
  files: { readonly [O in Option]: string | undefined }
): Effect.Effect<Outputs<Option>, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const places = yield* locateAll(files)
    const outputs: { [O in Option]?: Output } = {}
    for (const place of places) {
      const writer =
        place.descriptor === undefined
          ? writerTo(place, yield* openPlace(place))
          : through(place.descriptor, place.file)
      place.writer = writer
      outputs[place.option] = { write: writer.write }
    }
    return {
      outputs,
      commit: Effect.fnUntraced(function* (...options) {
        const chosen = places.filter((place) => options.some((option) => option === place.option))
        for (const place of chosen) yield* complete(place)
        for (const place of chosen) yield* attempt(place.file, () => publish(place))
      }),
      keep: Effect.fnUntraced(function* (...options) {
        const kept: Array<string> = []
        for (const place of places) {
          const { name, option, target, temporary } = place
          if (temporary === undefined || !options.includes(option)) continue
          yield* complete(place)
          yield* attempt(name, () => rename(temporary, partialOf(target)))
          kept.push(partialOf(name))
        }
        return kept
      }),
      regular: new Set(places.filter(({ temporary }) => temporary !== undefined).map(({ option }) => option))
    }
  })

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

const locateAll = <Option extends string>(
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

interface Writer extends Output {
  readonly end: Effect.Effect<void, CommandFailure>
}

const writeWhole = promisify(writeFile)

/** Writes at the position of an open file. Opening it again by name would truncate it. */
const through = (descriptor: number, file: string): Writer => {
  const { write } =
    descriptor === 1
      ? standard()
      : descriptor === 2
        ? to(process.stderr, "standard error")
        : shown({ write: (bytes) => attempt(file, () => writeWhole(descriptor, bytes)) }, isatty(descriptor))
  return { write, end: Effect.void }
}

const writerTo = ({ file }: Place, handle: FileHandle): Writer => {
  const { compression } = Format.ofPath(file)
  let written = 0
  const append = (bytes: Uint8Array) =>
    Effect.tapError(
      Effect.tap(
        attempt(file, () => handle.writeFile(bytes)),
        Effect.sync(() => {
          written += bytes.length
        })
      ),
      // A full disk has taken a part of the write, so it is truncated. The content before stays readable.
      () => Effect.promise(() => handle.truncate(written).catch(() => {}))
    )
  if (isatty(handle.fd)) return { ...shown({ write: append }, true), end: Effect.void }
  if (compression === undefined) return { write: append, end: Effect.void }
  let waiting: Array<Uint8Array> = []
  let size = 0
  let isEmpty = true
  const flush = Effect.suspend(() => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    size = 0
    isEmpty = false
    return Effect.flatMap(Compression.member(compression, bytes), append)
  })
  return {
    write: (bytes) =>
      Effect.suspend(() => {
        waiting.push(bytes)
        size += bytes.length
        return size >= memberBytes ? flush : Effect.void
      }),
    // An empty compressed file needs a member, too.
    end: Effect.suspend(() => (size > 0 || isEmpty ? flush : Effect.void))
  }
}

interface Place<Option extends string = string> {
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
  /** The permissions of the replaced file. */
  readonly mode: number | undefined
  handle: FileHandle | undefined
  writer: Writer | undefined
}

const locate = <Option extends string>(
  option: Option,
  file: string
): Effect.Effect<Place<Option>, CommandFailure> =>
  Effect.tryPromise({
    try: async (): Promise<Place<Option>> => {
      if (file === "" || file === "-") throw new Error("it must name a file")
      const common = { option, file, handle: undefined, writer: undefined }
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
      const place = join(await realpath(dirname(file)), basename(file))
      const target = existing === undefined ? place : await realpath(file)
      const name = target === place ? file : target
      return { ...common, descriptor, target, name, temporary: temporaryOf(target), mode: existing?.mode }
    },
    catch: (cause) => usage(`cannot write --${option} ${JSON.stringify(file)}: ${reasonOf(cause)}`)
  })

const openPlace = (place: Place): Effect.Effect<FileHandle, CommandFailure, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(place.file, async () => {
      if (place.temporary !== undefined) await removeLeft(place.target)
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

/**
 * The namespace of process ids. It distinguishes the files of a dead process from those of a process in another container, or on another
 * machine with the same disk.
 */
const surroundings = (): string => {
  let space = ""
  try {
    space = readlinkSync("/proc/self/ns/pid")
  } catch {
    // Not available on this system.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8)
}

const temporaryOf = (target: string): string =>
  `${target}.part-${surroundings()}-${process.pid}-${randomBytes(6).toString("hex")}`

/** Deletes the temporary files of dead processes. */
const removeLeft = async (target: string): Promise<void> => {
  const beginning = `${basename(target)}.part-${surroundings()}-`
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

const complete = (place: Place): Effect.Effect<void, CommandFailure> =>
  Effect.andThen(
    place.writer?.end ?? Effect.void,
    attempt(place.file, async () => {
      if (place.temporary !== undefined) await place.handle?.sync()
      await place.handle?.close()
      place.handle = undefined
    })
  )

const publish = async ({ mode, target, temporary }: Place): Promise<void> => {
  if (temporary === undefined) return
  if (mode !== undefined) await chmod(temporary, mode & 0o777)
  await rename(temporary, target)
  // The kept results of an earlier run of the same file.
  await rm(partialOf(target), { force: true })
}

const partialOf = (file: string): string => `${file}.partial`

const attempt = <A>(file: string, action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({ try: action, catch: (cause) => unwritable(file, cause) })

const unwritable = (file: string, cause: unknown): CommandFailure =>
  failed(`cannot write ${file}: ${reasonOf(cause)}`)
