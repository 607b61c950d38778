/**
 * Joins the fields of a second file to records (`--join`, `--on`, `--add`), and reports which records have no match.
 *
 * `recordTransforms.ts` applies it before the other options.
 */
import { Quote } from "@chemstream/api"
import { RawRecord, Transform } from "@chemstream/ndjson"
import { Effect, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import type * as TransformFlags from "../flags/transformFlags.ts"
import { find } from "../input/identifierCheck.ts"
import type { KeptField } from "../output/joinedFields.ts"
import * as Messages from "../terminal/messages.ts"
import { count, counted } from "../terminal/quantities.ts"
import { fieldsOf, watch } from "./absentFields.ts"
import * as RecordReader from "./recordReader.ts"
import { named } from "./transformFailure.ts"

type Raw = RawRecord.RawRecord

type Records = Stream.Stream<Raw, CommandFailure>

/** Opens the other file, and returns the change that joins it. */
export const joinOf = (
  file: string,
  { add, on }: Pick<TransformFlags.Given, "add" | "on">
): Effect.Effect<(records: Records) => Records, CommandFailure, Scope.Scope> =>
  Effect.map(RecordReader.open(file, {}), (other) => {
    const keys = on ?? []
    const tableOn = keys.map(({ name }) => name)
    const added = addition(file, tableOn, add)
    return (records) => {
      const rows = { read: 0, matched: 0, written: 0 }
      const unmatched = { count: 0, first: "" }
      let read = 0
      const combine: typeof added = (record, row) => {
        rows.written++
        if (row !== undefined) rows.matched++
        else if (unmatched.count++ === 0) unmatched.first = keyText(record, keys)
        return added(record, row)
      }
      return Stream.mapEffect(
        records.pipe(
          watch(
            "--on",
            keys.map(({ field }) => field)
          ),
          Stream.tap(() => Effect.sync(() => read++)),
          Transform.join({
            table: other.records.pipe(
              Stream.tap(() => Effect.sync(() => rows.read++)),
              watch(`--join ${file}`, tableOn),
              watch(
                `--add of ${file}`,
                (add ?? []).map(({ field }) => field),
                { warns: true }
              )
            ),
            on: keys.map(({ field }) => textKey(field)),
            tableOn: tableOn.map(textKey),
            kind: "left",
            combine
          }),
          named
        ),
        (joined) => Effect.fromResult(joined)
      ).pipe(
        Stream.onEnd(
          Effect.sync(() => {
            const left = other.leftOut?.()
            if (left !== undefined) Messages.say(`chemstream: warning: --join: ${left}\n`)
            if (rows.matched === 0) Messages.say(`chemstream: warning: ${nothingAdded(file, rows.read)}\n`)
            if (unmatched.count > 0 && rows.read > 0)
              Messages.say(
                `chemstream: --join ${file}: ${count(unmatched.count)} of ${counted(read, "record")} ${unmatched.count === 1 ? "has" : "have"} no match, the first with ${unmatched.first}\n`
              )
            if (rows.written > read)
              Messages.say(
                `chemstream: --join ${file}: ${counted(read, "record")} became ${count(rows.written)}, because several of its records have the same --on. To keep one of each: convert with --top 1, --by and --per before\n`
              )
          })
        )
      )
    }
  })

const nothingAdded = (file: string, rows: number): string =>
  rows === 0
    ? `--join ${file} has no records, so nothing was added`
    : `--join ${file}: none of its records has the same --on as a record, so nothing was added`

/** Returns the key of a record, and how a damaged identifier in it is read: a join compares texts as they are. */
const keyText = (record: Raw, keys: ReadonlyArray<KeptField>): string =>
  keys
    .map(({ field }) => {
      const key = textKey(field)(record)
      if (typeof key !== "string") return `no ${field}`
      const { message, suggestion } = find(key, "auto")
      const repair = suggestion === null ? "" : `, which is ${message ?? `read as ${suggestion}`}`
      return `${field} ${Quote.value(key)}${repair}`
    })
    .join(" and ")

/** Reads a key. A number equals its text, as in a table of text, and an empty cell is no key. */
const textKey =
  (field: string) =>
  (record: Raw): Transform.Key => {
    const value = RawRecord.value(record, field)
    if (RawRecord.isRawRecord(value)) return RawRecord.toText(value)
    if (value === "") return undefined
    return typeof value === "number" ? String(value) : value
  }

/** Adds the fields of a row to a record. */
const addition = (file: string, keys: ReadonlyArray<string>, add: ReadonlyArray<KeptField> | undefined) => {
  const names = new Map(add?.map(({ field, name }) => [field, name]))
  return (record: Raw, row: Raw | undefined): Result.Result<Raw, CommandFailure> => {
    const own = fieldsOf(record)
    const others = row === undefined ? [] : fieldsOf(row)
    const fields =
      add === undefined
        ? others.filter(([name]) => !keys.includes(name))
        : add.map(
            ({ field, name }) => [name, others.findLast(([key]) => key === field)?.[1] ?? none] as const
          )
    const taken = fields.find(([name]) => own.some(([known]) => known === name))?.[0]
    if (taken !== undefined)
      return Result.fail(
        usageFailure(
          `the records and ${file} both have a field ${Quote.value(taken)}: choose the fields to add and their names, e.g. --add ${names.get(taken) ?? taken}=other_${taken}`
        )
      )
    return Result.mapError(RawRecord.prepend(empty, [...own, ...fields]), ({ message }) =>
      usageFailure(message)
    )
  }
}

const none = RawRecord.fromText("null")

const empty = RawRecord.fromText("{}")
