/**
 * The example lists. Those of laws and treaties have the bundled substances that are known to be in them, and say so;
 * the others are made of the bundled data.
 */
import { type ListRecords, Lists } from "@chemstream/api"
import { substances } from "../substances.ts"
import { bundled } from "./bundledSubstance.ts"
import { examples, madeUp } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

interface ListFacts {
  readonly listName: string
  readonly label: string
  readonly type: string
  readonly shortDescription: string
  readonly members: ReadonlyArray<{ readonly dtxsid: string }>
}

const part = "Only bundled substances, and not all of those that the list has."

/** Hazardous substances under the Clean Water Act, 40 CFR 116.4. */
const cleanWaterAct = [
  "Acetaldehyde",
  "Acrylonitrile",
  "Ammonia",
  "Benzene",
  "Carbon tetrachloride",
  "Chlorobenzene",
  "Chloroform",
  "Cyclohexane",
  "p,p'-DDT",
  "Ethylbenzene",
  "Formaldehyde",
  "Naphthalene",
  "Nitrobenzene",
  "Pentachlorophenol",
  "Phenol",
  "Styrene",
  "Sulfuric acid",
  "Toluene",
  "Trichloroethylene"
]

/** Substances known to California to cause cancer or reproductive toxicity, Proposition 65. */
const proposition65 = [
  "Acrylamide",
  "Benzene",
  "Bisphenol A",
  "Di(2-ethylhexyl) phthalate",
  "1,4-Dioxane",
  "Formaldehyde",
  "Lead",
  "Methanol",
  "2,3,7,8-Tetrachlorodibenzo-p-dioxin",
  "Toluene",
  "Trichloroethylene",
  "Vinyl chloride"
]

/** Persistent organic pollutants under the Stockholm Convention. */
const stockholmConvention = [
  "Chlordane",
  "p,p'-DDT",
  "Heptachlor",
  "Hexachlorobenzene",
  "Hexachloro-1,3-butadiene",
  "Pentachlorophenol",
  "Perfluorohexanesulfonic acid",
  "Perfluorooctanesulfonic acid",
  "Perfluorooctanoic acid",
  "PCB-126",
  "PCB-153",
  "2,3,7,8-Tetrachlorodibenzo-p-dioxin"
]

const lists: ReadonlyArray<ListFacts> = [
  {
    listName: "40CFR1164",
    label: "Clean Water Act: hazardous substances of 40 CFR 116.4 (part)",
    type: "federal",
    shortDescription: part,
    members: cleanWaterAct.map(bundled)
  },
  {
    listName: "PROP65",
    label: "California: substances of Proposition 65 (part)",
    type: "state",
    shortDescription: part,
    members: proposition65.map(bundled)
  },
  {
    listName: "STOCKHOLM",
    label: "Stockholm Convention: persistent organic pollutants (part)",
    type: "international",
    shortDescription: part,
    members: stockholmConvention.map(bundled)
  },
  {
    listName: "BISPHENOLS",
    label: "Bundled data: bisphenols and their derivatives",
    type: "other",
    shortDescription: "The bundled substances with bisphenol in their names.",
    members: substances.filter(({ preferredName }) => /bisphenol/i.test(preferredName))
  },
  {
    listName: "EXAMPLES",
    label: "Bundled data: example substances",
    type: "other",
    shortDescription: "The substances of made-up records. There are none like them.",
    members: examples
  }
]

/** The example lists by row. */
export const listRecords: RecordsByRow = {
  [Lists.all.name]: lists.map(({ members, ...facts }, n) => {
    const record: ListRecords.ListWithMembers = {
      id: n + 1,
      ...facts,
      longDescription: null,
      chemicalCount: members.length,
      updatedAt: "2026-01-01T00:00:00Z",
      dtxsids: members.map(({ dtxsid }) => dtxsid)
    }
    return members === examples ? madeUp(record) : record
  })
}
