/**
 * Where the values of a run come from: the arguments, a file, or standard input.
 *
 * A line is a JSON object that carries a value in a field, or else what `Identifiers` of the streams makes of it. What a
 * value must look like is checked by the run that uses it. Bytes may be compressed with gzip or zstd.
 */
import { createReadStream, fstatSync } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Ndjson, RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { type Duration, Effect, Result, Stream } from "effect"
import { CommandFailure, reasonOf, usage } from "./CommandFailure.ts"
import * as Encoding from "./encoding.ts"
import { ErrorsFile } from "./errorsFile.ts"

/** Bytes read from a file at a time. */
const fileChunk = 64 * 1024

/** The longest that a value from a pipe waits for others to be asked for with it. */
const window: Duration.Input = "200 millis"

const OPEN_OBJECT = 0x7b

export interface Input {
  readonly identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>
  /** The file that is read, where it is a regular one. */
  readonly file?: string
  /** How many identifiers there are, where that can be known beforehand. A file is read for it. */
  readonly total?: Effect.Effect<number, CommandFailure>
  /** How long an identifier waits for its batch to fill, where the input comes as it likes. */
  readonly window?: Duration.Input
}

/** Which field of an object is its value. */
export interface Key {
  /** The field the user named. */
  readonly given: string | undefined
  /** The field of the endpoint's own, where it has one. */
  readonly own: string | undefined
  /** The fields of the object that its value takes with it; none when not given. */
  readonly carry?: ReadonlyArray<string>
}

/** The input of a command: its arguments if it has any, else the file, else standard input. */
export const open = (
  values: ReadonlyArray<string>,
  file: string | undefined,
  key: Key
): Effect.Effect<Input, CommandFailure> => {
  if (values.length > 0) {
    if (carriesOf(key).length > 0) return Effect.fail(usage(nothingToCarry("an argument")))
    return file === undefined
      ? Effect.succeed({ identifiers: Read.fromIterable(values), total: Effect.succeed(values.length) })
      : Effect.fail(usage("give identifiers as arguments or with --input, not both"))
  }
  if (file !== undefined && file !== "-") return openFile(file, key)
  return process.stdin.isTTY
    ? Effect.fail(usage("no identifiers: give them as arguments, with --input FILE, or on standard input"))
    : Effect.succeed({
        identifiers: fromBytes(standardInput, key),
        ...(isFile(process.stdin.fd) ? {} : { window })
      })
}

const openFile = (file: string, key: Key): Effect.Effect<Input, CommandFailure> =>
  Effect.gen(function* () {
    const about = yield* Effect.tryPromise({ try: () => stat(file), catch: unreadable(file) })
    if (about.isDirectory()) return yield* usage(`cannot read ${file}: it is a folder`)
    const identifiers = fromBytes(fileBytes(file), key)
    // A pipe or device given by name can be read only once, so only a regular file is counted first.
    if (!about.isFile()) return { identifiers, window }
    const total = Stream.runFold(
      identifiers,
      () => 0,
      (count: number) => count + 1
    )
    return { identifiers, total, file }
  })

const isFile = (descriptor: number): boolean => {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    // Closed: there is nothing to read, and nothing to wait for.
    return true
  }
}

const fileBytes = (file: string): Stream.Stream<Uint8Array, CommandFailure> =>
  bytesOf(file, () => createReadStream(file, { highWaterMark: fileChunk }))

const standardInput: Stream.Stream<Uint8Array, CommandFailure> = bytesOf(
  "standard input",
  () => process.stdin
)

function bytesOf(source: string, evaluate: () => Readable): Stream.Stream<Uint8Array, CommandFailure> {
  return NodeStream.fromReadable<Uint8Array, unknown>({ evaluate, onError: (cause) => cause }).pipe(
    Compression.decompress(),
    Stream.mapError(unreadable(source)),
    Encoding.refuseUtf16(source)
  )
}

/** The values of the lines of a text. */
export const fromBytes = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  key: Key
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  Effect.map(ErrorsFile, (errorsFile) => {
    const values = reader(key, errorsFile)
    return bytes.pipe(
      Ndjson.decodeNumbered(),
      Stream.mapError((error) =>
        error._tag === "NdjsonError" ? usage(`cannot read the input: ${error.message}`) : error
      ),
      Stream.chunks,
      Stream.mapEffect((lines) => {
        const found: Array<Identifiers.Identifier> = []
        for (const { line, record } of lines) {
          const value = values(record, line)
          if (value instanceof CommandFailure) {
            // What stands before it is still asked for.
            return Effect.succeed(Stream.concat(Stream.fromIterable(found), Stream.fail(value)))
          }
          if (typeof value === "string") found.push({ text: value, line })
          else if (value !== undefined) found.push(value)
        }
        return Effect.succeed(Stream.fromIterable(found))
      }),
      Stream.flatten
    )
  }).pipe(Stream.unwrap)

