/**
 * Reads responses to batches of MS-ready searches: the DTXSIDs of each requested mass (`byMass`) or compound (`byDtxcid`), in the forms that
 * services send (docs/service.md, section 3.3). MS-ready is the form that a mass spectrometer sees: desalted and neutral.
 */
import { Dialect, Dtxcid } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Predicate, Result, Schema } from "effect"
import { type BodyFault, type BodyReader, json } from "../BodyReader.ts"
import { refine } from "./internal/shapeReaders.ts"

/** Substances by requested value. Some services put null into lists of identifiers. */
const lists = Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.String)))

const mapping = json(lists)

const mappingOrList = json(Schema.Union([Schema.Array(Schema.Unknown), lists]))

/** The unit in which a service reads the tolerance of a batch of masses. */
export type ToleranceUnit = "dalton" | "ppm"

/** How a response to a batch of masses is read. */
export interface MassOptions {
  /** The unit of the tolerance in the request. Default: dalton. */
  readonly unit?: ToleranceUnit
  /** Whether a response that lacks any requested mass is refused. Default: false; it may lack some, but not all. */
  readonly isComplete?: boolean
}

const massOptions = /* @__PURE__ */ Options.set<MassOptions>()({
  unit: Options.oneOf(["dalton", "ppm"]),
  isComplete: Options.flag
})
const massList = /* @__PURE__ */ Options.list(Options.amount)
const textList = /* @__PURE__ */ Options.list(Options.text)

/**
 * Reads the DTXSIDs of each requested mass in the order of the request, then those of other masses. Masses are
 * matched as numbers: 228 may have the key "228.0". Refuses a response without any requested mass. Also refuses a
 * response if the control mass (`Dialect.controlMass`) shows that the service read the tolerance in another unit.
 */
export const byMass = (
  masses: ReadonlyArray<number>,
  options: MassOptions = {}
): BodyReader<ReadonlyMap<number, ReadonlyArray<string>>> => {
  Options.argument("masses", massList, masses)
  const { isComplete = false, unit = "dalton" } = Options.argument("options", massOptions, options)
  return refine(mapping, (response) => {
    const isControlled = !masses.includes(Dialect.controlMass)
    const otherUnit = otherUnits[unit]
    // A batch with a tolerance also has the control mass. Each dialect has its own unit, and writes the key of that mass in its own way.
    if (isControlled && otherUnit.path in response) return Result.fail(otherUnit)
    const entries = Object.entries(response)
      .map(([key, found]) => [Number(key), found] as const)
      .filter(([mass]) => !isControlled || mass !== Dialect.controlMass)
    const keys = new Set(entries.map(([mass]) => mass))
    const lacking = masses.filter((mass) => !keys.has(mass))
    if (isComplete && lacking.length > 0) {
      const reason = `${lacking.length} of ${masses.length} requested masses are missing, the first is ${lacking[0]}`
      return Result.fail({ path: "", reason })
    }
    return collect(masses, entries)
  })
}

/** The fault of a response whose control mass shows another unit than this one. */
const otherUnits: { readonly [U in ToleranceUnit]: BodyFault } = {
  dalton: {
    path: Dialect.ctxControlKey,
    reason: "the service reads the tolerance as ppm, and omits substances",
    dialect: "ctx"
  },
  ppm: {
    path: String(Dialect.controlMass),
    reason: "the service reads the tolerance as dalton, and adds substances",
    dialect: "specification"
  }
}

/**
 * Reads the DTXSIDs of each requested DTXCID in the order of the request, then those of other compounds. Accepts a
 * mapping, a list of records with `dtxcid`, or, for one compound, a list of DTXSIDs. Refuses a response without any
 * requested compound.
 */
export const byDtxcid = (
  dtxcids: ReadonlyArray<string>
): BodyReader<ReadonlyMap<string, ReadonlyArray<string>>> => {
  Options.argument("dtxcids", textList, dtxcids)
  return refine(mappingOrList, (response) => {
    const entries = isList(response) ? entriesOf(response, dtxcids) : Result.succeed(Object.entries(response))
    return Result.flatMap(entries, (found) =>
      collect(
        dtxcids,
        found.map(([key, ids]) => [Result.getOrElse(Dtxcid.parse(key), () => key), ids] as const)
      )
    )
  })
}

/** Collects the entries of each key. If all of them have other keys, the response belongs to another request. */
const collect = <K>(
  requested: ReadonlyArray<K>,
  entries: ReadonlyArray<readonly [key: K, dtxsids: ReadonlyArray<string | null>]>
): Result.Result<ReadonlyMap<K, ReadonlyArray<string>>, BodyFault> => {
  const wanted = new Set(requested)
  if (entries.length > 0 && !entries.some(([key]) => wanted.has(key)))
    return Result.fail({ path: "", reason: "the response has no record of a requested value" })
  const found = new Map<K, ReadonlyArray<string>>(requested.map((key) => [key, []]))
  for (const [key, dtxsids] of entries) {
    found.set(key, [...(found.get(key) ?? []), ...dtxsids.filter(Predicate.isNotNull)])
  }
  return Result.succeed(found)
}

const isList = (response: object): response is ReadonlyArray<unknown> => Array.isArray(response)

const isIdentifier = (value: unknown): value is string | null => value === null || Predicate.isString(value)

/** The public service responds to a batch with one list. */
const singleList: BodyFault = {
  path: "[0]",
  reason: "the list does not say which substance belongs to which compound",
  dialect: "ctx"
}

type Entry = readonly [dtxcid: string, dtxsids: ReadonlyArray<string | null>]

/** A list of DTXSIDs belongs to a single compound. Records name their compound. */
const entriesOf = (
  list: ReadonlyArray<unknown>,
  dtxcids: ReadonlyArray<string>
): Result.Result<ReadonlyArray<Entry>, BodyFault> => {
  const [only] = dtxcids
  if (only !== undefined && new Set(dtxcids).size === 1 && list.every(isIdentifier)) {
    return Result.succeed([[only, list]])
  }
  if (list.length > 0 && list.every(isIdentifier)) return Result.fail(singleList)
  const entries: Array<Entry> = []
  for (const [index, item] of list.entries()) {
    const dtxcid = Predicate.isObject(item) ? item["dtxcid"] : undefined
    const substances = Predicate.isObject(item) ? (item["dtxsids"] ?? item["dtxsid"]) : undefined
    const found = Predicate.isString(substances) ? [substances] : substances
    if (!Predicate.isString(dtxcid) || !Array.isArray(found) || !found.every(isIdentifier)) {
      const reason = "an element of the list does not name its compound and its substances"
      return Result.fail({ path: `[${index}]`, reason })
    }
    entries.push([dtxcid, found])
  }
  return Result.succeed(entries)
}
