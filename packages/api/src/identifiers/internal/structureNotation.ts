/**
 * Recognises texts that are written like a SMILES, an InChI or a molecular formula. It does not validate structures.
 */
import { Result } from "effect"
import { parse } from "../MolecularFormula.ts"

/** Returns the InChI of a text. Its prefix may be in any case, or absent. Undefined: the text is none. */
export const inchiForm = (text: string): string | undefined => {
  const [, layers] = /^(?:inchi=)?(1S?\/[!-~]+)$/i.exec(text) ?? []
  return layers === undefined ? undefined : `InChI=${layers.replace(/^1s/, "1S")}`
}

/** Matches a text of atoms, bonds, rings and branches of SMILES. */
const tokens = /^(?:Br|Cl|[BCNOPSFI]|[bcnops]|\*|\[[!-Z^-~]+\]|%\d\d|\d|[-=#$:/\\.()~])+$/
/** Matches the first atom. */
const beginning = /^(?:[BCNOPSFIbcnops*[]|Br|Cl)/

/**
 * Returns `likely` for a SMILES with punctuation or rings, `possible` for letters that may be one, and undefined for
 * any other text.
 */
export const smilesForm = (text: string): "likely" | "possible" | undefined => {
  if (!tokens.test(text) || !beginning.test(text) || !isBalanced(text)) return undefined
  // The digits within brackets are no rings.
  const atoms = text.replace(/\[[^[\]]+\]/g, "*")
  if (!ringsClose(atoms)) return undefined
  return /[^A-Za-z]/.test(text) ? "likely" : "possible"
}

const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    if (character === ")" && --depth < 0) return false
  }
  return depth === 0
}

/** Returns whether the ring bonds come in pairs. */
const ringsClose = (atoms: string): boolean => {
  const open = new Set<string>()
  for (const [ring] of atoms.matchAll(/%\d\d|\d/g)) if (!open.delete(ring)) open.add(ring)
  return open.size === 0
}

/**
 * Returns `likely` for a formula with counts, and `possible` for letters that may be one. Undefined for any other
 * text, and for a formula that repeats an element.
 */
export const formulaForm = (text: string): "likely" | "possible" | undefined => {
  if (!Result.isSuccess(parse(text))) return undefined
  const symbols = Array.from(text.matchAll(/[A-Z][a-z]?/g), ([symbol]) => symbol)
  if (new Set(symbols).size !== symbols.length) return undefined
  return /\d/.test(text) ? "likely" : "possible"
}
