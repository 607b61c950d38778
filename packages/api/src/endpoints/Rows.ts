/**
 * The rows of all endpoints, by name. A program that needs one family imports its module instead.
 */
import * as Bioactivity from "./Bioactivity.ts"
import * as Details from "./Details.ts"
import type * as Family from "./Family.ts"
import * as MsReady from "./MsReady.ts"
import * as Operation from "./Operation.ts"
import type * as Row from "./Row.ts"
import * as Search from "./Search.ts"
import * as Synonyms from "./Synonyms.ts"

/** Every row, in the order of docs/service.md. */
export const all = [
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

/** The families, with the texts of their commands and tools. */
export const families: ReadonlyArray<Family.Family> = [
  Details.family,
  Details.allFamily,
  Search.family,
  Search.formulaFamily,
  MsReady.family,
  Synonyms.family,
  Bioactivity.family
]

/** A row of the contract. */
export type Known = (typeof all)[number]

/** The name of a row, e.g. `details.byDtxsid`. */
export type Name = Known["name"]

/** The rows by name. */
export type ByName = { readonly [R in Known as R["name"]]: R }

/** Returns the rows by name. */
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

/** The rows of a request's name. */
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

/** The operations of the contract, in the order of the rows. */
export const operations: ReadonlyArray<Operation.Operation> = /* @__PURE__ */ Operation.ofRows(all)
