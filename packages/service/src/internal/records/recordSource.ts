/**
 * The records of a row in a store: those of the generic table by endpoint and key, or of a table of its own.
 */
import type { Row } from "@chemstream/api"
import { Effect, Option } from "effect"
import { type Page, type Store, type StoredRecord, type StoreError, start } from "../../Store.ts"
import * as flatSynonyms from "./flatSynonyms.ts"
import * as plotPoint from "./plotPoint.ts"
import type { Pages, Project } from "./recordPages.ts"

/** The rows with a table of their own, because counts and summaries need it. */
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

/** Synonyms come in the order of their substances, whatever the order of the request. */
const synonyms = "synonyms.byDtxsid"

/** Returns the pages of the records of some values. */
export const of = (store: Store["Service"], row: Row.Row): ((values: ReadonlyArray<unknown>) => Pages) => {
  const table = tables[row.name]?.(store)
  if (table === undefined) {
    return (values) => {
      const keys = values.map(String)
      if (row.name === synonyms) keys.sort()
      return (from) => store.records(row.name, keys, from)
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

/** How a form of the records is made of stored records: of each one, or a list of one. */
export interface Shape {
  readonly each?: Project
  readonly all?: Project
}

/** The forms that are computed, by row and projection. Any other form has the records as imported. */
const shapes: Readonly<Record<string, Shape>> = {
  "bioactivity.byDtxsid assay-summary-plot": { each: plotPoint.fromRecord },
  "synonyms.byDtxsid ccd-synonyms": {
    all: (record) => new TextEncoder().encode(JSON.stringify(flatSynonyms.fromRecord(record)))
  }
}

/** Returns the shape of a projection. */
export const shapeOf = ({ name }: Row.Row, projection: unknown): Shape =>
  shapes[`${name} ${String(projection)}`] ?? {}
