/**
 * Applies the options that change records (`flags/transformFlags.ts`) with the transforms of the ndjson package.
 *
 * A field that no record has is most likely misspelt, so each option that selects or orders by it fails at the end.
 */
import { Quote } from "@chemstream/api"
import { RawRecord, Transform } from "@chemstream/ndjson"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Option, Result, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as FieldPaths from "../fields/fieldPaths.ts"
import * as TransformFlags from "../flags/transformFlags.ts"
import { didYouMean, unknownField } from "../help/nearest.ts"
import { find } from "../input/identifierCheck.ts"
import type { KeptField } from "../output/joinedFields.ts"
import * as Messages from "../terminal/messages.ts"
import { count, counted } from "../terminal/quantities.ts"
import * as RecordInput from "./recordInput.ts"

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
    const dropped = new Set<string>()
    const steps = [
      ...Option.toArray(given.join).map((file) => joinOf(file, given)),
      ...(given.flat ? [Effect.succeed<Change>((records) => records.pipe(Transform.flat(), named))] : []),
      ...[whereOf(given, dropped), topOf(given), wideOf(given), fieldsOf(given)].filter(
        (step) => step !== undefined
      )
    ]
    const changes = yield* Effect.all(steps)
    const rows = Option.getOrUndefined(Option.map(given.wide, (wide) => rowsOf(given, wide)))
    return {
      change:
        changes.length === 0
          ? undefined
          : (records) => changes.reduce((changed, change) => change(changed), records),
      header: (columns) =>
        Option.getOrUndefined(given.fields) ?? rows ?? (dropped.size > 0 ? [...dropped] : columns)
    }
  })

/** Says which option needs another one. */
const misuse = (given: Given): string | undefined => {
  const { add, by, join, on, per, top, wide } = given
  if (Option.isSome(join) && Option.isNone(on))
    return "--join needs the fields that both files have: --on FIELD"
  if (Option.isNone(join) && (Option.isSome(on) || Option.isSome(add)))
    return "--on and --add are about a second file: add --join FILE"
  if (Option.isSome(top) && Option.isNone(by))
    return "--top needs an order: add --by FIELD, or --by FIELD:desc"
  if (Option.isSome(per) && Option.isNone(top) && Option.isNone(wide))
    return "--per is for --top N or --wide NAME=VALUE: add one of them"
  if (Option.isSome(wide) && rowsOf(given, wide.value).length === 0)
    return "--wide needs rows: name their fields with --per, besides those of the columns"
  return undefined
}

/** The fields of the rows of a wide table. The groups of --top may be finer. */
const rowsOf = ({ per }: Given, { name }: TransformFlags.Wide): ReadonlyArray<string> =>
  Option.getOrElse(per, () => ["dtxsid"]).filter((field) => !name.includes(field))

/** Names the option in an error of its transform. */
const named = <A, R>(
  records: Stream.Stream<A, CommandFailure | Transform.TransformError, R>
): Stream.Stream<A, CommandFailure, R> =>
  Stream.mapError(records, (error) =>
    error._tag === "CommandFailure" ? error : usageFailure(wordsOf(error))
  )

/** Says in the words of the options why a transform failed. */
const wordsOf = (error: Transform.TransformError): string => {
  const { field, index = 0, message, reason, transform } = error
  const option = optionOf[transform] ?? transform
  const record = `record ${(index + 1).toLocaleString("en-US")}`
  switch (reason) {
    case "too-large":
      return tooLarge(error)
    case "not-a-key":
      return `${option}: ${field === undefined ? "a value" : Quote.value(field)} of ${record} is a list or an object, which cannot be compared. Choose another field; --flat makes fields of nested objects`
    default:
      return `${option}: ${message.slice(message.startsWith(`${transform}: `) ? transform.length + 2 : 0).replace(`record ${index}`, record)}`
  }
}

