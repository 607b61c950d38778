/**
 * Applies the options that change records (`flags/transformFlags.ts`) with the transforms of the ndjson package.
 *
 * `recordJoin.ts` joins a second file, and `absentFields.ts` reports the fields that no record has.
 */
import { Quote } from "@chemstream/api"
import { RawRecord, TextNumbers, Transform } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as FieldPaths from "../fields/fieldPaths.ts"
import type * as TransformFlags from "../flags/transformFlags.ts"
import { didYouMean } from "../help/nameSuggestions.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"
import { fieldsOf, mostNames, watch, watchNumbers } from "./absentFields.ts"
import { joinOf } from "./recordJoin.ts"
import { named } from "./transformFailure.ts"

type Raw = RawRecord.RawRecord

type Records = Stream.Stream<Raw, CommandFailure>

/** Changes records. */
type Change = (records: Records) => Records

/** The options, prepared. */
export interface Transforms {
  /** Undefined: no option is given. */
  readonly change: Change | undefined
  /** The header of a table without records, for the columns of the input. Call it after all records. */
  readonly header: (columns: ReadonlyArray<string>) => ReadonlyArray<string>
}

type Given = TransformFlags.Given

/** Prepares the options. Opens the file of `--join`. */
export const open = (given: Given): Effect.Effect<Transforms, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const problem = misuse(given)
    if (problem !== undefined) return yield* usageFailure(problem)
    const leftOut = new Set<string>()
    const steps = [
      ...(given.join === undefined ? [] : [joinOf(given.join, given)]),
      ...(given.flat ? [Effect.succeed<Change>((records) => records.pipe(Transform.flat(), named))] : []),
      ...[whereOf(given, leftOut), topOf(given), wideOf(given), selectionOf(given)].filter(
        (step) => step !== undefined
      )
    ]
    const changes = yield* Effect.all(steps)
    const rows = given.wide && rowsOf(given, given.wide)
    return {
      change:
        changes.length === 0
          ? undefined
          : (records) => changes.reduce((changed, change) => change(changed), records),
      header: (columns) => given.fields ?? rows ?? (leftOut.size > 0 ? [...leftOut] : columns)
    }
  })

/** Says which option needs another one. */
const misuse = (given: Given): string | undefined => {
  const { add, by, join, on, per, top, wide } = given
  if (join !== undefined && on === undefined)
    return "--join needs the fields that both files have: --on FIELD"
  if (join === undefined && (on !== undefined || add !== undefined))
    return "--on and --add are about a second file: add --join FILE"
  if (top !== undefined && by === undefined) return "--top needs an order: add --by FIELD, or --by FIELD:desc"
  if (per !== undefined && top === undefined && wide === undefined)
    return "--per is for --top N or --wide NAME=VALUE: add one of them"
  if (wide !== undefined && rowsOf(given, wide).length === 0)
    return "--wide needs rows: name their fields with --per, besides those of the columns"
  return undefined
}

/** The fields of the rows of a wide table. The groups of --top may be finer. */
const rowsOf = ({ per }: Given, { name }: TransformFlags.Wide): ReadonlyArray<string> =>
  (per ?? ["dtxsid"]).filter((field) => !name.includes(field))

/** `leftOut` gets the fields of the records that are left out before the first one is kept: the header, if none is. */
const whereOf = ({ where }: Given, leftOut: Set<string>): Effect.Effect<Change> | undefined => {
  if (where.length === 0) return undefined
  // A field that is empty, or not, need not exist.
  const comparisons = where.filter(({ value }) => value !== "")
  const emptiness = where.filter(({ value }) => value === "")
  return Effect.succeed((records) =>
    Stream.suspend(() => {
      let read = 0
      let isKept = false
      const look = (record: Raw): Raw => {
        read++
        if (!isKept && leftOut.size < mostNames) for (const [name] of fieldsOf(record)) leftOut.add(name)
        return record
      }
      const keep = (record: Raw): Raw => {
        isKept = true
        return record
      }
      const warn = Effect.sync(() => {
        if (!isKept) Messages.say(`chemstream: warning: --where: ${nothingKept(where, read)}\n`)
      })
      return records.pipe(
        watch("--where", namesOf(comparisons)),
        watch("--where", namesOf(emptiness), { warns: true }),
        watchNumbers("--where", namesOf(comparisons.filter(isNumeric))),
        Stream.map(look),
        Transform.where<Raw, string>(...where),
        named,
        Stream.map(keep),
        Stream.onEnd(warn)
      )
    })
  )
}

