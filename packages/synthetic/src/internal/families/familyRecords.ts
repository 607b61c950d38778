/**
 * Generates the records of a substance in the families, by the names of their rows. A family is a group of endpoints that only
 * the public service has: hazard, exposure, properties, lists, assays.
 */
import { Assays, Exposure, Hazard, Lists, Properties } from "@chemstream/api"
import type { Random } from "../numbers/seededRandom.ts"
import type { Detail } from "../substances/detailRecord.ts"
import type { Substance } from "../substances/numberedSubstance.ts"
import * as exposures from "./exposureRecords.ts"
import { propertiesOf } from "./propertyValues.ts"
import { toxvals } from "./toxicityValues.ts"

/** The rows with generated records. */
export const rowNames = [
  Hazard.toxval.name,
  Exposure.functionalUse.name,
  Exposure.httk.name,
  Exposure.seem.name,
  Exposure.seemDemographic.name,
  Properties.predicted.name,
  Properties.experimental.name,
  Lists.all.name,
  Assays.all.name
] as const

/** The name of a row with generated records. */
export type RowName = (typeof rowNames)[number]

/** The rows with records of single substances. */
export type OfSubstance = Exclude<RowName, typeof Lists.all.name | typeof Assays.all.name>

/** Returns the records of a substance. Its detail record says whether it has toxicity values, and how much people are exposed. */
export const familyRecords = (
  random: Random,
  substance: Substance,
  { expocatMedianPrediction, toxvalData }: Detail
): Readonly<Record<OfSubstance, ReadonlyArray<object>>> => {
  const { experimental, predicted } = propertiesOf(random, substance)
  const isPredicted = expocatMedianPrediction !== null
  return {
    [Properties.predicted.name]: predicted,
    [Properties.experimental.name]: experimental,
    [Exposure.functionalUse.name]: exposures.functionalUses(random, substance),
    [Exposure.httk.name]: exposures.kinetics(random, substance),
    [Exposure.seem.name]: isPredicted ? [exposures.pathways(random, substance)] : [],
    [Exposure.seemDemographic.name]: isPredicted
      ? exposures.predictions(random, substance, expocatMedianPrediction)
      : [],
    [Hazard.toxval.name]: toxvalData === null ? [] : toxvals(random, substance)
  }
}
