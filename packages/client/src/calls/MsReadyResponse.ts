/**
 * The answers to batches of MS-ready calls, by the value asked for (docs/service.md, section 3.3).
 */
import { Dialect } from "@chemstream/api"
import { Predicate, Result, Schema } from "effect"
import { type BodyFault, type BodyReader, json } from "./BodyReader.ts"
import { dtxcidOf, isAbout, refine, unasked } from "./internal/readers.ts"

/** Substances by what was asked for. Some services put null into lists of identifiers. */
const lists = Schema.Record(Schema.String, Schema.Array(Schema.NullOr(Schema.String)))

const mapping = json(lists)

const mappingOrList = json(Schema.Union([Schema.Array(Schema.Unknown), lists]))

/**
 * Reads the substances (DTXSID) of each mass asked for, in the order asked, then of masses that were not requested. Masses
 * are matched as numbers: 228 may be answered under "228.0". A response that is about none of them is refused, and so is one
 * whose control mass (`Dialect.controlMass`) has the key of a service that takes a tolerance for one in ppm.
 */
export const byMass = (
  masses: ReadonlyArray<number>
): BodyReader<ReadonlyMap<number, ReadonlyArray<string>>> =>
  refine(mapping, (answer) => {
    const isControlled = !masses.includes(Dialect.controlMass)
    if (isControlled && Dialect.ctxControlKey in answer) return Result.fail(cutToPpm)
    const entries = Object.entries(answer)
      .map(([key, found]) => [Number(key), found] as const)
      .filter(([mass]) => !isControlled || mass !== Dialect.controlMass)
    return entries.length === 0 || entries.some(([mass]) => masses.includes(mass))
      ? Result.succeed(collect(masses, entries))
      : Result.fail(unasked)
  })

const cutToPpm: BodyFault = {
  path: Dialect.ctxControlKey,
  reason: "a service with such keys takes the tolerance for one in ppm, and leaves substances out",
  dialect: "ctx"
}

/**
 * Reads the substances (DTXSID) of each compound (DTXCID) asked for, in the order asked, then of compounds that were not
 * requested; from a mapping, from a list of records with `dtxcid`, or from a list of bare DTXSIDs where one compound was
 * asked for. A response that is about none of them is refused.
 */
export const byDtxcid = (
  dtxcids: ReadonlyArray<string>
): BodyReader<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const asked: ReadonlySet<string> = new Set(dtxcids)
  return refine(mappingOrList, (answer) => {
    const entries = isList(answer) ? entriesOf(answer, dtxcids) : Result.succeed(Object.entries(answer))
    return Result.flatMap(entries, (found) => {
      const keyed = found.map(([key, substances]) => [dtxcidOf(key) ?? key, substances] as const)
      const keys = keyed.map(([key]) => key)
      return isAbout(asked, keys) ? Result.succeed(collect(dtxcids, keyed)) : Result.fail(unasked)
    })
  })
}

const collect = <K>(
  asked: ReadonlyArray<K>,
  entries: ReadonlyArray<readonly [key: K, dtxsids: ReadonlyArray<string | null>]>
): ReadonlyMap<K, ReadonlyArray<string>> => {
  const found = new Map<K, ReadonlyArray<string>>(asked.map((key) => [key, []]))
  for (const [key, dtxsids] of entries) {
    found.set(key, [...(found.get(key) ?? []), ...dtxsids.filter(Predicate.isNotNull)])
  }
  return found
}

const isList = (answer: object): answer is ReadonlyArray<unknown> => Array.isArray(answer)

const isIdentifier = (value: unknown): value is string | null => value === null || Predicate.isString(value)

/** The public service answers one list to a batch. */
const pooled: BodyFault = {
  path: "[0]",
  reason: "the list does not say which substance is of which compound",
  dialect: "ctx"
}

type Entry = readonly [dtxcid: string, dtxsids: ReadonlyArray<string | null>]

/** A list of bare substances can only be that of a single compound; records say which compound they are of. */
const entriesOf = (
  list: ReadonlyArray<unknown>,
  dtxcids: ReadonlyArray<string>
): Result.Result<ReadonlyArray<Entry>, BodyFault> => {
  const [only] = dtxcids
  if (only !== undefined && new Set(dtxcids).size === 1 && list.every(isIdentifier)) {
    return Result.succeed([[only, list]])
  }
  if (list.length > 0 && list.every(isIdentifier)) return Result.fail(pooled)
  const entries: Array<Entry> = []
  for (const [index, item] of list.entries()) {
    const dtxcid = Predicate.isObject(item) ? item["dtxcid"] : undefined
    const substances = Predicate.isObject(item) ? (item["dtxsids"] ?? item["dtxsid"]) : undefined
    const found = Predicate.isString(substances) ? [substances] : substances
    if (!Predicate.isString(dtxcid) || !Array.isArray(found) || !found.every(isIdentifier)) {
      const reason =
        "an element of the list does not say which compound it is of, and which substances that has"
      return Result.fail({ path: `[${index}]`, reason })
    }
    entries.push([dtxcid, found])
  }
  return Result.succeed(entries)
}
