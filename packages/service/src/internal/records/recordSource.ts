/**
 * Reads the records of an endpoint from a store: from the generic table, by endpoint and key, or from a table of its own.
 * Also says which of them a request selects, and in which form (`shapeOf`), and which values are rows (`rowKind`).
 */
import type { Row } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect, Option } from "effect"
import { type Cursor, type Page, type Store, type StoredRecord, type StoreError, start } from "../../Store.ts"
import * as flatSynonyms from "./flatSynonyms.ts"
import type { Pages, Project } from "./jsonResponses.ts"
import * as plotPoint from "./plotPoint.ts"

/** The endpoints with a table of their own, because counts and summaries need it. */
const tables: Readonly<
  Record<
    string,
    (
      store: Store["Service"]
    ) => (values: ReadonlyArray<never>, from: Parameters<Pages>[0]) => ReturnType<Pages>
  >
> = {
  "bioactivity.byDtxsid": (store) => store.dataByDtxsid,
  "bioactivity.byAeid": (store) => store.dataByAeid,
  "bioactivity.bySpid": (store) => store.dataBySpid,
  "bioactivity.byM4id": (store) => store.dataByM4id
}

/** The row under whose name the records of an endpoint are stored: another row, if it has the same records by the same key. */
export const nameOf = ({ from, name }: Row.Row): string =>
  from !== undefined && from.key === undefined && from.value === undefined ? from.row : name

/** Synonyms come in the order of their substances, whatever the order of the request. */
const synonyms = "synonyms.byDtxsid"

/** Returns the pages of the records of some values. */
export const of = (store: Store["Service"], row: Row.Row): ((values: ReadonlyArray<unknown>) => Pages) => {
  const table = tables[row.name]?.(store)
  if (table === undefined) {
    return (values) => {
      const keys = values.map(String)
      if (row.name === synonyms) keys.sort()
      return (from) => store.records(nameOf(row), keys, from)
    }
  }
  const isNumber = row.name === "bioactivity.byAeid" || row.name === "bioactivity.byM4id"
  return (values) => {
    const keys = (isNumber ? values.map(Number) : values.map(String)) as unknown as ReadonlyArray<never>
    return (from) => table(keys, from)
  }
}

/** Returns the first record of some pages. */
export const first = (
  pages: (from: typeof start) => Effect.Effect<Page, StoreError>
): Effect.Effect<Option.Option<StoredRecord>> =>
  Effect.map(Effect.orDie(pages(start)), ({ records }) => Option.fromUndefinedOr(records[0]))

/** Whether the response to a value is all its records, in the order of the store. */
export const isWhole = ({ query, scalar }: Row.Row): boolean => query === undefined && scalar === undefined

/** Returns all records of pages. */
export const collect = (pages: Pages): Effect.Effect<ReadonlyArray<StoredRecord>> =>
  Effect.gen(function* () {
    const records: Array<StoredRecord> = []
    for (let from: Cursor | undefined = start; from !== undefined; ) {
      const page: Page = yield* Effect.orDie(pages(from))
      for (const record of page.records) records.push(record)
      from = page.next
    }
    return records
  })

/** Returns the records of pages that match the parameters of a request. Scalar values are distinct, and sorted as text. */
export const some = (
  row: Row.Row,
  pages: Pages,
  query: URLSearchParams
): Effect.Effect<ReadonlyArray<StoredRecord>> =>
  Effect.map(collect(pages), (records) => {
    const kept = records.filter(filterOf(row, query))
    return row.scalar === undefined ? kept : kept.sort((one, other) => Buffer.compare(one, other))
  })

/** Returns whether a record has the values of the parameters. Without one of them, no record is kept. */
const filterOf = ({ compared = {}, query = {} }: Row.Row, given: URLSearchParams) => {
  const wanted = Object.keys(query).map((name) => [compared[name] ?? name, given.get(name)] as const)
  return (record: StoredRecord): boolean => {
    if (wanted.length === 0) return true
    const fields = JSON.parse(new TextDecoder().decode(record)) as Readonly<Record<string, unknown>>
    return wanted.every(([name, value]) => value !== null && String(fields[name]) === value)
  }
}

/** How a form of the records is made of stored records: of each one, or a list of one. */
export interface Shape {
  readonly each?: Project
  readonly all?: Project
}

/** The forms that are computed, by endpoint and projection. Any other form has the records as imported. */
const shapes: Readonly<Record<string, Shape>> = {
  "bioactivity.byDtxsid assay-summary-plot": { each: plotPoint.fromRecord },
  "synonyms.byDtxsid ccd-synonyms": {
    all: (record) => new TextEncoder().encode(JSON.stringify(flatSynonyms.fromRecord(record)))
  }
}

/** Returns the shape of a projection. */
export const shapeOf = ({ name }: Row.Row, projection: unknown): Shape =>
  shapes[`${name} ${String(projection)}`] ?? {}

/** A row of the contract, or of a program. */
export const rowKind: Options.Kind<Row.Row> = /* @__PURE__ */ Options.kind(
  "a row, e.g. of Row.make",
  (value) => {
    const { get, name, record } = Object(value)
    return typeof name === "string" && typeof record === "function" && typeof get?.path === "string"
  }
)
