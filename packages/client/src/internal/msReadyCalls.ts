/**
 * The MS-ready calls over the client that derives from the contract, their batch answers by the value asked for.
 */
import { Dtxcid, InvalidIdentifier, MassRange, MolecularFormula } from "@chemstream/api"
import { Predicate, Result, Schema } from "effect"
import { type BodyProblem, type BodyReader, json } from "../BodyReader.ts"
import type { MsReadyCalls } from "../MsReadyCalls.ts"
import { type Ask, given } from "./ask.ts"
import { dtxcidOf, isAbout, refine, unasked } from "./readers.ts"

export const make = (ask: Ask): MsReadyCalls => ({
  byDtxcid: (dtxcid) =>
    given(Dtxcid.parse(dtxcid), (parsed) => ask("msready.byDtxcid", { params: { dtxcid: parsed } }, dtxsids)),
  byDtxcidBatch: (dtxcids) =>
    given(Result.all(dtxcids.map(Dtxcid.parse)), (payload) =>
      ask("msready.byDtxcidBatch", { payload }, byCompound(payload))
    ),
  byFormula: (formula) =>
    given(MolecularFormula.parse(formula), (parsed) =>
      ask("msready.byFormula", { params: { formula: parsed } }, dtxsids)
    ),
  byMass: (start, end) =>
    given(MassRange.make(start, end), (range) => ask("msready.byMass", { params: { ...range } }, dtxsids)),
  byMassBatch: (masses, options) =>
    given(Result.all([Result.all(masses.map(massOf)), toleranceOf(options?.error)]), ([checked, error]) =>
      ask(
        "msready.byMassBatch",
        { payload: error === undefined ? { masses: checked } : { masses: checked, error } },
        byMass(checked)
      )
    )
})

const dtxsids = json(Schema.Array(Schema.String))

const mapping = json(Schema.Record(Schema.String, Schema.Array(Schema.String)))

const mappingOrList = json(
  Schema.Union([Schema.Array(Schema.Unknown), Schema.Record(Schema.String, Schema.Array(Schema.String))])
)

/** The masses of the answer are matched as numbers: 228 is answered under "228.0" (docs/service.md, section 3.3). */
const byMass = (masses: ReadonlyArray<number>): BodyReader<ReadonlyMap<number, ReadonlyArray<string>>> =>
  refine(mapping, (answer) => {
    const answered = new Map(Object.entries(answer).map(([key, found]) => [Number(key), found]))
    return [...answered.keys()].some((mass) => masses.includes(mass)) || answered.size === 0
      ? Result.succeed(new Map(masses.map((mass) => [mass, answered.get(mass) ?? []])))
      : Result.fail(unasked)
  })

/** A mapping of compounds to substances, or a list (docs/service.md, section 3.3). */
const byCompound = (
  dtxcids: ReadonlyArray<string>
): BodyReader<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const asked: ReadonlySet<string> = new Set(dtxcids)
  return refine(mappingOrList, (answer) => {
    const entries = isList(answer) ? entriesOf(answer, dtxcids) : Result.succeed(Object.entries(answer))
    return Result.flatMap(entries, (found) => {
      const keyed = found.map(([key, substances]) => [dtxcidOf(key) ?? key, substances] as const)
      if (
        !isAbout(
          asked,
          keyed.map(([key]) => key)
        )
      )
        return Result.fail(unasked)
      const byKey = Map.groupBy(keyed, ([key]) => key)
      return Result.succeed(
        new Map(
          dtxcids.map((dtxcid) => [dtxcid, (byKey.get(dtxcid) ?? []).flatMap(([, substances]) => substances)])
        )
      )
    })
  })
}

const isList = (answer: object): answer is ReadonlyArray<unknown> => Array.isArray(answer)

type Entry = readonly [dtxcid: string, dtxsids: ReadonlyArray<string>]

/** A list of bare substances can only be that of a single compound; records say which compound they are of. */
const entriesOf = (
  list: ReadonlyArray<unknown>,
  dtxcids: ReadonlyArray<string>
): Result.Result<ReadonlyArray<Entry>, BodyProblem> => {
  const [only] = dtxcids
  if (only !== undefined && new Set(dtxcids).size === 1 && list.every(Predicate.isString)) {
    return Result.succeed([[only, list]])
  }
  const entries: Array<Entry> = []
  for (const [index, item] of list.entries()) {
    const dtxcid = Predicate.isObject(item) ? item["dtxcid"] : undefined
    const substances = Predicate.isObject(item) ? (item["dtxsids"] ?? item["dtxsid"]) : undefined
    const found = Predicate.isString(substances) ? [substances] : substances
    if (!Predicate.isString(dtxcid) || !Array.isArray(found) || !found.every(Predicate.isString)) {
      const reason =
        "an element of the list does not say which compound it is of, and which substances that has"
      return Result.fail({ path: `[${index}]`, reason })
    }
    entries.push([dtxcid, found])
  }
  return Result.succeed(entries)
}

const massOf = (mass: number): Result.Result<number, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(MassRange.make(mass, mass), ({ start }) => start)

/** The largest tolerance the contract allows, in dalton. */
const largestTolerance = 1000

const toleranceOf = (
  error: number | undefined
): Result.Result<number | undefined, InvalidIdentifier.InvalidIdentifier> =>
  error === undefined || (error >= 0 && error <= largestTolerance)
    ? Result.succeed(error)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "tolerance",
          value: String(error),
          reason: "malformed",
          message: `${error} is not a tolerance: it must be a number of dalton from 0 to ${largestTolerance}`
        })
      )
