/**
 * The rows of all endpoints: in the order of the contract, by name, and with the names of their requests. A program that needs one family
 * imports its module instead.
 */
import * as Assays from "../rows/Assays.ts"
import * as Bioactivity from "../rows/Bioactivity.ts"
import * as Details from "../rows/Details.ts"
import * as Exposure from "../rows/Exposure.ts"
import * as Extra from "../rows/Extra.ts"
import * as Fate from "../rows/Fate.ts"
import * as Files from "../rows/Files.ts"
import * as Hazard from "../rows/Hazard.ts"
import * as Links from "../rows/Links.ts"
import * as Lists from "../rows/Lists.ts"
import * as MsReady from "../rows/MsReady.ts"
import * as Properties from "../rows/Properties.ts"
import * as Search from "../rows/Search.ts"
import * as Synonyms from "../rows/Synonyms.ts"
import type * as Family from "./Family.ts"
import * as Operation from "./Operation.ts"
import type * as Row from "./Row.ts"

/** The rows of the contract, in the order of docs/service.md. */
export const contract = [
  Details.byDtxsid,
  Details.byDtxcid,
  Details.all,
  Search.equal,
  Search.startWith,
  Search.contain,
  Search.byExactFormula,
  Search.byMsreadyFormula,
  Search.countByExactFormula,
  Search.countByMsreadyFormula,
  MsReady.byDtxcid,
  MsReady.byFormula,
  MsReady.byMass,
  Synonyms.byDtxsid,
  Bioactivity.summaryByTissue,
  Bioactivity.summaryByDtxsid,
  Bioactivity.summaryByAeid,
  Bioactivity.bySpid,
  Bioactivity.byM4id,
  Bioactivity.byDtxsid,
  Bioactivity.byAeid,
  Bioactivity.aedByDtxsid
] as const

/** The rows that a module exports. */
type RowsIn<Module> = Extract<Module[keyof Module], Row.Row>

/** The families, with the texts of their commands and tools. */
export const families: ReadonlyArray<Family.Family> = [
  Details.family,
  Details.allFamily,
  Search.family,
  Search.formulaFamily,
  MsReady.family,
  Synonyms.family,
  Bioactivity.family,
  Hazard.family,
  Exposure.family,
  Properties.family,
  Fate.family,
  Lists.family,
  Assays.family,
  Files.family,
  Extra.family,
  Links.family
]

/** A row of the contract. */
export type OfContract = (typeof contract)[number]

/** A row of the contract, or of the public service alone. */
export type Known =
  | OfContract
  | RowsIn<typeof Assays>
  | RowsIn<typeof Exposure>
  | RowsIn<typeof Extra>
  | RowsIn<typeof Fate>
  | RowsIn<typeof Files>
  | RowsIn<typeof Hazard>
  | RowsIn<typeof Links>
  | RowsIn<typeof Lists>
  | RowsIn<typeof Properties>

/** Every row: those of the contract, then those that the public service alone has, by family. */
export const all: ReadonlyArray<Known> = [
  ...contract,
  ...[Hazard, Exposure, Properties, Fate, Lists, Assays, Files, Extra, Links].flatMap(rowsIn)
]

/** The rows of a module, by name: the order of its exports depends on the loader. */
function rowsIn<Module extends object>(module: Module): ReadonlyArray<RowsIn<Module>> {
  return Object.values(module)
    .filter((one) => "get" in one)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The name of a row, e.g. `details.byDtxsid`. */
export type Name = Known["name"]

/** The rows by name. */
export type ByName = { readonly [R in Known as R["name"]]: R }

/** The rows by name. */
export const byName: ByName = /* @__PURE__ */ index()

function index(): ByName {
  return Object.fromEntries(all.map((row) => [row.name, row])) as unknown as ByName
}

/** The name of a request: that of its row, with `Batch` for a batch, e.g. `details.byDtxsidBatch`. */
export type OperationName = {
  readonly [R in Known as R["name"]]: R extends { readonly batch: Row.Batch }
    ? R["name"] | `${R["name"]}Batch`
    : R["name"]
}[Name]

/** The row of a request, by the name of the request. */
export type RowOf<N extends OperationName> = N extends keyof ByName
  ? ByName[N]
  : N extends `${infer Single}Batch`
    ? Single extends keyof ByName
      ? ByName[Single]
      : never
    : never

/** The request of an operation, by its name. */
export type RequestOf<N extends OperationName> = N extends keyof ByName
  ? Row.GetRequest<ByName[N]>
  : Row.BatchRequest<RowOf<N>>

/** The requests of all rows, in their order. */
export const operations: ReadonlyArray<Operation.Operation> = /* @__PURE__ */ Operation.ofRows(all)
