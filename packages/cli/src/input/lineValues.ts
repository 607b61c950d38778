/**
 * Reads the values of input lines. A value is a field of a JSON object, the identifier of an errors-file line, or the text of any other
 * line. `Identifiers` of the stream package reads that text.
 *
 * A line without a value, e.g. an object without the field, is passed on with its fault, so that the run counts it.
 */
import { Quote } from "@chemstream/api"
import { type Ndjson, RawRecord } from "@chemstream/ndjson"
import { Identifiers } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { CommandFailure, usageFailure } from "../CommandFailure.ts"
import type { KeptField } from "../output/joinedFields.ts"
import { ErrorsFile } from "./errorsFile.ts"
import {
  kindOf,
  lineOf,
  noField,
  noJson,
  noObject,
  nothingToKeep,
  notOfErrors,
  notOneValue
} from "./lineFaults.ts"
import { LineTally } from "./lineTally.ts"
import * as RowDetection from "./rowDetection.ts"

const OPEN_OBJECT = 0x7b

/** The field of an object with the value. */
export interface Key {
  /** The field or column of `--key`. */
  readonly given: string | undefined
  /** The option that names the field. Default: `--key`. */
  readonly option?: string | undefined
  /** The default fields of the endpoint. The first field that an object has gives the value. */
  readonly own: ReadonlyArray<string>
  /**
   * The fields to carry with the value, under their new names. `all` keeps whole rows, which only errors files have. Default: none.
   */
  readonly keep?: ReadonlyArray<KeptField> | "all"
  /** The separator of several identifiers in a value. Default: none. */
  readonly split?: string | undefined
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
      const reader = new Reader(key, errorsFile, tally)
      return numbered.pipe(
        Stream.chunks,
        Stream.mapEffect((lines) => {
          const found: Array<Identifiers.Identifier> = []
          for (const line of lines) {
            tally.addLine(line.line)
            const value = reader.read(line)
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
            const message = reader.complaint
            return message === undefined ? Stream.empty : Stream.fail(usageFailure(message))
          })
        )
      )
    }).pipe(Stream.unwrap)

/** The result of one line: its value, undefined if it has none, or the failure of the whole input. */
type Value = Identifiers.Identifier | CommandFailure | undefined

/** Reads the values of the lines of one input. */
class Reader {
  readonly #errorsFile: ErrorsFile
  readonly #fields: ReadonlyArray<string>
  readonly #keeper: ReturnType<typeof fieldKeeper>
  readonly #key: Key
  readonly #tally: LineTally
  /** The error of the first line without a value. */
  #complaint: string | undefined
  /** Whether a line had a value. */
  #isUsable = false
  #hasObjects = false

  constructor(key: Key, errorsFile: ErrorsFile, tally: LineTally) {
    this.#key = key
    this.#errorsFile = errorsFile
    this.#tally = tally
    this.#fields = key.given === undefined ? key.own : [key.given]
    this.#keeper = fieldKeeper(key)
  }

  read(one: Line): Value {
    if ("fault" in one) return this.#ofFaultyLine(one)
    const { line, record } = one
    if (RawRecord.toBytes(record)[0] === OPEN_OBJECT) return this.#ofObject(record, line)
    const text = RawRecord.toText(record).trim()
    return text.startsWith("{") ? this.#ofObject(RawRecord.fromText(text), line) : this.#ofText(text, line)
  }

  /** The failure of an input without any value. Undefined if a line had a value, or no line was an object. */
  get complaint(): string | undefined {
    return this.#isUsable ? undefined : this.#complaint
  }

