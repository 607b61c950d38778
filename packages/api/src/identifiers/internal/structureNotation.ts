/**
 * Whether a text is written like a SMILES or like a molecular formula. Whether it is one, only a reader of structures says.
 */
import { Result } from "effect"
import { parse } from "../MolecularFormula.ts"

const tokens = /^(?:Br|Cl|[BCNOPSFI]|[bcnops]|\*|\[[^[\]\s]+\]|%\d\d|\d|[-=#$:/\\.()~])+$/
const beginning = /^(?:[BCNOPSFIbcnops*[]|Br|Cl)/

/** How surely a text is a SMILES: by its punctuation or rings (`written`), by its letters alone (`letters`), or not. */
export const smilesForm = (text: string): "written" | "letters" | undefined => {
  if (!tokens.test(text) || !beginning.test(text) || !isBalanced(text)) return undefined
  const atoms = text.replace(/\[[^[\]]+\]/g, "*")
  if (!ringsClose(atoms)) return undefined
  return /[^A-Za-z]/.test(text) ? "written" : "letters"
}

const isBalanced = (text: string): boolean => {
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    if (character === ")" && --depth < 0) return false
  }
  return depth === 0
}

/** Ring bonds come in pairs. */
const ringsClose = (atoms: string): boolean => {
  const open = new Set<string>()
  for (const [ring] of atoms.matchAll(/%\d\d|\d/g)) if (!open.delete(ring)) open.add(ring)
  return open.size === 0
}

/** How surely a text is a formula: it counts atoms (`counted`), it is letters that could be one (`letters`), or not. */
export const formulaForm = (text: string): "counted" | "letters" | undefined => {
  if (!Result.isSuccess(parse(text))) return undefined
  const symbols = Array.from(text.matchAll(/[A-Z][a-z]?/g), ([symbol]) => symbol)
  if (new Set(symbols).size !== symbols.length) return undefined
  return /\d/.test(text) ? "counted" : "letters"
}
