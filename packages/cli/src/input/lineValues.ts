/**
 * What the lines of an input ask for: of a JSON object the value in a field, of any other line what `Identifiers` of the
 * streams makes of it, of a line of `--errors` what it asks again for.
 *
 * What is no value at all, as an object without the field, goes on with its fault, for the run to count.
 */
import { type Ndjson, RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { CommandFailure, usage } from "../CommandFailure.ts"
import type { Carried } from "../output/joinedFields.ts"
import { ErrorsFile } from "./errorsFile.ts"
import { LineTally } from "./lineTally.ts"

const OPEN_OBJECT = 0x7b

/** Which field of an object is its value. */
export interface Key {
  /** The field or column the user named. */
  readonly given: string | undefined
  /** The fields of the endpoint's own, of which the first that an object has counts. */
  readonly own: ReadonlyArray<string>
  /**
   * The fields of the object that its value takes with it, under their new names; `all` is for the rows that a line of
   * `--errors` carries. Default: none.
   */
  readonly keep?: ReadonlyArray<Carried> | "all"
}

/** A line that could not be read: what it holds, and why. */
export interface Unread {
  readonly line: number
  readonly text: string
  readonly fault: string
}

/** A line of an input. */
export type Line = Ndjson.NumberedRecord | Unread

/**
 * The values of records and other lines; fails where no line at all has one for want of the right field. What holds no value
 * goes to `tally`.
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
            tally.end()
            const message = complaint()
            return message === undefined ? Stream.empty : Stream.fail(usage(message))
          })
        )
      )
    }).pipe(Stream.unwrap)

interface Reader {
  /** The value of a line, undefined where it has none, or why the input cannot be read. */
  readonly read: (line: Line) => Identifiers.Identifier | CommandFailure | undefined
  /** What to say of an input of which no line had a value; undefined where one had, or none was an object. */
  readonly complaint: () => string | undefined
}

const reader = (key: Key, { isRequired, outcomes }: ErrorsFile, tally: LineTally): Reader => {
  const fields = key.given === undefined ? key.own : [key.given]
  const keep = keptOf(key)
  const names = keep.map(({ name }) => name)
  let complaint: string | undefined
  let isUsable = false
  let isObjects = false

  /** A value with what it takes along, from an object that has it under the names of its records. */
  const withNamed = (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier =>
    key.keep === "all"
      ? { ...value, carried: object }
      : keep.length === 0
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
  /** What a line of `--errors` is asked for with: the line and the fields of the input that it came from. */
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
    const hint = `say with --key FIELD which ${lacking === "" ? "of its fields to use" : "one to use"}`
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

/** What a value takes along. */
export const keptOf = ({ keep = [] }: Key): ReadonlyArray<Carried> => (keep === "all" ? [] : keep)

/** Why `--keep` has nothing to take. */
export const nothingToKeep = (what: string): string =>
  `--keep takes fields of JSON objects or columns of a table, and ${what} is neither: give NDJSON, or --key COLUMN with a file named .csv or .tsv, or leave it out`

/** What a line of `--errors` says of an identifier. */
interface Problem {
  readonly id: string
  readonly outcome: string
  /** The line of the input that it was about; 0 where it does not say. */
  readonly line: number
  readonly given: string | undefined
  readonly carried: RawRecord.RawRecord | undefined
}

/** Reads a line of `--errors`: `"surplus"` when it is about a record that belongs to no identifier. */
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
  `line ${line} is none that --errors writes: {"id","outcome","error","line"}`