  #ofText(text: string, line: number): Value {
    const value = Identifiers.fromLine(text, line)
    if (value === undefined) {
      if (Identifiers.isComment(text)) this.#tally.comments++
      else this.#tally.blank++
      return undefined
    }
    if (this.#errorsFile.isRequired) return usageFailure(notOfErrors(line))
    const { given } = this.#key
    if (given !== undefined && !this.#hasObjects) return usageFailure(noObject(line))
    // Only the first value shows what the input is. Later lines are counted as invalid.
    const cells = this.#isUsable ? undefined : RowDetection.cellsOf(text, this.#key.split)
    if (cells !== undefined) return usageFailure(notOneValue(cells, line, this.#key.option))
    this.#isUsable = true
    return keptFields(this.#key).length > 0 ? usageFailure(nothingToKeep(`line ${line}`)) : value
  }

  #ofObject(object: RawRecord.RawRecord, line: number): Value {
    this.#hasObjects = true
    if (this.#errorsFile.isRequired) {
      const problem = errorsLineOf(object)
      return problem === undefined ? usageFailure(notOfErrors(line)) : this.#ofErrorsLine(problem)
    }
    const value = fieldValue(object, this.#fields, line)
    if (value !== undefined) {
      if (!value.isJson) return value.identifier
      this.#isUsable = true
      return this.#keeper.byField(value.identifier, object)
    }
    const problem = this.#key.given === undefined ? errorsLineOf(object) : undefined
    if (problem !== undefined) {
      this.#isUsable = true
      return this.#ofErrorsLine(problem)
    }
    const { error, fault } = noField(this.#fields, line, this.#key.option)
    this.#complaint ??= error
    return this.#keeper.byField({ text: "", line, fault }, object)
  }

  /** Reads a value from a line of an errors file, with the line number and fields of the original input. */
  #ofErrorsLine(problem: ErrorsLine | "surplus"): Value {
    if (problem !== "surplus" && this.#errorsFile.outcomes.has(problem.outcome)) {
      const { carried = emptyObject, given, id, line } = problem
      return this.#keeper.byName({ text: given ?? id, line }, carried)
    }
    this.#tally.outcomes++
    return undefined
  }

  #ofFaultyLine({ fault, line, text }: FaultyLine): Value {
    if (this.#errorsFile.isRequired) return usageFailure(notOfErrors(line))
    this.#complaint ??= `in line ${line} ${fault}`
    return this.#keeper.byName({ text: Identifiers.ofValue(text), line, fault }, emptyObject)
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
    const text = typeof value === "string" ? Identifiers.ofValue(value) : digits(object, field, value)
    return { isJson: true, identifier: { text, line } }
  }
  if (Result.isFailure(RawRecord.check(object))) {
    return {
      isJson: false,
      identifier: { text: Identifiers.ofValue(lineOf(object)), line, fault: noJson(object) }
    }
  }
  if (field === undefined) return undefined
  const fault = `the field ${Quote.value(field)} of the object is ${kindOf(value)}`
  return { isJson: true, identifier: { text: "", line, fault } }
}

/** Adds the fields of `--keep` to identifiers. */
const fieldKeeper = (key: Key) => {
  const keep = keptFields(key)
  const names = keep.map(({ name }) => name)
  return {
    /** Adds the fields by their new names, from a line of an errors file. */
    byName: (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier => {
      if (key.keep === "all") return { ...value, carried: object }
      if (keep.length === 0) return value
      const picked = RawRecord.pick(object, names, { missing: "null" })
      return { ...value, carried: Result.getOrElse(picked, () => object) }
    },
    /** Adds the fields by their names in the input, from an object of the input. */
    byField: (value: Identifiers.Identifier, object: RawRecord.RawRecord): Identifiers.Identifier => {
      if (keep.length === 0) return value
      const entries = RawRecord.entries(object)
      if (Result.isFailure(entries))
        return { ...value, text: Identifiers.ofValue(lineOf(object)), fault: noJson(object) }
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

/** A line of an errors file: an identifier with its outcome. */
interface ErrorsLine {
  readonly id: string
  readonly outcome: string
  /** The line of the original input. 0: unknown. */
  readonly line: number
  readonly given: string | undefined
  readonly carried: RawRecord.RawRecord | undefined
}

/** Parses a line of an errors file. `"surplus"`: the line is about a surplus record. */
const errorsLineOf = (object: RawRecord.RawRecord): ErrorsLine | "surplus" | undefined => {
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
