/**
 * Writes bytes to standard output, or to files that get their names only when the whole run is complete.
 *
 * Without `commit` or `keep`, the content is removed, and older files of these names stay unchanged. `outputPlace.ts` finds, names and
 * renames the files.
 *
 * A device or pipe is written directly. A file that this process has open (`/dev/stdout`, `/dev/fd/3`) is written at its position. Files
 * with the extension `.gz` or `.zst` are compressed. On a terminal, control characters are escaped.
 */
import { writeFile } from "node:fs"
import { isatty } from "node:tty"
import { promisify } from "node:util"
import { Format } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { Data, Effect, type Scope, Stream } from "effect"
import type { CommandFailure } from "../CommandFailure.ts"
import { printable, printableStyled } from "../terminal/printable.ts"
import { asWriteFailure, locateAll, type OpenPlace, open, type Place, writeFailure } from "./outputPlace.ts"

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
  /** Gives the files their names, in the order in which they were opened. */
  readonly commit: (...options: ReadonlyArray<Option>) => Effect.Effect<void, CommandFailure>
  /** Keeps the content so far of the given regular files as `FILE.partial`. Returns their names. */
  readonly keep: (...options: ReadonlyArray<Option>) => Effect.Effect<ReadonlyArray<string>, CommandFailure>
  /** The options with regular files. */
  readonly regular: ReadonlySet<Option>
}

/**
 * Writes bytes to the file of an option, or to standard output, as they arrive. A file gets its name when it is complete. If the
 * reader closes the pipe, the write stops without an error. Returns whether everything was written. `styled` keeps our own colours
 * and weights.
 */
export const write = <E, R>(
  file: string | undefined,
  bytes: Stream.Stream<Uint8Array, E, R>,
  { option = "output", styled = false } = {}
): Effect.Effect<
  boolean,
  Exclude<E, { readonly _tag: "ReaderGone" }> | CommandFailure,
  Exclude<R, Scope.Scope>
> =>
  Effect.gen(function* () {
    const { commit, outputs } = yield* openFiles({ [option]: file })
    yield* Stream.runForEach(bytes, (outputs[option] ?? standard(styled)).write)
    yield* commit(option)
    return true
  }).pipe(
    Effect.catchTag("ReaderGone", () => Effect.succeed(false)),
    Effect.scoped
  )

/** Standard output. `styled` keeps our own colours and weights. */
export const standard = (styled = false): Output => streamOutput(process.stdout, "standard output", styled)

const streamOutput = (stream: NodeJS.WriteStream, name: string, styled = false): Output =>
  escapeOnTerminal(
    {
      write: (bytes) =>
        Effect.callback<void, CommandFailure | ReaderGone>((resume) => {
          stream.write(bytes, (error) => {
            if (error == null) resume(Effect.void)
            else if ((error as NodeJS.ErrnoException).code === "EPIPE") resume(Effect.fail(new ReaderGone()))
            else resume(Effect.fail(writeFailure(name, error)))
          })
        })
    },
    stream.isTTY,
    styled
  )

/** Escapes control characters if the output is a terminal. */
const escapeOnTerminal = (output: Output, isTerminal: boolean, styled = false): Output => {
  if (!isTerminal) return output
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const toPrintable = styled ? printableStyled : printable
  return {
    write: (bytes) =>
      Effect.suspend(() => {
        const text = decoder.decode(bytes, { stream: true })
        // Removes the CR of CSV line ends, which a terminal adds itself.
        return output.write(encoder.encode(toPrintable(text.replaceAll("\r\n", "\n"))))
      })
  }
}

/**
 * Opens the files of options. An option without a file has no output. `fileCheck.ts` checks that no two are the same file.
 */
export const openFiles = <Option extends string>(
  files: { readonly [O in Option]: string | undefined }
): Effect.Effect<Outputs<Option>, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const places = yield* locateAll(files)
    const outputs: { [O in Option]?: Output } = {}
    const writers = new Map<Place<Option>, Writer>()
    for (const place of places) {
      const writer =
        place.descriptor === undefined
          ? writerTo(place, yield* open(place))
          : descriptorWriter(place.descriptor, place.file)
      writers.set(place, writer)
      outputs[place.option] = { write: writer.write }
    }
    const chosen = (options: ReadonlyArray<Option>) =>
      Array.from(writers).filter(([{ option }]) => options.includes(option))
    return {
      outputs,
      commit: (...options) =>
        Effect.forEach(chosen(options), ([, { end, publish }]) => Effect.andThen(end, publish), {
          discard: true
        }),
      keep: (...options) =>
        Effect.map(
          Effect.forEach(chosen(options), ([, { end, keep }]) => Effect.andThen(end, keep)),
          (names) => names.filter((name) => name !== undefined)
        ),
      regular: new Set(places.filter(({ isRegular }) => isRegular).map(({ option }) => option))
    }
  })

interface Writer extends Output {
  /** Writes the rest of compressed content. */
  readonly end: Effect.Effect<void, CommandFailure>
  readonly publish: Effect.Effect<void, CommandFailure>
  readonly keep: Effect.Effect<string | undefined, CommandFailure>
}

const nothing = { end: Effect.void, publish: Effect.void, keep: Effect.undefined }

const writeWhole = promisify(writeFile)

/** Writes at the position of an open file. Opening it again by name would truncate it. */
const descriptorWriter = (descriptor: number, file: string): Writer => {
  const { write } =
    descriptor === 1
      ? standard()
      : descriptor === 2
        ? streamOutput(process.stderr, "standard error")
        : escapeOnTerminal(
            {
              write: (bytes) =>
                Effect.tryPromise({
                  try: () => writeWhole(descriptor, bytes),
                  catch: (cause) => writeFailure(file, cause)
                })
            },
            isatty(descriptor)
          )
  return { ...nothing, write }
}

const writerTo = ({ file }: Place, { descriptor, keep, publish, ...open }: OpenPlace): Writer => {
  const { compression } = Format.ofPath(file)
  const named = asWriteFailure(file)
  const append = (bytes: Uint8Array) => named(open.append(bytes))
  if (descriptor !== undefined && isatty(descriptor))
    return { ...nothing, ...escapeOnTerminal({ write: append }, true) }
  const ending = { publish: named(publish), keep: named(keep) }
  if (compression === undefined) return { ...ending, write: append, end: Effect.void }
  let pending: Array<Uint8Array> = []
  let size = 0
  let isEmpty = true
  const flush = Effect.suspend(() => {
    const bytes = Buffer.concat(pending)
    pending = []
    size = 0
    isEmpty = false
    return Effect.flatMap(Compression.member(compression, bytes), append)
  })
  return {
    ...ending,
    write: (bytes) =>
      Effect.suspend(() => {
        pending.push(bytes)
        size += bytes.length
        return size >= memberBytes ? flush : Effect.void
      }),
    // An empty compressed file needs a member, too.
    end: Effect.suspend(() => (size > 0 || isEmpty ? flush : Effect.void))
  }
}
