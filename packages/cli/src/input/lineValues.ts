/**
 * Reads the values of input lines: a field of a JSON object, the identifier of an errors-file line, or the text of any other line as
 * `Identifiers` of the stream package reads it.
 *
 * A line without a value, e.g. an object without the field, is passed on with its fault, so that the run counts it.
 */
import { type Ndjson, RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { CommandFailure, usage } from "../CommandFailure.ts"
import type { Carried } from "../output/joinedFields.ts"
import { ErrorsFile } from "./errorsFile.ts"
import { LineTally } from "./lineTally.ts"

const OPEN_OBJECT = 0x7b

/** The field of an object with the value. */
export interface Key {
  /** The field or column of `--key`. */
  readonly given: string | undefined
  /** The default fields of the endpoint. The first one that an object has counts. */
  readonly own: ReadonlyArray<string>
  /**
   * The fields to carry with the value, under their new names. `all` is for the rows in lines of an errors file. Default: none.
   */
  readonly keep?: ReadonlyArray<Carried> | "all"
}

/** A line without a value: its text, and the reason. */
export interface Unread {
  readonly line: number
  readonly text: string
  readonly fault: string
}

/** A line of an input. */
export type Line = Ndjson.NumberedRecord | Unread

/**
 * Returns the values of lines. Fails if no line has a value because all objects lack the field. Lines without a value are counted in
 * `tally`.
 */
export const of =
  (key: Key, tally = new LineTally()) =>
  (numbered: Stream.Stream<Line, CommandFailure>): Stream.Stream<Identifiers.Identifier, CommandFailure> =>
    Effect.map(ErrorsFile, (errorsFile) => {
      const { complaint, read } = reader(key, errorsFile, tally)
      return numbered.pipe(
        Stream.chunks,
        Stream.mapEffect((lines) => {
          const found: Array<Identifiers.Identifier> = []
          for (const line of lines) {
            tally.line(line.line)
            const value = read(line)
            if (value instanceof CommandFailure) {
              // The lines before it are still requested.
              return Effect.succeed(Stream.concat(Stream.fromIterable(found), Stream.fail(value)))
            }
            if (value !== undefined) found.push(value)
          }
          return Effect.succeed(Stream.fromIterable(found))
        }),
        Stream.flatten,
        Stream.concat(
          Stream.suspend(() => {
            tally.end()
            const message = complaint()
            return message === undefined ? Stream.empty : Stream.fail(usage(message))
          })
        )
      )
    }).pipe(Stream.unwrap)

interface Reader {
  /** Returns the value of a line, undefined if it has none, or the failure of the whole input. */
  readonly read: (line: Line) => Identifiers.Identifier | CommandFailure | undefined
  /** Returns the failure of an input without any value. Undefined if a line had a value, or no line was an object. */
  readonly complaint: () => string | undefined
}

const reader = (key: Key, { isRequired, outcomes }: ErrorsFile, tally: LineTally): Reader => {
  const fields = key.given === undefined ? key.own : [key.given]
  const keep = keptOf(key)
  const names = keep.map(({ name }) => name)
  let complaint: string | undefined
  let isUsable = false
  let isObjects = false

  /** Reads a value and its carried fields from an object with the field names of records. */
  const withNamed = (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier =>
    key.keep === "all"
      ? { ...value, carried: object }
      : keep.length === 0
        ? value
        : {
            ...value,
            carried: Result.getOrElse(RawRecord.pick(object, names, { missing: "null" }), () => object)
          }
  /** Reads a value and its carried fields from an object of the user. */
  const withCarried = (
    value: Identifiers.Identifier,
    object: RawRecord.RawRecord
  ): Identifiers.Identifier => {
    if (keep.length === 0) return value
    const entries = RawRecord.entries(object)
    if (Result.isFailure(entries))
      return { ...value, text: Read.ofValue(lineOf(object)), fault: noJson(object) }
    const carried = keep.map(
      ({ field, name }) =>
        [name, entries.success.findLast((entry) => entry.key === field)?.value ?? nullText] as const
    )
    return { ...value, carried: Result.getOrThrow(RawRecord.prepend(emptyObject, carried)) }
  }
  /** Reads a value from a line of an errors file, with the line number and fields of the original input. */
  const again = ({ carried, given, id, line }: Problem): Identifiers.Identifier =>
    withNamed({ text: given ?? id, line }, carried ?? emptyObject)
  const ofProblem = (problem: Problem | "surplus"): Identifiers.Identifier | undefined => {
    if (problem !== "surplus" && outcomes.has(problem.outcome)) return again(problem)
    tally.outcomes++
    return undefined
  }

  const ofText = (text: string, line: number): Identifiers.Identifier | CommandFailure | undefined => {
    const value = Read.fromLine(text, line)
    if (value === undefined) {
      tally.without(text)
      return undefined
    }
    if (isRequired) return usage(notOfErrors(line))
    if (key.given !== undefined && !isObjects) return usage(noObject(text, line, key.given))
    isUsable = true
    return keep.length > 0 ? usage(nothingToKeep(`line ${line}`)) : value
  }

  const ofObject = (
    object: RawRecord.RawRecord,
    line: number
  ): Identifiers.Identifier | CommandFailure | undefined => {
    isObjects = true
    if (isRequired) {
      const problem = problemOf(object)
      if (problem === undefined) return usage(notOfErrors(line))
      return ofProblem(problem)
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
        return ofProblem(problem)
      }
    }
    const lacking = fields.map((name) => JSON.stringify(name)).join(" or ")
    const hint = `choose with --key FIELD which ${lacking === "" ? "of its fields to use" : "one to use"}`
    complaint ??=
      lacking === ""
        ? `line ${line} is an object: ${hint}`
        : `the object in line ${line} has no field ${lacking}: ${hint}`
    const fault = lacking === "" ? `it is an object: ${hint}` : `the object has no field ${lacking}`
    return withCarried({ text: "", line, fault }, object)
  }

  const ofUnread = ({ fault, line, text }: Unread): Identifiers.Identifier | CommandFailure => {
    if (isRequired) return usage(notOfErrors(line))
    complaint ??= `in line ${line} ${fault}`
    return withNamed({ text: Read.ofValue(text), line, fault }, emptyObject)
  }

  return {
    read: (one) => {
      if ("fault" in one) return ofUnread(one)
      const { line, record } = one
      const isObject = RawRecord.toBytes(record)[0] === OPEN_OBJECT
      const text = isObject ? "" : RawRecord.toText(record).trim()
      if (isObject) return ofObject(record, line)
      return text.startsWith("{") ? ofObject(RawRecord.fromText(text), line) : ofText(text, line)
    },
    complaint: () => (isUsable ? undefined : complaint)
  }
}

const emptyObject = RawRecord.fromText("{}")
const nullText = RawRecord.fromText("null")

/** Returns a number as it is written, so that `228.1150` stays `228.1150`. */
const digits = (object: RawRecord.RawRecord, field: string, value: number): string => {
  const entries = Result.getOrElse(RawRecord.entries(object), () => [])
  const entry = entries.findLast(({ key }) => key === field)
  return entry === undefined ? String(value) : RawRecord.toText(entry.value)
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value === "boolean") return String(value)
  return "neither text nor a number"
}

