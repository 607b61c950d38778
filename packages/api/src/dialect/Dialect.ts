/**
 * The dialects: how deployments of the service differ, as data. `specification` is the service of the contract, and `ctx` the public
 * service below `epa.gov`.
 *
 * Here are the kinds of differences of a request (`Difference`), which the rows of endpoints have, and the projections of the detail record.
 * `RecordSchema` has the fields of other records. Responses of every shape are read under both dialects, so a dialect has no readers. The
 * client applies the differences to its requests, and the service to its responses (its `internal/ctxDialect`).
 */
import { argument, named } from "../internal/checkArgument.ts"
import * as DetailProjection from "../records/DetailProjection.ts"
import * as group from "../records/internal/detailFields.ts"

/** The names of the dialects: `specification` is the contract, `ctx` the public service. */
export const names = ["specification", "ctx"] as const

/** The name of a dialect. */
export type Name = (typeof names)[number]

/** Returns whether a text is the name of a dialect. */
export const isName = (text: unknown): text is Name => names.some((name) => name === text)

/** One way of sending a request to an endpoint. */
export interface Form {
  /** The path in place of the contract's. */
  readonly path?: `/${string}`
  /** Query parameters beside those of the contract. */
  readonly query?: Readonly<Record<string, string>>
  /** The page number of the first page of a list. Default: 1. */
  readonly firstPage?: number
  /** Whether the response is an object. An array shows that a service of the contract responded. */
  readonly isObject?: true
  /** The number of records at which a service cuts off a response without notice. */
  readonly cutAt?: number
  /**
   * The sign that the service expects another form: a status, or an object instead of an array. The next form is then
   * sent, and later requests start with it.
   */
  readonly refusedBy?: number | "object"
}

/** The differences of a deployment from the contract in one request. The rows of the endpoints have them. */
export interface Difference {
  /** The maximum number of values in a batch, if it is smaller than the contract's. */
  readonly largest?: number
  /** Whether the batch is sent as text, one value per line, instead of a JSON array. */
  readonly lines?: true
  /** The service's names of projections, by the contract's names. */
  readonly projections?: Readonly<Record<string, string>>
  /** The forms of a request, in the order in which they are tried. Default: the form of the contract. */
  readonly forms?: readonly [Form, ...ReadonlyArray<Form>]
  /**
   * Returns the path parameters of the request for one value, where the service does not respond to the batch itself.
   */
  readonly single?: (value: unknown, payload: unknown) => Readonly<Record<string, unknown>>
  /**
   * Adds a control value to a batch. Its key in the response shows which service responded. It reveals a service that
   * accepts the batch but omits results.
   */
  readonly withControl?: (payload: unknown) => unknown
  /** Matches the text of a refusal that no other service sends. */
  readonly refusal?: RegExp
  /** Whether a batch search returns one hit for a word that several substances have. */
  readonly oneHitPerWord?: true
}

/** Projections of the detail record, each with the names of its fields. */
export type Projections = Readonly<Partial<Record<DetailProjection.DetailProjection, ReadonlyArray<string>>>>

/** The differences of a deployment from the contract. */
export interface Dialect {
  readonly name: Name
  /** The name of the service, in words. */
  readonly title: string
  /** The projections of the detail record that the service has, and the fields of each. */
  readonly detailFields: Projections
  /** The projection of the detail record with every field. */
  readonly wholeRecord: DetailProjection.DetailProjection
  /** Requests per second to a service on another host, unless the settings say otherwise. Default: unlimited. */
  readonly requestsPerSecond?: number
}

export {
  bioactivityBatchLimit,
  controlMass,
  ctxControlKey,
  plotProjection,
  startWithTop
} from "./internal/publicService.ts"

/** The number of records in a page of the public service's `/chemical/all`. */
export const ctxPageSize = 1000

/** The number of records in a page of a list with a number of pages, e.g. the studies of a type. */
export const ctxPageObjectSize = 10_000

/** The public service's names of fields of the detail record, by the contract's names. */
export const detailFieldNames = {
  assaySelect: "toxcastSelect",
  extdbCount: "pubchemCount",
  extdbCid: "pubchemCid",
  encyclopediaArticle: "wikipediaArticle"
} as const

/** Returns the public service's names of fields. */
const renamed = (fields: ReadonlyArray<string>): ReadonlyArray<string> =>
  fields.map((field) => (detailFieldNames as Readonly<Record<string, string>>)[field] ?? field)

