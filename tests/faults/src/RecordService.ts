/**
 * The service behind the faults: precomputed records, and a response to every request of a job.
 *
 * It knows four of five substances. It is fast, so that runs spend their time in the tested code.
 */
import { Dtxsid } from "@chemstream/api"
import type { FaultProxy } from "@chemstream/faults"

/** The kinds of requests. */
export type Kind = "details" | "bioactivity" | "search"

/** The number of substances. */
export const size = 4000

/** Returns a substance by its index, from 0. */
export const substance = (index: number): string => Dtxsid.fromNumber(9_000_000 + index)

/** A substance that no job requests. */
export const unrequested: string = Dtxsid.fromNumber(8_000_000)

const indexes = new Map(Array.from({ length: size }, (_, index) => [substance(index), index]))

const detailOf = (id: string, index: number): string => {
  const name = `"preferredName":"Substance ${index} – ${"é".repeat(index % 40)} \\"α\\""`
  const rest = `"casrn":"NOCAS_${index}","monoisotopicMass":${index}.10,"inchiString":"InChI=1S/{}[],${index}\\n","isMarkush":${index % 2 === 0}`
  return index % 3 === 0 ? `{${name},${rest},"dtxsid":"${id}"}` : `{"dtxsid":"${id}",${name},${rest}}`
}

const dataOf = (id: string, index: number): ReadonlyArray<string> =>
  Array.from(
    { length: 1 + (index % 4) },
    (_, n) =>
      `{"m4id":${index * 10 + n},"dtxsid":"${id}","hitc":0.${n}0,"mc3Param":{"logc":[-1.0,0,1e0],"resp":[${index},1,2]}}`
  )

const hitsOf = (id: string, index: number): ReadonlyArray<string> =>
  Array.from(
    { length: 1 + (index % 2) },
    (_, n) => `{"dtxsid":"${id}","searchName":"Synonym","searchValue":"${id}","rank":${n}}`
  )

const recordsOf = {
  details: (id: string, index: number) => [detailOf(id, index)],
  bioactivity: dataOf,
  search: hitsOf
}

/** Returns the records of an identifier as the service sends them. An unknown identifier has none. */
export const records = (kind: Kind, id: string): ReadonlyArray<string> => {
  const index = indexes.get(id)
  return index === undefined || index % 5 === 4 ? [] : recordsOf[kind](id, index)
}

/** Responds to a request. */
export const respond: FaultProxy.Upstream = ({ body, url }) => {
  const word = /^\/chemical\/search\/equal\/([^/?]+)/.exec(url)?.[1]
  if (word !== undefined) {
    const hits = records("search", decodeURIComponent(word))
    return hits.length > 0
      ? json(200, array(hits))
      : json(404, '{"title":"Not Found","status":404,"suggestions":[]}')
  }
  if (url.startsWith("/chemical/search/equal/")) {
    const words = JSON.parse(body.toString()) as ReadonlyArray<string>
    return json(200, array(words.flatMap(batchHits)))
  }
  const kind = url.startsWith("/bioactivity/") ? "bioactivity" : "details"
  const ids = JSON.parse(body.toString()) as ReadonlyArray<string>
  return json(200, array(ids.flatMap((id) => records(kind, id))))
}

/** The result of a batch search for a word: its hits, or none. */
const batchHits = (word: string): ReadonlyArray<string> => {
  const hits = records("search", word)
  return hits.length > 0 ? hits : [`{"dtxsid":null,"searchValue":"${word}","suggestions":[]}`]
}

const array = (elements: ReadonlyArray<string>): string => `[${elements.join(",")}]`

const json = (status: number, text: string): FaultProxy.ProxyResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(text)
})
