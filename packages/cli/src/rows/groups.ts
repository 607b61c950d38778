/** The texts of the groups of commands. The texts of a group that is not listed are made of its rows. */
import type { Command } from "effect/cli"

/** The texts of a group. */
export interface Group {
  readonly description: string
  readonly examples?: ReadonlyArray<Command.Command.Example>
}

/** The texts by the first word of the commands. */
export const groups: Readonly<Record<string, Group>> = {
  search: {
    description: "Substances by name or identifier",
    examples: [
      { command: "chemstream search equal 80-05-7", description: "The substance with a CAS number" },
      { command: "chemstream search start-with Bisphenol", description: "All names that start with this" }
    ]
  },
  formula: {
    description: "Substances by molecular formula",
    examples: [{ command: "chemstream formula exact C15H16O2", description: "The substances of a formula" }]
  },
  msready: {
    description: "MS-ready substances by compound, formula or mass",
    examples: [
      {
        command: "chemstream msready mass --tolerance 0.002 228.115",
        description: "The candidates for a mass"
      }
    ]
  },
  synonyms: { description: "Names and other identifiers of substances" },
  bioactivity: {
    description: "Bioactivity data of substances and assays",
    examples: [
      {
        command: "chemstream bioactivity summary DTXSID7020182",
        description: "How active a substance was, over all assays"
      }
    ]
  }
}