const namesOf = (conditions: Given["where"]): ReadonlyArray<string> => conditions.map(({ field }) => field)

/** Whether a condition compares the order of numbers. */
const isNumeric = ({ operator, value }: TransformFlags.Where): boolean =>
  operator !== "=" && operator !== "!=" && TextNumbers.parse(String(value)) !== undefined

const nothingKept = (where: Given["where"], read: number): string => {
  const conditions = where.map(({ field, operator, value }) => `${field} ${operator} ${value}`).join(" and ")
  return read === 0
    ? `no record was read, so none has ${conditions}`
    : `none of the ${counted(read, "record")} read has ${conditions}`
}

const topOf = ({ by, per, top }: Given): Effect.Effect<Change> | undefined => {
  if (by === undefined) return undefined
  const { direction, field } = by
  // Numbers first, then texts.
  const order = [
    { by: (record: Raw) => keyOf(record, field, "number"), direction },
    { by: (record: Raw) => keyOf(record, field, "string"), direction }
  ]
  return Effect.succeed((records) => {
    const watched = records.pipe(
      watch("--by", [field]),
      watchNumbers("--by", [field]),
      watch("--per", top === undefined ? [] : (per ?? []))
    )
    return top === undefined
      ? watched.pipe(Transform.sortBy(order), named, Stream.provide(NodeServices.layer))
      : watched.pipe(Transform.topBy({ count: top, order, per }), named)
  })
}

/** Reads a value to order by. A text that is a number is one. */
const keyOf = (record: Raw, field: string, type: "number" | "string"): Transform.Key => {
  const value = RawRecord.value(record, field)
  const key = typeof value === "string" ? (TextNumbers.parse(value) ?? value) : value
  if (RawRecord.isRawRecord(key)) return type === "string" ? RawRecord.toText(key) : undefined
  if (typeof key === "boolean") return type === "string" ? String(key) : undefined
  return typeof key === type && key !== "" ? key : undefined
}

const wideOf = (given: Given): Effect.Effect<Change> | undefined => {
  if (given.wide === undefined) return undefined
  const { name, value } = given.wide
  const per = rowsOf(given, given.wide)
  const [first = ""] = name
  const nameless = (index: number, known: ReadonlyArray<string>): string => {
    const meant = known.includes(first) ? "" : didYouMean(first, known)
    const advice =
      meant === "" ? `. Leave such records out: --where '${first} !=', or name another field` : meant
    return `--wide: record ${(index + 1).toLocaleString("en-US")} has a value, but no name for its column in ${Quote.value(first)}${advice}`
  }
  return Effect.succeed((records) =>
    Stream.suspend(() => {
      let known: ReadonlyArray<string> = []
      return records.pipe(
        Stream.map((record) => {
          if (known.length === 0) known = fieldsOf(record).map(([field]) => field)
          return record
        }),
        watch("--wide", [...name, value]),
        watch("--per", per),
        Transform.wide<Raw, string>({ name, value, per }),
        Stream.mapError((error) =>
          error._tag === "TransformError" && error.reason === "no-name"
            ? usageFailure(nameless(error.index ?? 0, known))
            : error
        ),
        named
      )
    })
  )
}

const selectionOf = ({ fields }: Given): Effect.Effect<Change> | undefined =>
  fields &&
  Effect.succeed((records: Records) =>
    records.pipe(
      watch("--fields", fields, { rootOf: FieldPaths.rootOf, warns: true }),
      Stream.map(FieldPaths.picker(fields))
    )
  )
