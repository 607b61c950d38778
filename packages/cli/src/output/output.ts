/**
 * Where bytes go: standard output, or files that appear under their names only when the whole run is complete.
 *
 * A file is written beside its place under a temporary name; `commit` flushes all of them to disk and then renames
 * them. Without it the temporary files are removed and older files of those names stay as they were; those of a process
 * that was killed are removed by the next one that writes the same file. What is no regular file (a device, a pipe) is
 * written to directly, and what this process has open already (`/dev/stdout`, `/dev/fd/3`) goes where that stands. A name
 * that ends in `.gz` or `.zst` is compressed. On a terminal everything that it would act on is escaped.
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

/** The bytes that are compressed together. */
const memberBytes = 1024 * 1024

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
  /** Keeps what was written so far to some of the files as `FILE.partial`. Gives their names; none of what is no regular file. */
  readonly keep: (...options: ReadonlyArray<Option>) => Effect.Effect<ReadonlyArray<string>, CommandFailure>
  /** The options whose files are regular ones. */
  readonly regular: ReadonlySet<Option>
}

/** Standard output; `styled` says that colours and weights are our own. */
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

/** The same output; on a terminal with everything escaped that it would act on. */
const shown = (output: Output, isTerminal: boolean, styled = false): Output => {
  if (!isTerminal) return output
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const escaped = styled ? printableStyled : printable
  return {
    write: (bytes) =>
      Effect.suspend(() => {
        const text = decoder.decode(bytes, { stream: true })
        // The line ends of CSV, which a terminal adds to every line.
        return output.write(encoder.encode(escaped(text.replaceAll("\r\n", "\n"))))
      })
  }
}

/**
 * Opens the files that options name; an option without a file has no output. That no two are the
 * same file is `runFiles`' to know.
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

/** A regular file that an option names. */
export interface Target {
  /** Its path, links followed. */
  readonly path: string
  /** The same for messages: as the user wrote it, unless that is a link. */
  readonly name: string
}

/** The regular files that options name, for outputs that are written elsewhere. Fails where one cannot be written. */
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

/** Writes where an open file of this process stands: anew opened by its name, a file would lose what it holds. */
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
      // A full disk has taken a part of it. What was written before can still be read.
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
    // Nothing at all is no compressed file: one of nothing has a member, too.
    end: Effect.suspend(() => (size > 0 || isEmpty ? flush : Effect.void))
  }
}

interface Place<Option extends string = string> {
  readonly option: Option
  /** As the user named it, for messages. */
  readonly file: string
  /** Where the bytes are written until they are complete; undefined for what is no regular file. */
  readonly temporary: string | undefined
  readonly target: string
  /** The target for messages: as the user named it, unless that is a link. */
  readonly name: string
  /** The number under which this process has it open. */
  readonly descriptor: number | undefined
  /** The permissions of the file that is replaced. */
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
        // Fails where it is not open.
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
        // Appended to, so that what is written after a cut stands where the file ends.
        place.temporary === undefined ? "w" : "ax"
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

/**
 * Where this process sees others by their numbers: it tells the files of a process that has ended from those of one in
 * another container, or on another machine with the same disk.
 */
const surroundings = (): string => {
  let space = ""
  try {
    space = readlinkSync("/proc/self/ns/pid")
  } catch {
    // Not on this system.
  }
  return createHash("sha256").update(`${hostname()} ${space}`).digest("hex").slice(0, 8)
}

const temporaryOf = (target: string): string =>
  `${target}.part-${surroundings()}-${process.pid}-${randomBytes(6).toString("hex")}`

/** Removes what processes that are no more have left of a file. */
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
    // One of another user is running, too.
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
  // What an earlier run kept of the same file.
  await rm(partialOf(target), { force: true })
}

const partialOf = (file: string): string => `${file}.partial`

const attempt = <A>(file: string, action: () => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({ try: action, catch: (cause) => unwritable(file, cause) })

const unwritable = (file: string, cause: unknown): CommandFailure =>
  failed(`cannot write ${file}: ${reasonOf(cause)}`)