const tooLarge = ({ index = 0, transform }: Transform.TransformError): string => {
  const columns =
    transform === "wide" ? `, or ${Transform.MAX_WIDE_COLUMNS.toLocaleString("en-US")} columns,` : ""
  return `${optionOf[transform] ?? transform} would hold more than 256 MiB${columns} at record ${(index + 1).toLocaleString("en-US")}. Reduce the records first, in a command before this one: convert with --where or --fields. Or load them into a database: chemstream convert FILE out.duckdb#table`
}

const optionOf: Readonly<Record<string, string>> = {
  flat: "--flat",
  join: "--on",
  "join table": "--join",
  sortBy: "--by",
  topBy: "--top",
  where: "--where",
  wide: "--wide"
}

const joinOf = (file: string, { add, on }: Given): Effect.Effect<Change, CommandFailure, Scope.Scope> =>
  Effect.map(RecordInput.open(file, {}), (other) => {
    const keys = Option.getOrElse(on, () => [])
    const tableOn = keys.map(({ name }) => name)
    const added = addition(file, tableOn, Option.getOrUndefined(add))
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
                Option.getOrElse(add, () => []).map(({ field }) => field),
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
        Stream.concat(
          Stream.suspend(() => {
            if (rows.matched === 0) Messages.say(`chemstream: warning: ${nothingAdded(file, rows.read)}\n`)
            if (unmatched.count > 0 && rows.read > 0)
              Messages.say(
                `chemstream: --join ${file}: ${count(unmatched.count)} of ${counted(read, "record")} ${unmatched.count === 1 ? "has" : "have"} no match, the first with ${unmatched.first}\n`
              )
            if (rows.written > read)
              Messages.say(
                `chemstream: --join ${file}: ${counted(read, "record")} became ${count(rows.written)}, because several of its records have the same --on. To keep one of each: convert with --top 1, --by and --per before\n`
              )
            return Stream.empty
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
    const own = entriesOf(record)
    const others = row === undefined ? [] : entriesOf(row)
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

const entriesOf = (record: Raw): ReadonlyArray<readonly [string, Raw]> =>
  Result.getOrElse(RawRecord.entries(record), () => []).map(({ key, value }) => [key, value])

/** `dropped` gets the fields of the records, until one is kept. */
const whereOf = ({ where }: Given, dropped: Set<string>): Effect.Effect<Change> | undefined => {
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
        if (!isKept && dropped.size < mostNames) for (const [name] of entriesOf(record)) dropped.add(name)
        return record
      }
      const keep = (record: Raw): Raw => {
        isKept = true
        return record
      }
      const warn = Stream.suspend(() => {
        if (!isKept) Messages.say(`chemstream: warning: --where: ${nothingKept(where, read)}\n`)
        return Stream.empty
      })
      return records.pipe(
        watch("--where", namesOf(comparisons)),
        watch("--where", namesOf(emptiness), { warns: true }),
        watchNumbers("--where", namesOf(comparisons.filter(isNumeric))),
        Stream.map(look),
        Transform.where<Raw, string>(...where),
        named,
        Stream.map(keep),
        Stream.concat(warn)
      )
    })
  )
}

const namesOf = (conditions: Given["where"]): ReadonlyArray<string> => conditions.map(({ field }) => field)

/** Whether a condition compares the order of numbers. */
const isNumeric = ({ operator, value }: TransformFlags.Where): boolean =>
  operator !== "=" && operator !== "!=" && Number.isFinite(Number(value))

const nothingKept = (where: Given["where"], read: number): string => {
  const conditions = where.map(({ field, operator, value }) => `${field} ${operator} ${value}`).join(" and ")
  return read === 0
    ? `no record was read, so none has ${conditions}`
    : `none of the ${counted(read, "record")} read has ${conditions}`
}

const topOf = ({ by, per, top }: Given): Effect.Effect<Change> | undefined => {
  if (Option.isNone(by)) return undefined
  const { direction, field } = by.value
  const groups = Option.getOrUndefined(per)
  const order = [
    { by: (record: Raw) => keyOf(record, field, "number"), direction },
    { by: (record: Raw) => keyOf(record, field, "string"), direction }
  ]
  return Effect.succeed((records) => {
    const watched = records.pipe(
      watch("--by", [field]),
      watchNumbers("--by", [field]),
      watch("--per", Option.isSome(top) ? (groups ?? []) : [])
    )
    return Option.match(top, {
      onNone: () => watched.pipe(Transform.sortBy(order), named, Stream.provide(NodeServices.layer)),
      onSome: (count) => watched.pipe(Transform.topBy({ count, order, per: groups }), named)
    })
  })
}

/** Reads a value to order by. A text that is a number is one. */
const keyOf = (record: Raw, field: string, type: "number" | "string"): Transform.Key => {
  const value = RawRecord.value(record, field)
  const key =
    typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value
  if (RawRecord.isRawRecord(key)) return type === "string" ? RawRecord.toText(key) : undefined
  if (typeof key === "boolean") return type === "string" ? String(key) : undefined
  return typeof key === type && key !== "" ? key : undefined
}

const wideOf = (given: Given): Effect.Effect<Change> | undefined => {
  if (Option.isNone(given.wide)) return undefined
  const { name, value } = given.wide.value
  const per = rowsOf(given, given.wide.value)
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
          if (known.length === 0) known = entriesOf(record).map(([field]) => field)
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

const fieldsOf = ({ fields }: Given): Effect.Effect<Change> | undefined =>
  Option.getOrUndefined(
    Option.map(fields, (names) =>
      Effect.succeed((records: Records) =>
        records.pipe(
          watch("--fields", names, { rootOf: FieldPaths.rootOf, warns: true }),
          Stream.map(FieldPaths.picker(names))
        )
      )
    )
  )

/**
 * Fails at the end if no record had one of the fields, because it is most likely misspelt. `warns`: only warns, because the fields need not
 * exist. A path counts by `rootOf`.
 */
const watch =
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
        const names = new Set(entriesOf(record).map(([name]) => name))
        for (const name of lacking) if (names.has(name) || names.has(rootOf(name))) lacking.delete(name)
        for (const name of names) if (known.size < mostNames) known.add(name)
        return record
      }
      const end = Stream.suspend((): Records => {
        if (known.size === 0 || lacking.size === 0) return Stream.empty
        const isPath = [...lacking].some((name) => name.includes("."))
        const words = `${unknownField(option, [...lacking], known)}${isPath ? "; --flat makes fields of nested objects" : ""}`
        if (!warns) return Stream.fail(usageFailure(words))
        Messages.say(`chemstream: warning: ${words}\n`)
        return Stream.empty
      })
      return records.pipe(Stream.map(look), Stream.concat(end))
    })

