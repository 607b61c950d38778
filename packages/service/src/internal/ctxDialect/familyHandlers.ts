/**
 * Handles the rows whose responses are searched for in the records of other rows: lists of a substance, words in a list,
 * names of assays, and ranges of a property.
 */
import { Lists, MolecularFormula, type Row } from "@chemstream/api"
import { Effect, Option, Result } from "effect"
import type { StoredRecord } from "../../Store.ts"
import * as recordSource from "../records/recordSource.ts"
import { batch, type Context, type Handler, orDie } from "./handler.ts"
import { joined } from "./identifiers.ts"
import { json, list } from "./responses.ts"
import { formShapes } from "./rowHandlers.ts"

type Handlers = Readonly<Record<string, Handler>>

const none = new URLSearchParams()

const parse = (record: StoredRecord): unknown => JSON.parse(new TextDecoder().decode(record))

/** Returns all records of an endpoint and a key. */
const allOf = ({ store }: Context, row: Pick<Row.Row, "name">, key: string) =>
  recordSource.some({ name: row.name } as Row.Row, (from) => store.records(row.name, [key], from), none)

/** The handlers of lists. */
export const lists = (context: Context): Handlers => {
  const { store } = context
  const shapeOf = formShapes(Lists.byName)
  const withWord =
    (search: (word: string) => ReturnType<typeof store.searchEqual>): Handler =>
    ({ params: { list: name = "", word = "" } }) =>
      Effect.map(
        Effect.all([allOf(context, Lists.members, name), orDie(search(word))]),
        ([members, { json: hits }]) => {
          const found = new Set(
            (JSON.parse(new TextDecoder().decode(hits)) as ReadonlyArray<{ readonly dtxsid: string }>).map(
              ({ dtxsid }) => dtxsid
            )
          )
          const texts = members.map((member) => new TextDecoder().decode(member)).sort()
          return list(texts.filter((text) => found.has(JSON.parse(text))))
        }
      )
  return {
    of: ({ params: { dtxsid = "" }, query }) =>
      Effect.gen(function* () {
        const names = yield* allOf(context, Lists.of, dtxsid)
        const found = yield* Effect.forEach(names.map(parse).map(String).sort(), (name) =>
          recordSource.first((from) => store.records(Lists.byName.name, [name], from))
        )
        return list(found.flatMap(Option.toArray).map(shapeOf(query.get("projection") ?? "")))
      }),
    membersEqual: withWord(store.searchEqual),
    membersStartWith: withWord(store.searchStartWith),
    membersContain: withWord(store.searchContain)
  }
}

interface Named {
  readonly aeid: number
  readonly assayComponentEndpointName?: string | null
}

/** The most names that a search without the parameter `top` returns. */
const defaultTop = 500

/** The handlers of assays. */
export const assays = (context: Context): Handlers => {
  const all = allOf(context, { name: "assays.all" }, "")
  const search =
    (isHit: (name: string, word: string) => boolean): Handler =>
    ({ params: { assayName = "" }, query }) =>
      Effect.map(all, (records) => {
        const hits = records.flatMap((record) => {
          const { aeid, assayComponentEndpointName: name } = parse(record) as Named
          return typeof name === "string" && isHit(name.toUpperCase(), assayName.toUpperCase())
            ? [hitOf(aeid, name)]
            : []
        })
        const top = Number(query.get("top") ?? defaultTop)
        return list((top > 0 ? hits.slice(0, top) : hits).map((hit) => JSON.stringify(hit)))
      })
  return {
    count: () => Effect.map(all, (records) => json(String(records.length))),
    searchEqual: search((name, word) => name === word),
    searchStartWith: search((name, word) => name.startsWith(word)),
    searchContain: search((name, word) => name.includes(word))
  }
}

const hitOf = (aeid: number, name: string) => ({
  id: aeid,
  aeid,
  searchName: "Assay Component Endpoint Name",
  searchValue: name,
  searchValueDesc: null,
  modifiedValue: name.toUpperCase()
})

/** The handlers of properties. */
export const properties = (context: Context): Handlers => {
  const inRange =
    (name: Row.Row["name"]): Handler =>
    ({ params: { propertyName = "", start = "", end = "" } }) =>
      Effect.map(allOf(context, { name }, propertyName), (records) =>
        list(
          records
            .filter((record) => {
              const { propValue } = parse(record) as { readonly propValue?: unknown }
              return typeof propValue === "number" && propValue >= Number(start) && propValue <= Number(end)
            })
            .map((record) => new TextDecoder().decode(record))
        )
      )
  return {
    predictedInRange: inRange("properties.predictedInRange"),
    experimentalInRange: inRange("properties.experimentalInRange")
  }
}

/** The handlers of the search by several formulas. */
export const extra = (context: Context): Handlers => ({
  byMsreadyFormulas: batch(context, undefined, (formulas) =>
    Effect.map(
      Effect.forEach([...new Set(formulas)], (formula) =>
        Result.match(MolecularFormula.parse(formula), {
          onFailure: () => Effect.succeed([]),
          onSuccess: (parsed) => Effect.map(orDie(context.store.msreadyByFormula(parsed)), (found) => [found])
        })
      ),
      (found) => joined(found.flat())
    )
  )
})