/** The value of a line, undefined where it has none, or why the input cannot be read. */
const reader = (
  key: Key,
  { isRequired, outcomes }: ErrorsFile
): ((
  record: RawRecord.RawRecord,
  line: number
) => string | Identifiers.Identifier | CommandFailure | undefined) => {
  const field = key.given ?? key.own
  const carry = carriesOf(key)
  const lookAt = Encoding.warner()
  let isFirst = true
  /** A value with what it takes along of an object. */
  const withCarried = (
    text: string,
    line: number,
    object: RawRecord.RawRecord
  ): string | Identifiers.Identifier | CommandFailure => {
    if (carry.length === 0) return text
    const picked = RawRecord.pick(object, carry, { missing: "null" })
    return Result.isFailure(picked)
      ? usage(`cannot read the input: line ${line} is no valid JSON: ${picked.failure.message}`)
      : { text, line, carried: picked.success }
  }
  /** What a line of `--errors` is asked for with: the line and the fields of the input that it came from. */
  const again = ({ carried, id, given, line }: Problem): string | Identifiers.Identifier | CommandFailure => {
    const value = withCarried(given ?? id, line, carried ?? RawRecord.fromText("{}"))
    return typeof value === "string" ? { text: value, line } : value
  }
  return (record, line) => {
    const isObject = RawRecord.toBytes(record)[0] === OPEN_OBJECT
    const text = isObject ? "" : RawRecord.toText(record).trim()
    lookAt(line, record, text)
    if (!isObject && !text.startsWith("{")) {
      const value = Read.ofLine(text)
      if (value === undefined) return undefined
      if (isRequired) return usage(notOfErrors(line))
      return carry.length > 0 ? usage(nothingToCarry(`line ${line}`)) : value
    }

    const object = isObject ? record : RawRecord.fromText(text)
    if (isRequired) {
      const problem = problemOf(object)
      if (problem === undefined) return usage(notOfErrors(line))
      return outcomes.has(problem.outcome) ? again(problem) : undefined
    }
    const value = field === undefined ? undefined : RawRecord.value(object, field)
    const wasFirst = isFirst
    isFirst = false
    if (typeof value === "string") return withCarried(Read.ofValue(value), line, object)
    if (typeof value === "number") return withCarried(String(value), line, object)
    if (value === undefined) {
      const broken = RawRecord.check(object)
      if (broken._tag === "Failure") {
        return usage(`cannot read the input: line ${line} is no valid JSON: ${broken.failure.message}`)
      }
      if (key.given === undefined) {
        const problem = problemOf(object)
        if (problem !== undefined) return outcomes.has(problem.outcome) ? again(problem) : undefined
      }
      // Later ones may lack it, as fields that do not apply can be absent; the first most likely has another name.
      if (wasFirst) {
        return usage(
          field === undefined
            ? `line ${line} is an object: say with --key FIELD which of its fields to use`
            : `the object in line ${line} has no field ${JSON.stringify(field)}: say with --key FIELD which one to use`
        )
      }
    }
    // Counted as invalid: no identifier is empty.
    return withCarried("", line, object)
  }
}

const carriesOf = ({ carry = [] }: Key): ReadonlyArray<string> => carry

const nothingToCarry = (what: string): string =>
  `--carry takes fields of JSON objects, and ${what} is none: give NDJSON, or leave it out`

/** What a line of `--errors` says. */
interface Problem {
  readonly id: string
  readonly outcome: string
  /** The line of the input that it was about; 0 where it does not say. */
  readonly line: number
  readonly given: string | undefined
  readonly carried: RawRecord.RawRecord | undefined
}

const problemOf = (object: RawRecord.RawRecord): Problem | undefined => {
  const id = RawRecord.value(object, "id")
  const outcome = RawRecord.value(object, "outcome")
  if (typeof id !== "string" || typeof outcome !== "string") return undefined
  const line = RawRecord.value(object, "line")
  const given = RawRecord.value(object, "given")
  const carried = RawRecord.value(object, "carried")
  return {
    id,
    outcome,
    line: typeof line === "number" ? line : 0,
    given: typeof given === "string" ? given : undefined,
    carried: RawRecord.isRawRecord(carried) ? carried : undefined
  }
}

const notOfErrors = (line: number): string =>
  `line ${line} is none that --errors writes: {"id","outcome","error","line"}`

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usage(`cannot read ${file}: ${reasonOf(cause)}`)
}
