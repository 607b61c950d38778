// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
import type { Name } from "./endpointGroup.ts"

/** The first words of the commands of endpoints. Help and the version load no row. */
export const lookupNames: Readonly<Record<string, Name>> = {
  details: { description: "Detail records of substances", takesValues: true },
  all: { description: "Every chemical of the service", takesValues: false },
  search: { description: "Substances by name or identifier", takesValues: true },
  formula: { description: "Substances by molecular formula", takesValues: true },
  msready: { description: "MS-ready substances by compound, formula or mass", takesValues: true },
  synonyms: { description: "Names and other identifiers of substances", takesValues: true },
  bioactivity: { description: "Bioactivity data of substances and assays", takesValues: true },
  hazard: {
    description: "Toxicity values, studies, and calls of cancer, genotoxicity and irritation",
    takesValues: true
  },
  exposure: {
    description: "Uses, products, lists, monitoring and predicted exposure of substances",
    takesValues: true
  },
  properties: { description: "Predicted and measured properties of substances", takesValues: true },
  fate: { description: "Fate of substances in the environment, predicted and measured", takesValues: true },
  lists: { description: "Public lists of substances, and their members", takesValues: true },
  assays: { description: "Assays: annotation, genes, pathways, models, quality control", takesValues: true },
  files: { description: "Structure images and molfiles", takesValues: true },
  extra: { description: "Counts of literature and patents about substances", takesValues: true },
  links: { description: "Pages about substances elsewhere: GHS safety data, Wikipedia", takesValues: true }
}
