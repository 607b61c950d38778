// Writes the generated parts of docs/service.md, as Markdown from the contract. The prose between them is written by hand.
//
// A part is between `<!-- generated: NAME -->` and `<!-- end -->`. `contract.ts` reads the contract. `endpointTables.ts` and
// `recordTables.ts` make the tables of endpoints and records.

import {
  Access,
  AllRecord,
  BioactivityData,
  DetailProjection,
  Details,
  MassRange,
  Search,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import { Variants } from "@chemstream/service"
import { type Endpoint, endpoints, problems } from "./contract.ts"
import { batchLimits, endpointsOf } from "./endpointTables.ts"
import { code, count, nameList, table } from "./markdown.ts"
import { detailTables, fieldTable, projections, publicFields, recordsOf } from "./recordTables.ts"
import { ServicePageError } from "./ServicePageError.ts"

/** Returns the page with every generated part written again. Throws `ServicePageError`. */
export const fill = (page: string): string => {
  const made = parts()
  const missing = new Set(made.keys())
  const filled = page.replace(
    /^<!-- generated: (.+) -->\n[\s\S]*?^<!-- end -->$/gm,
    (_, name: string): string => {
      const text = made.get(name)
      if (text === undefined) throw new ServicePageError(`docs/service.md has an unknown part, "${name}"`)
      missing.delete(name)
      return `<!-- generated: ${name} -->\n\n${text}\n\n<!-- end -->`
    }
  )
  if (missing.size > 0) throw new ServicePageError(`docs/service.md lacks the part "${[...missing][0]}"`)
  return filled
}

/** Returns the parts by name. */
const parts = (): ReadonlyMap<string, string> => {
  const all = endpoints()
  const records = recordsOf(all)
  const fields = (name: string, without?: string): string => fieldTable(records, name, without)
  return new Map([
    ["figures", figures(all)],
    ...[...new Set(all.map(({ group }) => group))].map((group): [string, string] => [
      `endpoints ${group}`,
      endpointsOf(
        group,
        all.filter((endpoint) => endpoint.group === group)
      )
    ]),
    ["batch limits", batchLimits(all)],
    ["fields detail record", detailTables(records)],
    ["projections", projections()],
    ["names standard-2 record", nameList(Object.keys(AllRecord.standardFields))],
    ["names id record", nameList(Object.keys(AllRecord.idFields))],
    ["fields hit", fields("hit")],
    ["ranks", ranks()],
    ["fields synonym record", fields("synonym record")],
    ["fields flat synonym", fields("flat synonym")],
    ["fields data record", fields("data record")],
    ["names plot point", nameList(Object.keys(BioactivityData.plotFields))],
    ["fields plot point", fields("plot point", "data record")],
    ["fields endpoint summary", fields("endpoint summary")],
    ["fields chemical summary", fields("chemical summary", "endpoint summary")],
    ["fields tissue summary", fields("tissue summary")],
    ["fields AED record", fields("AED record")],
    ["fields of the public service", publicFields()],
    ["problems", problemTable()],
    ["variants", variants()]
  ])
}

const variants = (): string =>
  table(
    ["variant", "values, the default first", "decides"],
    Object.entries(Variants.variants).map(([name, { meaning, values }]) => [
      code(name),
      values.map(code).join(", "),
      meaning
    ])
  )

const ranks = (): string =>
  table(
    ["rank", "`searchName`"],
    Object.entries(SearchHit.ranks).map(([name, rank]) => [String(rank), code(name)])
  )

const figures = (all: ReadonlyArray<Endpoint>): string => {
  const tolerance = all.find(({ name }) => name === "byMassBatch")?.body?.properties?.["error"]
  if (tolerance?.maximum === undefined) throw new ServicePageError("The contract bounds no mass tolerance")
  return table(
    ["setting", "value", "source"],
    [
      ["request header of the key", code(Access.defaultKeyHeader), "observed"],
      ["media type of counts", code(Search.countType), "documented"],
      ["page parameter of `/chemical/all`", code(Details.defaultPageParameter), "observed"],
      ["records in a page of `/chemical/all`", count(Details.defaultPageSize), "ours"],
      ["default projection of detail records", code(DetailProjection.defaultProjection), "documented"],
      ["default projection of synonyms", code(SynonymRecord.defaultProjection), "documented"],
      ["default mass tolerance (`error`)", `${MassRange.defaultTolerance} Da`, "documented"],
      ["largest mass tolerance", `${count(tolerance.maximum)} Da`, "ours"],
      ["largest mass", `${count(MassRange.largestMass)} Da`, "ours"],
      ["smallest active hit call, multi-concentration data", String(BioactivityData.activeFrom), "documented"]
    ]
  )
}

/** The cause of each problem. */
const causes: Readonly<Record<string, string>> = {
  BadRequest: "malformed value, empty batch, too many DTXCIDs, unreadable body, or search miss",
  Unauthorized: "the key is missing or unknown",
  NotFound: "the identifier is well formed but unknown, or the path does not exist",
  MethodNotAllowed: "the path exists, the method does not; `allow` lists the methods",
  TooLarge: "too many values in any other batch, or a body over the size limit",
  UriTooLong: "the URL is over the length limit",
  UnsupportedMediaType: "the body is not sent as JSON",
  TooManyRequests: "the key is over its rate or has too many requests in flight; with `retry-after`",
  InternalError: "a defect of the service; the cause is in its log",
  Unavailable: "the service is stopping or at its concurrency limit; with `retry-after`"
}

const problemTable = (): string =>
  table(
    ["status", "title", "cause"],
    problems().map(({ name, status, title }) => {
      const cause = causes[name]
      if (cause === undefined) throw new ServicePageError(`The page has no cause for the problem ${name}`)
      return [String(status), title, cause]
    })
  )
