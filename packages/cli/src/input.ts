/**
 * Where the values of a run come from: the arguments, a file, or standard input.
 *
 * A line is a JSON object that carries a value in a field, or else what `Identifiers` of the streams makes of it. A file
 * of CSV or TSV is read as a table where a column is named. What a value must look like is checked by the run that uses
 * it; what is no value at all, as an object without the field, goes there with its fault. Bytes may be compressed with
 * gzip or zstd.
 */
import { createReadStream, fstatSync } from "node:fs"
import { stat } from "node:fs/promises"
import type { Readable } from "node:stream"
import { Csv, Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { Compression } from "@chemstream/ndjson/node"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Array as Arr, type Duration, Effect, Result, Stream } from "effect"
import { CommandFailure, reasonOf, usage } from "./CommandFailure.ts"
import * as Encoding from "./encoding.ts"
import { ErrorsFile } from "./errorsFile.ts"
import type { Carried } from "./joining.ts"

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
  /** The field or column the user named. */
  readonly given: string | undefined
  /** The fields of the endpoint's own, of which the first that an object has counts. */
  readonly own: ReadonlyArray<string>
  /** The fields of the object that its value takes with it, under their new names; none when not given. */
  readonly carry?: ReadonlyArray<Carried>
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
    const { kind } = Format.ofPath(file)
    const identifiers =
      key.given !== undefined && (kind === "csv" || kind === "tsv")
        ? fromTable(fileBytes(file), kind === "tsv" ? "\t" : ",", key.given, key)
        : fromBytes(fileBytes(file), key)
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
  bytes.pipe(
    Ndjson.decodeNumbered(),
    Stream.mapError((error) => (error._tag === "NdjsonError" ? unreadableText(error.message) : error)),
    valuesOf(key)
  )

/** The values of a column of a table, whose other cells may be carried. */
const fromTable = (
  bytes: Stream.Stream<Uint8Array, CommandFailure>,
  separator: string,
  column: string,
  key: Key
): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
  bytes.pipe(
    Csv.decodeNumbered({ separator }),
    Stream.mapError((error) => (error._tag === "CsvError" ? unreadableText(error.message) : error)),
    Stream.mapArrayEffect((rows) => {
      const [{ record: first }] = rows
      if (!Object.hasOwn(first, column)) {
        const columns = Object.keys(first).map((name) => JSON.stringify(name))
        return Effect.fail(
          usage(`the table has no column ${JSON.stringify(column)}: --key takes one of ${columns.join(", ")}`)
        )
      }
      return Effect.succeed(
        Arr.map(rows, ({ line, record }) => ({ line, record: RawRecord.fromText(JSON.stringify(record)) }))
      )
    }),
    valuesOf(key)
  )

/** The values of records and other lines; fails where no line at all has one for want of the right field. */
const valuesOf =
  (key: Key) =>
  (
    numbered: Stream.Stream<Ndjson.NumberedRecord, CommandFailure>
  ): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
    Effect.map(ErrorsFile, (errorsFile) => {
      const { complaint, read } = reader(key, errorsFile)
      return numbered.pipe(
        Stream.chunks,
        Stream.mapEffect((lines) => {
          const found: Array<Identifiers.Identifier> = []
          for (const { line, record } of lines) {
            const value = read(record, line)
            if (value instanceof CommandFailure) {
              // What stands before it is still asked for.
              return Effect.succeed(Stream.concat(Stream.fromIterable(found), Stream.fail(value)))
            }
            if (value !== undefined) found.push(value)
          }
          return Effect.succeed(Stream.fromIterable(found))
        }),
        Stream.flatten,
        Stream.concat(
          Stream.suspend(() => {
            const message = complaint()
            return message === undefined ? Stream.empty : Stream.fail(usage(message))
          })
        )
      )
    }).pipe(Stream.unwrap)

interface Reader {
  /** The value of a line, undefined where it has none, or why the input cannot be read. */
  readonly read: (
    record: RawRecord.RawRecord,
    line: number
  ) => Identifiers.Identifier | CommandFailure | undefined
  /** What to say of an input of which no line had a value; undefined where one had, or none was an object. */
  readonly complaint: () => string | undefined
}

