/**
 * The fifty assay endpoints of generated substances: ten tissues with five targets each.
 *
 * Their `aeid` begins at 900001, so that they are not mistaken for endpoints of a public data set.
 */

/** A human gene in NCBI Gene. */
export interface Gene {
  readonly geneSymbol: string
  readonly entrezGeneId: number
  readonly geneName: string
}

/** An assay endpoint. Responses are in percent of control. */
export interface Endpoint {
  readonly aeid: number
  readonly name: string
  readonly tissue: string
  readonly family: string
  /** The gene of the target. Undefined: the endpoint has no target. */
  readonly gene: Gene | undefined
  /** The baseline median absolute deviation: the spread of responses without an effect. */
  readonly bmad: number
  /** The smallest response that counts as an effect: three times `bmad`. */
  readonly cutoff: number
}

const tissues = "liver kidney brain lung breast ovary skin intestinal vascular cervix".split(" ")

const makeGene = (geneSymbol: string, entrezGeneId: number, geneName: string): Gene => ({
  geneSymbol,
  entrezGeneId,
  geneName
})

// An endpoint of the family "cell cycle" measures cytotoxicity.
const targets: ReadonlyArray<Pick<Endpoint, "family" | "gene"> & { readonly code: string }> = [
  { family: "nuclear receptor", code: "NR", gene: makeGene("ESR1", 2099, "estrogen receptor 1") },
  { family: "gpcr", code: "GPCR", gene: makeGene("ADRB2", 154, "adrenoceptor beta 2") },
  { family: "kinase", code: "KIN", gene: makeGene("EGFR", 1956, "epidermal growth factor receptor") },
  { family: "cytokine", code: "CYT", gene: makeGene("CXCL8", 3576, "C-X-C motif chemokine ligand 8") },
  { family: "cell cycle", code: "VIABILITY", gene: undefined }
]

/** The endpoints, by `aeid`. */
export const endpoints: ReadonlyArray<Endpoint> = tissues.flatMap((tissue, row) =>
  targets.map(({ family, code, gene }, column) => {
    const bmad = 2 + ((3 * row + 2 * column) % 9) / 2
    return {
      aeid: 900_001 + row * targets.length + column,
      name: `GEN_${tissue.toUpperCase()}_${code}`,
      tissue,
      family,
      gene,
      bmad,
      cutoff: 3 * bmad
    }
  })
)
