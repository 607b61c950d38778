/**
 * Generates the bioactivity and AED records of a substance.
 *
 * A tested substance is tested in 4 to 20 of the fifty endpoints, sometimes with two samples. An active substance
 * has a Hill curve in some of these endpoints. Its responses are the curve plus noise, and the record holds the
 * curve fitted to the responses with its hit call (`hillFit.ts`). A quarter of the records have a single
 * concentration.
 */
import { exp10, log10, round } from "../numbers/exactMath.ts"
import type { Random } from "../numbers/seededRandom.ts"
import type { Substance } from "../substances/numberedSubstance.ts"
import { type Endpoint, endpoints } from "./assayEndpoints.ts"
import { type HillFit, hill, makeFitter } from "./hillFit.ts"

/** A bioactivity data record with its keys. */
export interface Measurement {
  readonly m4id: number
  readonly aeid: number
  readonly spid: string
  readonly active: boolean
  readonly record: object
}

/** An AED record with its endpoint. */
export interface Dose {
  readonly aeid: number
  readonly record: object
}

/** The smallest and the largest number of endpoints that a substance is tested in. */
const endpointsPerSubstance = { fewest: 4, most: 20 }

/** The number of record numbers per substance, enough for two samples. So they do not depend on other substances. */
const recordsPerSubstance = 2 * endpointsPerSubstance.most

/** The lowest hit call of an active record (docs/service.md, section 5.6). */
const activeFrom = 0.9

// log10 µM: half-logarithmic steps from 0.03 to 100 µM.
const testLogc = Array.from({ length: 8 }, (_, n) => -1.5 + n / 2)

/** The single concentration of a screening: log10 of 10 µM. */
const screeningLogc = 1

const fit = makeFitter(testLogc)

/** Generates the measurements of a tested substance, at least one. */
export const measurements = (random: Random, substance: Substance): ReadonlyArray<Measurement> => {
  const potency =
    random.integerBelow(3) === 0
      ? { logAc50: -0.5 + 2.5 * random.unit(), top: 30 + 90 * random.unit() }
      : undefined
  const { fewest, most } = endpointsPerSubstance
  const tested = fewest + random.integerBelow(most - fewest + 1)
  const first = random.integerBelow(endpoints.length)
  const samples = random.integerBelow(6) === 0 ? 2 : 1
  const list: Array<Measurement> = []
  for (let n = 0; n < tested; n++) {
    const endpoint = endpoints[(first + n) % endpoints.length] as Endpoint
    const single = random.integerBelow(4) === 0
    // A third of the endpoints respond to an active substance, each at its own potency.
    const curve =
      potency !== undefined && random.integerBelow(3) === 0
        ? { ...potency, logAc50: potency.logAc50 + 0.3 * random.normal(), power: 1 + random.unit() }
        : undefined
    for (let sample = 0; sample < samples; sample++) {
      const measure = (at: number): number =>
        (curve === undefined ? 0 : hill(at, curve.top, curve.logAc50, curve.power)) +
        endpoint.bmad * random.normal()
      const context: MeasurementContext = {
        m4id: 1_000_000_000 + substance.index * recordsPerSubstance + list.length,
        spid: `GEN${substance.number}${"AB"[sample]}`,
        represents: sample === 0,
        endpoint,
        substance
      }
      list.push(
        single
          ? singleConcentration(context, measure(screeningLogc))
          : multiConcentration(context, testLogc.map(measure))
      )
    }
  }
  return list
}

interface MeasurementContext {
  readonly m4id: number
  readonly spid: string
  /** Whether the sample represents the substance (`chidRep`): the first one. */
  readonly represents: boolean
  readonly endpoint: Endpoint
  readonly substance: Substance
}

const multiConcentration = (context: MeasurementContext, responses: ReadonlyArray<number>): Measurement => {
  const rounded = responses.map((response) => round(response, 4))
  const result = fit(rounded, context.endpoint.cutoff)
  const hitc = round(result.hitCall, 6)
  const topOverCutoff = result.top / context.endpoint.cutoff
  return measurement(context, testLogc, rounded, hitc >= activeFrom, {
    modl: "hill",
    hitc,
    // Categories of fits in the ToxCast pipeline: an active and an inactive one.
    fitc: hitc >= activeFrom ? 42 : 13,
    modelType: result.top < 0 ? 1 : 2,
    mc4Param: {
      cnst_aic: round(result.constantAic, 5),
      cnst_rme: round(result.constantRmse, 5),
      hill_p: result.power,
      hill_ga: round(result.ac50, 6),
      hill_tp: round(result.top, 5),
      hill_aic: round(result.aic, 5),
      hill_rme: round(result.rmse, 5),
      hill_top: round(result.top, 5),
      hill_ac50: round(result.ac50, 6)
    },
    mc5Param: {
      p: result.power,
      ga: round(result.ac50, 6),
      tp: round(result.top, 5),
      acc: concentrationAtCutoff(result, context.endpoint.cutoff),
      ac50: round(result.ac50, 6),
      top: round(result.top, 5),
      rmse: round(result.rmse, 5),
      caikwt: round(result.constantWeight, 6),
      hitcall: hitc,
      top_over_cutoff: round(topOverCutoff, 5)
    },
    mc6Param:
      Math.abs(topOverCutoff) > 0.8 && Math.abs(topOverCutoff) < 1.2
        ? { flag: ["Borderline"], mc6MthdId: [11] }
        : null
  })
}

