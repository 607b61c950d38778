/**
 * Handles the endpoints of the public service whose responses are derived from the records of other endpoints: the lists of a
 * substance, words in a list, names of assays, ranges and summaries of a property, summaries of fate, and substances by
 * several formulas.
 */
import { Assays, Fate, Lists, MolecularFormula, Properties, type Row } from "@chemstream/api"
import { Effect, Option, Result } from "effect"
import type { StoredRecord } from "../../Store.ts"
import * as recordSource from "../records/recordSource.ts"
import * as endpointHandlers from "./ctxEndpointHandlers.ts"
import { batch, type Context, type Handler, orDie } from "./ctxHandler.ts"
import { joined } from "./ctxIdentifierList.ts"
import { json, list } from "./ctxResponses.ts"
import * as summaryValues from "./propertySummaries.ts"

type Handlers = Readonly<Record<string, Handler>>

const textOf = (record: StoredRecord): string => new TextDecoder().decode(record)

const parse = (record: StoredRecord): unknown => JSON.parse(textOf(record))

/** Returns all records of an endpoint and a key. */
const allOf = ({ store }: Context, { name }: Pick<Row.Row, "name">, key: string) =>
  recordSource.collect((from) => store.records(name, [key], from))

/** Returns the name of a list as it is stored. The public service compares it without case. */
const listNameOf = (context: Context, name: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const { store } = context
    const exact = yield* recordSource.first((from) => store.records(Lists.byName.name, [name], from))
    if (Option.isSome(exact)) return name
    const all = yield* allOf(context, Lists.all, "")
    const names = all.map((record) => (parse(record) as { readonly listName?: string }).listName)
    return names.find((one) => one?.toUpperCase() === name.toUpperCase()) ?? name
  })

/** The handlers of lists. */
export const lists = (context: Context): Handlers => {
  const { store } = context
  const shapeOf = endpointHandlers.formShapes(Lists.byName)
  const { byName } = endpointHandlers.make(context, Lists.byName) as { readonly byName: Handler }
  const withWord =
    (search: (word: string) => ReturnType<typeof store.searchEqual>): Handler =>
    ({ params: { list: name = "", word = "" } }) =>
      Effect.map(
        Effect.all([allOf(context, Lists.members, name), orDie(search(word))]),
        ([members, { json: hits }]) => {
          const substances = parse(hits) as ReadonlyArray<{ readonly dtxsid: string }>
          const found = new Set(substances.map(({ dtxsid }) => dtxsid))
          const texts = members.map(textOf).sort()
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
    byName: (request) =>
      Effect.flatMap(listNameOf(context, request.params["listName"] ?? ""), (listName) =>
        byName({ ...request, params: { ...request.params, listName } })
      ),
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
  const all = allOf(context, Assays.all, "")
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
    count: () =>
      Effect.map(orDie(context.store.recordCount(Assays.all.name)), (count) => json(String(count))),
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
            .map(textOf)
        )
      )
  const valuesOf = (row: Row.Row) => ofName(context, row, summaryValues.inProperties)
  return {
    predictedInRange: inRange("properties.predictedInRange"),
    experimentalInRange: inRange("properties.experimentalInRange"),
    predictedSummaryByName: valuesOf(Properties.predicted),
    experimentalSummaryByName: valuesOf(Properties.experimental)
  }
}

/** Responds with the values of a property of a substance, which are in the records of an endpoint. */
const ofName =
  (
    context: Context,
    row: Row.Row,
    valuesIn: (records: ReadonlyArray<StoredRecord>, name: string) => ReadonlyArray<string>
  ): Handler =>
  ({ query }) =>
    Effect.map(allOf(context, row, query.get("dtxsid") ?? ""), (records) =>
      list(valuesIn(records, query.get("propName") ?? ""))
    )

/** The handlers of fate. */
export const fate = (context: Context): Handlers => {
  const valuesOf = (name: Parameters<typeof summaryValues.inFate>[2]) =>
    ofName(context, Fate.byDtxsid, (records, property) => summaryValues.inFate(records, property, name))
  return {
    predictedSummaryByName: valuesOf("predictedFateData"),
    experimentalSummaryByName: valuesOf("experimentalFateData")
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
