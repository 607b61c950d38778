/**
 * The fifty assay endpoints of generated substances: ten tissues with five targets each.
 *
 * Their `aeid` begins at 900001, so that they are not mistaken for endpoints of a public data set.
 */

/** An assay endpoint. Responses are in percent of control. */
export interface Endpoint {
  readonly aeid: number
  readonly name: string
  readonly tissue: string
  readonly family: string
  /** The baseline median absolute deviation: the spread of responses without an effect. */
  readonly bmad: number
  /** The smallest response that counts as an effect: three times `bmad`. */
  readonly cutoff: number
}

const tissues = [
  "liver",
  "kidney",
  "brain",
  "lung",
  "breast",
  "ovary",
  "skin",
  "intestinal",
  "vascular",
  "cervix"
]

// An endpoint of the family "cell cycle" measures cytotoxicity.
const targets = [
  { family: "nuclear receptor", code: "NR" },
  { family: "gpcr", code: "GPCR" },
  { family: "kinase", code: "KIN" },
  { family: "cytokine", code: "CYT" },
  { family: "cell cycle", code: "VIABILITY" }
]

/** The endpoints, by `aeid`. */
export const endpoints: ReadonlyArray<Endpoint> = tissues.flatMap((tissue, row) =>
  targets.map(({ family, code }, column) => {
    const bmad = 2 + ((3 * row + 2 * column) % 9) / 2
    return {
      aeid: 900_001 + row * targets.length + column,
      name: `GEN_${tissue.toUpperCase()}_${code}`,
      tissue,
      family,
      bmad,
      cutoff: 3 * bmad
    }
  })
)
