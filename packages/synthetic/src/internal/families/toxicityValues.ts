/** Generates the toxicity values of a substance: 20 to 130 records, with the sizes and gaps of real ones. */
import type { HazardRecords } from "@chemstream/api"
import { exp10, round } from "../numbers/exactMath.ts"
import { choose, type Random } from "../numbers/seededRandom.ts"
import type { Substance } from "../substances/numberedSubstance.ts"
import { source } from "./generatedSource.ts"

/** The smallest and the largest number of records of a substance. */
const count = { fewest: 20, most: 130 }

interface Kind {
  readonly type: string
  readonly definition: string
  readonly category: string
  readonly units: string
  readonly study: string
  readonly isHuman: boolean
}

const doseResponse = { category: "Dose Response Summary Value", units: "mg/kg-day", isHuman: true }
const mortality = { category: "Mortality Response Summary Value", study: "acute" }

const kinds: ReadonlyArray<Kind> = [
  {
    ...doseResponse,
    type: "NOAEL",
    definition: "The highest dose without an adverse effect",
    study: "subchronic"
  },
  {
    ...doseResponse,
    type: "LOAEL",
    definition: "The lowest dose with an adverse effect",
    study: "subchronic"
  },
  {
    ...doseResponse,
    type: "NOAEL",
    definition: "The highest dose without an adverse effect",
    study: "developmental"
  },
  { ...doseResponse, type: "BMDL", definition: "The lower bound of a benchmark dose", study: "chronic" },
  {
    ...mortality,
    type: "LD50",
    definition: "The dose that kills half of the animals",
    units: "mg/kg",
    isHuman: true
  },
  {
    ...mortality,
    type: "LC50",
    definition: "The concentration that kills half of the animals",
    units: "mg/L",
    isHuman: false
  },
  {
    type: "RfD",
    definition: "An estimate of the daily dose without a risk over a lifetime",
    category: "Toxicity Value",
    units: "mg/kg-day",
    study: "-",
    isHuman: true
  }
]

const mammals = [
  { speciesCommon: "Rat", latinName: "Rattus norvegicus", speciesSupercategory: "Mammals" },
  { speciesCommon: "Mouse", latinName: "Mus musculus", speciesSupercategory: "Mammals" },
  { speciesCommon: "Rabbit", latinName: "Oryctolagus cuniculus", speciesSupercategory: "Mammals" }
]
const waterAnimals = [
  { speciesCommon: "Fathead Minnow", latinName: "Pimephales promelas", speciesSupercategory: "Fish" },
  { speciesCommon: "Water Flea", latinName: "Daphnia magna", speciesSupercategory: "Crustaceans" }
]

const effects = [
  "body weight decrease",
  "liver weight increase",
  "kidney weight increase",
  "food consumption decrease",
  "clinical signs",
  "hematology: hemoglobin decrease"
]

/** Returns the records of a substance. */
export const toxvals = (random: Random, substance: Substance): ReadonlyArray<HazardRecords.ToxicityValue> =>
  Array.from({ length: count.fewest + random.integerBelow(count.most - count.fewest + 1) }, (_, n) =>
    toxval(random, substance, n)
  )

/** The fields that are always unknown. */
const unknown: HazardRecords.ToxicityValue = {
  subsource: "-",
  toxvalSubtype: "-",
  strain: "-",
  generation: "-",
  lifestage: "-",
  exposureForm: "-",
  doi: "-",
  author: "-",
  guideline: "-",
  qcCategory: "-",
  externalSourceId: "-",
  externalSourceIdDesc: "-",
  sourceUrl: "-",
  subsourceUrl: "-",
  storedSourceRecord: "-",
  toxvalSubtypeOriginal: "-",
  studyDurationClassOriginal: "-",
  strainOriginal: "-",
  generationOriginal: "-",
  lifestageOriginal: "-",
  exposureMethodOriginal: "-",
  exposureFormOriginal: "-",
  mediaOriginal: "-"
}

const toxval = (random: Random, substance: Substance, n: number): HazardRecords.ToxicityValue => {
  const kind = choose(random, kinds)
  const { category, definition, isHuman, study, type, units } = kind
  const value = round(exp10(-1 + 4 * random.unit()), 3)
  const animals = choose(random, isHuman ? mammals : waterAnimals)
  const duration = choose(random, [28, 90, 365, -999])
  const route = isHuman ? choose(random, ["oral", "dermal", "inhalation"]) : "-"
  const effect = effects.filter(() => random.integerBelow(3) === 0).join("|") || "-"
  const year = random.integerBelow(3) === 0 ? "-" : String(1970 + random.integerBelow(55))
  const sex = choose(random, ["M/F", "M", "F", "-"])
  const number = substance.index * (count.most + 1) + n
  return {
    ...unknown,
    id: number,
    dtxsid: substance.dtxsid,
    casrn: substance.casrn,
    name: substance.preferredName,
    source,
    toxvalType: type,
    toxvalTypeDefinition: definition,
    toxvalTypeSuperCategory: category,
    qualifier: choose(random, ["=", "=", "=", ">", "<="]),
    toxvalNumeric: value,
    toxvalUnits: units,
    riskAssessmentClass: study,
    humanEco: isHuman ? "human health" : "eco",
    studyType: study,
    studyDurationClass: study,
    studyDurationValue: duration,
    studyDurationUnits: duration === -999 ? "-" : "days",
    ...animals,
    sex,
    exposureRoute: route,
    exposureMethod: route === "oral" ? choose(random, ["feed", "gavage", "drinking water"]) : "-",
    media: isHuman ? "-" : "fresh water",
    toxicologicalEffect: effect,
    experimentalRecord: "undetermined",
    studyGroup: `${source}:${number}`,
    longRef: `Study ${number} of a substance that does not exist`,
    title: `Study ${number}`,
    year,
    quality: choose(random, ["-", "1 (reliable without restriction)", "2 (reliable with restrictions)"]),
    sourceHash: `${source}_${number}`,
    toxvalTypeOriginal: type,
    toxvalNumericOriginal: value,
    toxvalUnitsOriginal: units,
    studyTypeOriginal: study,
    studyDurationValueOriginal: duration === -999 ? "-" : String(duration),
    studyDurationUnitsOriginal: duration === -999 ? "-" : "days",
    speciesOriginal: (animals.speciesCommon ?? "").toLowerCase(),
    sexOriginal: sex,
    exposureRouteOriginal: route,
    toxicologicalEffectOriginal: effect,
    originalYear: year
  }
}
