/**
 * Reports, after all records, the fields of an option that no record had, and numbers that would compare as text.
 *
 * A field that no record has is most likely misspelt.
 */
import { Quote } from "@chemstream/api"
import { RawRecord, TextNumbers } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as TransformFlags from "../flags/transformFlags.ts"
import { unknownField } from "../help/nameSuggestions.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"

type Raw = RawRecord.RawRecord

type Records = Stream.Stream<Raw, CommandFailure>

/** Returns the fields of a record with their values. */
export const fieldsOf = (record: Raw): ReadonlyArray<readonly [string, Raw]> =>
  Result.getOrElse(RawRecord.entries(record), () => []).map(({ key, value }) => [key, value])

/**
 * Fails at the end if no record had one of the fields, because it is most likely misspelt. `warns`: only warns, because the fields need not
 * exist. A path counts by `rootOf`.
 */
export const watch =
  (
    option: string,
    fields: ReadonlyArray<string>,
    { rootOf = (name: string): string => name, warns = false } = {}
  ) =>
  (records: Records): Records =>
    Stream.suspend(() => {
      const lacking = new Set(fields)
      const known = new Set<string>()
      const look = (record: Raw): Raw => {
        if (lacking.size === 0) return record
        const names = new Set(fieldsOf(record).map(([name]) => name))
        for (const name of lacking) if (names.has(name) || names.has(rootOf(name))) lacking.delete(name)
        for (const name of names) if (known.size < mostNames) known.add(name)
        return record
      }
      const end = Effect.suspend(() => {
        if (known.size === 0 || lacking.size === 0) return Effect.void
        const isPath = [...lacking].some((name) => name.includes("."))
        const words = `${unknownField(option, [...lacking], known)}${isPath ? "; --flat makes fields of nested objects" : ""}`
        if (!warns) return usageFailure(words)
        Messages.say(`chemstream: warning: ${words}\n`)
        return Effect.void
      })
      return records.pipe(Stream.map(look), Stream.onEnd(end))
    })

/** Fails at the end if the numbers of a field have decimal commas: they would compare as text. */
export const watchNumbers =
  (option: string, fields: ReadonlyArray<string>) =>
  (records: Records): Records =>
    Stream.suspend(() => {
      const columns = fields.map((field) => ({ field, commas: 0, others: 0, first: "" }))
      const look = (record: Raw): Raw => {
        for (const column of columns) {
          const value = RawRecord.value(record, column.field)
          if (typeof value !== "string" || value === "" || TextNumbers.parse(value) !== undefined) continue
          if (!TransformFlags.isDecimalComma(value)) column.others++
          else if (column.commas++ === 0) column.first = value
        }
        return record
      }
      const end = Effect.suspend(() => {
        const wrong = columns.find(({ commas, others }) => commas > 0 && commas >= others)
        return wrong === undefined
          ? Effect.void
          : usageFailure(
              `${option}: ${counted(wrong.commas, "value")} of ${Quote.value(wrong.field)} ${wrong.commas === 1 ? "has" : "have"} a decimal comma, the first is ${wrong.first}, and would compare as text. Write a point instead, or convert the workbook (.xlsx), whose numbers have none`
            )
      })
      return fields.length === 0 ? records : records.pipe(Stream.map(look), Stream.onEnd(end))
    })

/** The most names of fields to suggest from. */
export const mostNames = 1000