const lineOf = (object: RawRecord.RawRecord): string => RawRecord.toText(object).trim()

const noJson = (object: RawRecord.RawRecord): string => {
  const checked = RawRecord.check(object)
  const at = Result.isFailure(checked) ? `, wrong at byte ${checked.failure.offset + 1}` : ""
  const text = lineOf(object)
  return `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} starts as a JSON object but is not valid JSON${at}`
}

const noObject = (text: string, line: number, key: string): string => {
  const cells = text.split(/[,;\t]/).map((cell) => Read.ofLine(cell))
  return cells.length > 1 && cells.includes(key)
    ? `line ${line} looks like the header of a table with a column ${JSON.stringify(key)}: give it as --input FILE.csv, or FILE.tsv where tabs separate it, and --key reads that column`
    : `--key names a field of JSON objects, or a column of a file named .csv or .tsv, and line ${line} is not an object: omit --key if each line is a value`
}

/** Returns the carried fields of an object. */
export const keptOf = ({ keep = [] }: Key): ReadonlyArray<Carried> => (keep === "all" ? [] : keep)

/** Returns the error for `--keep` without fields or columns. */
export const nothingToKeep = (what: string): string =>
  `--keep takes fields of JSON objects or columns of a table, and ${what} is neither: give NDJSON, or --key COLUMN with a file named .csv or .tsv, or leave it out`

/** A line of an errors file. */
interface Problem {
  readonly id: string
  readonly outcome: string
  /** The line of the original input. 0: unknown. */
  readonly line: number
  readonly given: string | undefined
  readonly carried: RawRecord.RawRecord | undefined
}

/** Parses a line of an errors file. `"surplus"`: the line is about a surplus record. */
const problemOf = (object: RawRecord.RawRecord): Problem | "surplus" | undefined => {
  const id = RawRecord.value(object, "id")
  const outcome = RawRecord.value(object, "outcome")
  if (outcome === "surplus") return outcome
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
  `line ${line} is not a line of an errors file: {"id","outcome","error","line"}`