/** Fails at the end if the numbers of a field have decimal commas: they would compare as text. */
const watchNumbers =
  (option: string, fields: ReadonlyArray<string>) =>
  (records: Records): Records =>
    Stream.suspend(() => {
      const columns = fields.map((field) => ({ field, commas: 0, others: 0, first: "" }))
      const look = (record: Raw): Raw => {
        for (const column of columns) {
          const value = RawRecord.value(record, column.field)
          if (typeof value !== "string" || value === "" || Number.isFinite(Number(value))) continue
          if (!TransformFlags.isDecimalComma(value)) column.others++
          else if (column.commas++ === 0) column.first = value
        }
        return record
      }
      const end = Stream.suspend((): Records => {
        const wrong = columns.find(({ commas, others }) => commas > 0 && commas >= others)
        return wrong === undefined
          ? Stream.empty
          : Stream.fail(
              usageFailure(
                `${option}: ${counted(wrong.commas, "value")} of ${Quote.value(wrong.field)} ${wrong.commas === 1 ? "has" : "have"} a decimal comma, the first is ${wrong.first}, and would compare as text. Write a point instead, or convert the workbook (.xlsx), whose numbers have none`
              )
            )
      })
      return fields.length === 0 ? records : records.pipe(Stream.map(look), Stream.concat(end))
    })

/** The most names of fields to suggest from. */
const mostNames = 1000