const standard = (): ReadonlyArray<string> => renamed(DetailProjection.fieldNames("chemicaldetailall"))

/**
 * The fields of the public service's detail record in each projection, by its names. The service refuses
 * `ccdassaydetails`, so it is missing here.
 */
export const ctxDetailFields = {
  get chemicaldetailall(): ReadonlyArray<string> {
    const others = [group.averageMass, group.stereo, group.exposure, group.properties]
    return [...standard(), ...others.flatMap(Object.keys)]
  },
  get chemicaldetailstandard(): ReadonlyArray<string> {
    return standard()
  },
  get ccdchemicaldetails(): ReadonlyArray<string> {
    return [
      ...standard().filter((field) => field !== "descriptorStringTsv"),
      ...[group.averageMass, group.stereo].flatMap(Object.keys)
    ]
  },
  get chemicalidentifier(): ReadonlyArray<string> {
    return DetailProjection.fieldNames("chemicalidentifier")
  },
  get chemicalstructure(): ReadonlyArray<string> {
    return DetailProjection.fieldNames("chemicalstructure")
  },
  get ntatoolkit(): ReadonlyArray<string> {
    return DetailProjection.fieldNames("ntatoolkit")
  },
  compact: ["dtxsid", "casrn", "preferredName"]
} as const satisfies Projections

/** The service of the contract. */
export const specification: Dialect = {
  name: "specification",
  title: "the contract",
  get detailFields() {
    return Object.fromEntries(DetailProjection.names.map((name) => [name, DetailProjection.fieldNames(name)]))
  },
  wholeRecord: "ccdchemicaldetails"
}

/** The public service. */
export const ctx: Dialect = {
  name: "ctx",
  title: "the public service",
  detailFields: ctxDetailFields,
  wholeRecord: "chemicaldetailall",
  requestsPerSecond: 1
}

/** The dialects by their names. */
export const dialects: { readonly [N in Name]: Dialect } = { specification, ctx }

/**
 * Returns the default dialect of a service: `ctx` for `epa.gov` and hosts below it, else `specification`.
 *
 * @example
 * ```ts
 * import { Dialect } from "@chemstream/api"
 *
 * Dialect.ofHost("https://comptox.epa.gov/ctx-api") // => "ctx"
 * Dialect.ofHost("http://127.0.0.1:8080") // => "specification"
 * ```
 */
export const ofHost = (baseUrl: string): Name =>
  /(^|\.)epa\.gov\.?$/i.test(hostOf(baseUrl)) ? "ctx" : "specification"

const hostOf = (baseUrl: string): string => URL.parse(argument("baseUrl", "a text", baseUrl))?.hostname ?? ""

/**
 * Returns the default requests per second to the service at this address. A service on this machine has no limit.
 *
 * @example
 * ```ts
 * import { Dialect } from "@chemstream/api"
 *
 * Dialect.pace("ctx", "https://comptox.epa.gov/ctx-api") // => 1
 * Dialect.pace("ctx", "http://127.0.0.1:8080") // => undefined
 * ```
 */
export const pace = (name: Name, baseUrl: string): number | undefined =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostOf(baseUrl))
    ? undefined
    : named("name", dialects, name).requestsPerSecond

/**
 * Returns why a dialect has no detail records of a projection, or cannot match them by the field `key`. Undefined if
 * it can.
 *
 * @example
 * ```ts
 * import { Dialect } from "@chemstream/api"
 *
 * Dialect.withoutProjection("ctx", "compact", "dtxsid") // => undefined
 * Dialect.withoutProjection("ctx", "compact", "dtxcid") === undefined // => false
 * ```
 */
export const withoutProjection = (
  name: Name,
  projection: DetailProjection.DetailProjection,
  key?: string
): string | undefined => {
  const { detailFields } = named("name", dialects, name)
  const having = Object.entries(detailFields)
    .filter(([, fields]) => key === undefined || fields.includes(key))
    .map(([one]) => one)
  if (having.includes(projection)) return undefined
  const why =
    projection in detailFields
      ? `the records of the projection ${projection} have no ${key} in the dialect ${name}, so they cannot be matched`
      : `the dialect ${name} has no projection ${projection}`
  return `${why}; use ${having.join(" or ")}`
}
