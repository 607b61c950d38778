// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The first words of the commands of rows, with their descriptions. Help and the version load no row. */
export const lookupNames: Readonly<Record<string, string>> = {
  details: "Detail records of substances",
  search: "Substances by name or identifier",
  formula: "Substances by molecular formula",
  msready: "MS-ready substances by compound, formula or mass",
  synonyms: "Names and other identifiers of substances",
  bioactivity: "Bioactivity data of substances and assays"
}
