/**
 * Reads the values of input lines: a field of a JSON object, the identifier of an errors-file line, or the text of any other line as
 * `Identifiers` of the stream package reads it.
 *
 * A line without a value, e.g. an object without the field, is passed on with its fault, so that the run counts it.
 */
import { type Ndjson, RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Identifiers as Read } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { CommandFailure, usageFailure } from "../CommandFailure.ts"
import type { KeptField } from "../output/joinedFields.ts"
import { ErrorsFile } from "./errorsFile.ts"
import { type Problem, problemOf } from "./errorsFileLine.ts"
import { kindOf, lineOf, noField, noJson, noObject, nothingToKeep, notOfErrors } from "./lineFaults.ts"
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
  readonly keep?: ReadonlyArray<KeptField> | "all"
}

/** A line without a value: its text, and the reason. */
export interface FaultyLine {
  readonly line: number
  readonly text: string
  readonly fault: string
}

/** A line of an input. */
export type Line = Ndjson.NumberedRecord | FaultyLine

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
            tally.addLine(line.line)
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
            return message === undefined ? Stream.empty : Stream.fail(usageFailure(message))
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

/** The result of one line: its value, undefined if it has none, or the failure of the whole input. */
type Value = Identifiers.Identifier | CommandFailure | undefined

const reader = (key: Key, { isRequired, outcomes }: ErrorsFile, tally: LineTally): Reader => {
  const fields = key.given === undefined ? key.own : [key.given]
  const keeper = fieldKeeper(key)
  let complaint: string | undefined
  let isUsable = false
  let isObjects = false

  /** Reads a value from a line of an errors file, with the line number and fields of the original input. */
  const ofProblem = (problem: Problem | "surplus"): Value => {
    if (problem !== "surplus" && outcomes.has(problem.outcome)) {
      const { carried = emptyObject, given, id, line } = problem
      return keeper.byName({ text: given ?? id, line }, carried)
    }
    tally.outcomes++
    return undefined
  }

  const ofText = (text: string, line: number): Value => {
    const value = Read.fromLine(text, line)
    if (value === undefined) {
      tally.addNoValue(text)
      return undefined
    }
    if (isRequired) return usageFailure(notOfErrors(line))
    if (key.given !== undefined && !isObjects) return usageFailure(noObject(text, line, key.given))
    isUsable = true
    return keptFields(key).length > 0 ? usageFailure(nothingToKeep(`line ${line}`)) : value
  }

  const ofObject = (object: RawRecord.RawRecord, line: number): Value => {
    isObjects = true
    if (isRequired) {
      const problem = problemOf(object)
      return problem === undefined ? usageFailure(notOfErrors(line)) : ofProblem(problem)
    }
    const value = fieldValue(object, fields, line)
    if (value !== undefined) {
      if (!value.isJson) return value.identifier
      isUsable = true
      return keeper.byField(value.identifier, object)
    }
    const problem = key.given === undefined ? problemOf(object) : undefined
    if (problem !== undefined) {
      isUsable = true
      return ofProblem(problem)
    }
    const { error, fault } = noField(fields, line)
    complaint ??= error
    return keeper.byField({ text: "", line, fault }, object)
  }

  const ofFaultyLine = ({ fault, line, text }: FaultyLine): Value => {
    if (isRequired) return usageFailure(notOfErrors(line))
    complaint ??= `in line ${line} ${fault}`
    return keeper.byName({ text: Read.ofValue(text), line, fault }, emptyObject)
  }

  return {
    read: (one) => {
      if ("fault" in one) return ofFaultyLine(one)
      const { line, record } = one
      const isObject = RawRecord.toBytes(record)[0] === OPEN_OBJECT
      const text = isObject ? "" : RawRecord.toText(record).trim()
      if (isObject) return ofObject(record, line)
      return text.startsWith("{") ? ofObject(RawRecord.fromText(text), line) : ofText(text, line)
    },
    complaint: () => (isUsable ? undefined : complaint)
  }
}

/** Reads the value of an object, or its fault. Undefined: the object has none of the fields. */
const fieldValue = (
  object: RawRecord.RawRecord,
  fields: ReadonlyArray<string>,
  line: number
): { readonly isJson: boolean; readonly identifier: Identifiers.Identifier } | undefined => {
  const field = fields.find((name) => RawRecord.value(object, name) !== undefined)
  const value = field === undefined ? undefined : RawRecord.value(object, field)
  if (field !== undefined && (typeof value === "string" || typeof value === "number")) {
    const text = typeof value === "string" ? Read.ofValue(value) : digits(object, field, value)
    return { isJson: true, identifier: { text, line } }
  }
  if (Result.isFailure(RawRecord.check(object))) {
    return { isJson: false, identifier: { text: Read.ofValue(lineOf(object)), line, fault: noJson(object) } }
  }
  if (field === undefined) return undefined
  const fault = `the field ${JSON.stringify(field)} of the object is ${kindOf(value)}`
  return { isJson: true, identifier: { text: "", line, fault } }
}

/** Adds the fields of `--keep` to identifiers. */
const fieldKeeper = (key: Key) => {
  const keep = keptFields(key)
  const names = keep.map(({ name }) => name)
  return {
    /** From an object with the field names of records. */
    byName: (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier => {
      if (key.keep === "all") return { ...value, carried: object }
      if (keep.length === 0) return value
      const picked = RawRecord.pick(object, names, { missing: "null" })
      return { ...value, carried: Result.getOrElse(picked, () => object) }
    },
    /** From an object of the user. */
    byField: (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier => {
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

/** Returns the carried fields of an object. */
export const keptFields = ({ keep = [] }: Key): ReadonlyArray<KeptField> => (keep === "all" ? [] : keep)
