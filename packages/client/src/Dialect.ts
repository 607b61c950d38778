/**
 * What differs between deployments of the service, as data: `specification`, the service of the contract, and `ctx`, the
 * public service below `epa.gov`.
 *
 * A dialect says how a request is sent. Responses are read in every shape under both, so a dialect has no readers. How
 * its table is applied is in `internal/ask.ts` and `internal/wire.ts`; what happens where the service has the other
 * dialect, in `internal/wrongDialect.ts`.
 */
import { type DetailProjection, Dialect as Facts, MassRange } from "@chemstream/api"
import type * as Endpoint from "./Endpoint.ts"

/** The names of the dialects. */
export const names: typeof Facts.names = Facts.names

/** The name of a dialect. */
export type Name = Facts.Name

/** Whether a text is the name of a dialect. */
export const isName: (text: unknown) => text is Name = Facts.isName

/** One way of sending a request to an endpoint. */
export interface Form {
  /** The path in place of the contract's. */
  readonly path?: string
  /** Query parameters beside those of the contract. */
  readonly query?: Readonly<Record<string, string>>
  /** The value that asks for the first page of a list. Default: 1. */
  readonly firstPage?: number
  /** The number of records at which a service cuts a response off without saying so. */
  readonly cutAt?: number
  /**
   * How the service shows that it has another form: a status, or an object instead of an array. The next form is then sent,
   * and by later requests, too.
   */
  readonly refusedBy?: number | "object"
}

/** The request for one value of a batch that the service cannot answer as a batch. */
export interface Single {
  readonly endpoint: Endpoint.Name
  readonly params: Readonly<Record<string, unknown>>
}

/** What a deployment has other than the contract at one endpoint. */
export interface Difference {
  /** The most values in a batch, where fewer than the contract allows. */
  readonly largest?: number
  /** Whether the batch is sent as text, one value a line, instead of a JSON array. */
  readonly lines?: true
  /** The service's names of projections, by those of the contract. */
  readonly projections?: Readonly<Record<string, string>>
  /** How requests are sent, in the order in which the forms are tried. Default: as the contract says. */
  readonly forms?: readonly [Form, ...ReadonlyArray<Form>]
  /** Sends one request for each value of a batch. */
  readonly single?: (value: unknown, payload: unknown) => Single
  /** Whether the service answers the contract's batch as if it had nothing. */
  readonly isSilent?: true
  /** Whether a batch search answers one hit for a word that several substances have. */
  readonly oneHitPerWord?: true
}

/** What a deployment has other than the contract. */
export interface Dialect {
  readonly name: Name
  /** What has it, in words. */
  readonly title: string
  /** The projection of the detail record that has every field. */
  readonly wholeRecord: DetailProjection.DetailProjection
  readonly endpoints: Readonly<Partial<Record<Endpoint.Name, Difference>>>
  /** Requests a second to a service on another host, unless the settings say otherwise. Default: not limited. */
  readonly requestsPerSecond?: number
}

/** The service of the contract. */
export const specification: Dialect = {
  name: "specification",
  title: "the contract",
  wholeRecord: "ccdchemicaldetails",
  endpoints: {
    // A service with cursors leaves its first record out of the page after 1.
    "details.all": { forms: [{ refusedBy: "object" }, { firstPage: 0 }] },
    // As many hits as the public service sends at most are suspicious.
    "search.startWith": { forms: [{ cutAt: Facts.startWithTop }] }
  }
}

/** The largest batch of bioactivity data. A larger one is answered with a 500 that gives no reason. */
const bioactivityBatch: Difference = { largest: Facts.bioactivityBatchLimit }

const aedPath = Facts.ctxPaths["bioactivity.aedByDtxsidBatch"] ?? "/"

/** Values of a batch that is sent as one request a value: so many are lost where a run is killed. */
const singlesAtOnce = 50

/** The public service. */
export const ctx: Dialect = {
  name: "ctx",
  title: "the public service",
  wholeRecord: "chemicaldetailall",
  requestsPerSecond: 1,
  endpoints: {
    "bioactivity.byDtxsidBatch": bioactivityBatch,
    "bioactivity.byAeidBatch": bioactivityBatch,
    "bioactivity.bySpidBatch": bioactivityBatch,
    "bioactivity.byM4idBatch": bioactivityBatch,
    "bioactivity.aedByDtxsidBatch": {
      ...bioactivityBatch,
      forms: [{ path: aedPath, refusedBy: 404 }, { path: aedPath.replace(/\/$/, "") }]
    },
    "bioactivity.byDtxsid": { projections: { "assay-summary-plot": Facts.plotProjection } },
    "details.all": { forms: [{ firstPage: 0 }] },
    "search.equalBatch": { lines: true, oneHitPerWord: true },
    "search.startWith": { forms: [{ query: { top: "0" }, refusedBy: 400 }, { cutAt: Facts.startWithTop }] },
    // The response is one list that does not say which compound a substance is of.
    "msready.byDtxcidBatch": {
      largest: singlesAtOnce,
      single: (dtxcid) => ({ endpoint: "msready.byDtxcid", params: { dtxcid } })
    },
    // The batch takes a tolerance in whole ppm, and cuts one in dalton to 0.
    "msready.byMassBatch": {
      largest: singlesAtOnce,
      isSilent: true,
      single: (mass, payload) => ({
        endpoint: "msready.byMass",
        params: around(Number(mass), (payload as { readonly error?: number }).error)
      })
    }
  }
}

/** The range of a mass, without the noise of adding binary fractions, e.g. 228.11999999999998. */
const around = (mass: number, error = MassRange.defaultTolerance): Single["params"] => ({
  start: Math.max(0, Number((mass - error).toFixed(9))),
  end: Math.min(MassRange.largestMass, Number((mass + error).toFixed(9)))
})

/** The dialects by their names. */
export const dialects: { readonly [N in Name]: Dialect } = { specification, ctx }

/**
 * The dialect of a service that none was set for: `ctx` for `epa.gov` and hosts below it, else `specification`.
 *
 * @example
 * ```ts
 * import { Dialect } from "@chemstream/client"
 *
 * Dialect.ofHost("https://comptox.epa.gov/ctx-api") // => "ctx"
 * Dialect.ofHost("http://127.0.0.1:8080") // => "specification"
 * ```
 */
export const ofHost = (baseUrl: string): Name =>
  /(^|\.)epa\.gov\.?$/i.test(URL.parse(baseUrl)?.hostname ?? "") ? "ctx" : "specification"

/**
 * The requests a second to the service at this address when the settings give none: a service on this machine is nobody
 * else's, and is not spared.
 *
 * @example
 * ```ts
 * import { Dialect } from "@chemstream/client"
 *
 * Dialect.pace("ctx", "https://comptox.epa.gov/ctx-api") // => 1
 * Dialect.pace("ctx", "http://127.0.0.1:8080") // => undefined
 * ```
 */
export const pace = (name: Name, baseUrl: string): number | undefined =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(URL.parse(baseUrl)?.hostname ?? "")
    ? undefined
    : dialects[name].requestsPerSecond