const reader = (key: Key, { isRequired, outcomes }: ErrorsFile): Reader => {
  const fields = key.given === undefined ? key.own : [key.given]
  const carry = carriesOf(key)
  const lookAt = Encoding.warner()
  const names = carry.map(({ name }) => name)
  let complaint: string | undefined
  let isUsable = false
  let isObjects = false

  /** A value with what it takes along, from an object that has it under the names of its records. */
  const withNamed = (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier =>
    carry.length === 0
      ? value
      : {
          ...value,
          carried: Result.getOrElse(RawRecord.pick(object, names, { missing: "null" }), () => object)
        }
  /** A value with what it takes along, from an object as the user wrote it. */
  const withCarried = (
    value: Identifiers.Identifier,
    object: RawRecord.RawRecord
  ): Identifiers.Identifier => {
    if (carry.length === 0) return value
    const entries = RawRecord.entries(object)
    if (Result.isFailure(entries))
      return { ...value, text: Read.ofValue(lineOf(object)), fault: noJson(object) }
    const carried = carry.map(
      ({ field, name }) =>
        [name, entries.success.findLast((entry) => entry.key === field)?.value ?? nullText] as const
    )
    return { ...value, carried: Result.getOrThrow(RawRecord.prepend(emptyObject, carried)) }
  }
  /** What a line of `--errors` is asked for with: the line and the fields of the input that it came from. */
  const again = ({ carried, given, id, line }: Problem): Identifiers.Identifier =>
    withNamed({ text: given ?? id, line }, carried ?? emptyObject)

  const ofText = (text: string, line: number): Identifiers.Identifier | CommandFailure | undefined => {
    const value = Read.ofLine(text)
    if (value === undefined) return undefined
    if (isRequired) return usage(notOfErrors(line))
    if (key.given !== undefined && !isObjects) return usage(noObject(text, line, key.given))
    isUsable = true
    return carry.length > 0 ? usage(nothingToCarry(`line ${line}`)) : { text: value, line }
  }

  const ofObject = (
    object: RawRecord.RawRecord,
    line: number
  ): Identifiers.Identifier | CommandFailure | undefined => {
    isObjects = true
    if (isRequired) {
      const problem = problemOf(object)
      if (problem === undefined) return usage(notOfErrors(line))
      return outcomes.has(problem.outcome) ? again(problem) : undefined
    }
    const field = fields.find((name) => RawRecord.value(object, name) !== undefined)
    const value = field === undefined ? undefined : RawRecord.value(object, field)
    if (field !== undefined && (typeof value === "string" || typeof value === "number")) {
      isUsable = true
      const text = typeof value === "string" ? Read.ofValue(value) : digits(object, field, value)
      return withCarried({ text, line }, object)
    }
    if (Result.isFailure(RawRecord.check(object))) {
      return { text: Read.ofValue(lineOf(object)), line, fault: noJson(object) }
    }
    if (field !== undefined) {
      isUsable = true
      const fault = `the field ${JSON.stringify(field)} of the object is ${kindOf(value)}`
      return withCarried({ text: "", line, fault }, object)
    }
    if (key.given === undefined) {
      const problem = problemOf(object)
      if (problem !== undefined) {
        isUsable = true
        return outcomes.has(problem.outcome) ? again(problem) : undefined
      }
    }
    const lacking = fields.map((name) => JSON.stringify(name)).join(" or ")
    const hint = `say with --key FIELD which ${lacking === "" ? "of its fields to use" : "one to use"}`
    complaint ??=
      lacking === ""
        ? `line ${line} is an object: ${hint}`
        : `the object in line ${line} has no field ${lacking}: ${hint}`
    const fault = lacking === "" ? `it is an object: ${hint}` : `the object has no field ${lacking}`
    return withCarried({ text: "", line, fault }, object)
  }

  return {
    read: (record, line) => {
      const isObject = RawRecord.toBytes(record)[0] === OPEN_OBJECT
      const text = isObject ? "" : RawRecord.toText(record).trim()
      lookAt(line, record, text)
      if (isObject) return ofObject(record, line)
      return text.startsWith("{") ? ofObject(RawRecord.fromText(text), line) : ofText(text, line)
    },
    complaint: () => (isUsable ? undefined : complaint)
  }
}

const emptyObject = RawRecord.fromText("{}")
const nullText = RawRecord.fromText("null")

/** A number as it was written: `228.1150` is asked for as that. */
const digits = (object: RawRecord.RawRecord, field: string, value: number): string => {
  const entries = Result.getOrElse(RawRecord.entries(object), () => [])
  const entry = entries.findLast(({ key }) => key === field)
  return entry === undefined ? String(value) : RawRecord.toText(entry.value)
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value === "boolean") return String(value)
  return "no text and no number"
}

const lineOf = (object: RawRecord.RawRecord): string => RawRecord.toText(object).trim()

const noJson = (object: RawRecord.RawRecord): string => {
  const checked = RawRecord.check(object)
  const at = Result.isFailure(checked) ? `, wrong at byte ${checked.failure.offset + 1}` : ""
  const text = lineOf(object)
  return `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} starts as a JSON object and is no valid JSON${at}`
}

const noObject = (text: string, line: number, key: string): string => {
  const cells = text.split(/[,;\t]/).map((cell) => Read.ofLine(cell))
  return cells.length > 1 && cells.includes(key)
    ? `line ${line} looks like the header of a table with a column ${JSON.stringify(key)}: give it as --input FILE.csv, or FILE.tsv where tabs separate it, and --key reads that column`
    : `--key names a field of JSON objects, or a column of a file named .csv or .tsv, and line ${line} is no object: leave --key out where each line is a value`
}

const carriesOf = ({ carry = [] }: Key): ReadonlyArray<Carried> => carry

const nothingToCarry = (what: string): string =>
  `--carry takes fields of JSON objects or columns of a table, and ${what} is neither: give NDJSON, or --key COLUMN with a file named .csv or .tsv, or leave it out`

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

const unreadableText = (message: string): CommandFailure => usage(`cannot read the input: ${message}`)

function unreadable(file: string): (cause: unknown) => CommandFailure {
  return (cause) => usage(`cannot read ${file}: ${reasonOf(cause)}`)
}