const singleConcentration = (context: MeasurementContext, response: number): Measurement => {
  const rounded = round(response, 4)
  const hit = Math.abs(rounded) > context.endpoint.cutoff
  return measurement(context, [screeningLogc], [rounded], hit, {
    modl: null,
    hitc: hit ? 1 : 0,
    fitc: null,
    modelType: null,
    mc4Param: null,
    mc5Param: null,
    mc6Param: null
  })
}

// The concentration at which the curve reaches the cutoff, in µM; null if it never does.
const concentrationAtCutoff = ({ ac50, power, top }: HillFit, cutoff: number): number | null => {
  const over = Math.abs(top) / cutoff - 1
  return over <= 0 ? null : round(ac50 * exp10(-log10(over) / power), 6)
}

const measurement = (
  { endpoint, m4id, represents, spid, substance }: MeasurementContext,
  concentrations: ReadonlyArray<number>,
  responses: ReadonlyArray<number>,
  active: boolean,
  fitted: object
): Measurement => {
  let largest = 0
  for (let n = 1; n < responses.length; n++) {
    if ((responses[n] as number) > (responses[largest] as number)) largest = n
  }
  const record = {
    m4id,
    m5id: m4id,
    aeid: endpoint.aeid,
    spid,
    chid: substance.number,
    casn: substance.casrn,
    chnm: substance.preferredName,
    dtxsid: substance.dtxsid,
    bmad: endpoint.bmad,
    respMax: responses[largest],
    respMin: Math.min(...responses),
    maxMean: responses[largest],
    maxMeanConc: concentrations[largest],
    maxMed: responses[largest],
    maxMedConc: concentrations[largest],
    logcMax: concentrations[concentrations.length - 1],
    logcMin: concentrations[0],
    nconc: concentrations.length,
    npts: responses.length,
    nrep: 1,
    nmedGtbl: responses.filter((response) => Math.abs(response) > 3 * endpoint.bmad).length,
    tmpi: m4id,
    coff: endpoint.cutoff,
    actp: null,
    chidRep: represents ? 1 : 0,
    stkc: 20,
    stkcUnit: "mM",
    testedConcUnit: "uM",
    tissue: endpoint.tissue,
    intendedTargetFamily: endpoint.family,
    mc3Param: { logc: concentrations, resp: responses },
    ...fitted
  }
  return { m4id, aeid: endpoint.aeid, spid, active, record }
}

const models = ["3compartmentss", "pbtk"]

const percentiles = [50, 95]

/**
 * Generates the AED records of a substance, one for each endpoint with an active fitted curve.
 *
 * A dose is the ac50 divided by the plasma concentration at 1 mg/kg/day, which is random.
 */
export const doses = (
  random: Random,
  substance: Substance,
  measured: ReadonlyArray<Measurement>
): ReadonlyArray<Dose> => {
  const plasma = 0.2 + 5 * random.unit()
  const list: Array<Dose> = []
  for (const { active, aeid, record } of measured) {
    const { mc5Param } = record as { readonly mc5Param: { readonly ac50: number } | null }
    if (!active || mc5Param === null || list.at(-1)?.aeid === aeid) continue
    const cases = models.flatMap((model, n) =>
      percentiles.map((percentile) => ({
        model,
        percentile,
        factor: (1 + n / 4) * (percentile === 95 ? 2.6 : 1)
      }))
    )
    const same = <A>(value: A): ReadonlyArray<A> => cases.map(() => value)
    list.push({
      aeid,
      record: {
        dtxsid: substance.dtxsid,
        preferredName: substance.preferredName,
        aenm: endpoints.find((endpoint) => endpoint.aeid === aeid)?.name ?? null,
        aeid,
        aedVal: cases.map(({ factor }) => round(mc5Param.ac50 / (plasma * factor), 6)),
        aedType: same("AED"),
        httkModel: cases.map(({ model }) => model),
        aedValUnit: same("mg/kg/day"),
        httkVersion: same("generated"),
        potencyValType: same("ac50"),
        invitrodbVersion: same("generated"),
        interindividualVarPerc: cases.map(({ percentile }) => percentile)
      }
    })
  }
  return list
}
