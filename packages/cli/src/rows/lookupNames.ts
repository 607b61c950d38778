// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
import type { Name } from "./rowGroup.ts"

/** The first words of the commands of rows. Help and the version load no row. */
export const lookupNames: Readonly<Record<string, Name>> = {
  details: { description: "Detail records of substances", takesValues: true },
  all: { description: "Every chemical of the service", takesValues: false },
  search: { description: "Substances by name or identifier", takesValues: true },
  formula: { description: "Substances by molecular formula", takesValues: true },
  msready: { description: "MS-ready substances by compound, formula or mass", takesValues: true },
  synonyms: { description: "Names and other identifiers of substances", takesValues: true },
  bioactivity: { description: "Bioactivity data of substances and assays", takesValues: true }
}
