/**
 * Molecular formulas, e.g. `C15H16O2`, in Hill order: carbon first, then hydrogen, then the other elements by symbol.
 * Without carbon, all elements are ordered by symbol.
 *
 * A formula has element symbols and counts only: no charges, brackets or dots. This module computes no masses.
 */
import { Result, Schema } from "effect"
import * as Quote from "../Quote.ts"
import { type InvalidIdentifier, malformed, trimmed } from "./InvalidIdentifier.ts"

/** The symbols that a molecular formula may contain: the elements, and D and T for the isotopes of hydrogen. */
const symbols =
  "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb " +
  "Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au " +
  "Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og D T"

const elements: ReadonlySet<string> = new Set(symbols.split(" "))

/** The maximum length of a formula, in characters. */
const longest = 200

/** The maximum number of atoms of one element. */
const mostAtoms = 999_999

const schema = Schema.String.check(
  Schema.makeFilter((text) =>
    Result.match(counts(text), { onSuccess: () => undefined, onFailure: (error) => error.message })
  )
).pipe(Schema.brand("MolecularFormula"))

/** A molecular formula, in any order of its elements. */
export type MolecularFormula = typeof schema.Type

/** The schema of a molecular formula. */
export const MolecularFormula: typeof schema = schema

/**
 * Reads a formula and puts it in Hill order. Fails with `InvalidIdentifier`, whose message names the fault.
 *
 * @example
 * ```ts
 * import { MolecularFormula } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(MolecularFormula.parse("H6C6")) // => "C6H6"
 * ```
 */
export const parse = (text: string): Result.Result<MolecularFormula, InvalidIdentifier> =>
  // `hill` returns a valid formula, so the schema need not check it.
  Result.map(counts(trimmed(text)), (atoms) => hill(atoms) as MolecularFormula)

/** Returns the number of atoms of each element. */
const counts = (text: string): Result.Result<ReadonlyMap<string, number>, InvalidIdentifier> => {
  if (text === "") return refuse(text, "it is empty")
  if (text.length > longest) return refuse(text, `it is longer than ${longest} characters`)
  const atoms = new Map<string, number>()
  const part = /([A-Z][a-z]?)(\d*)/y
  let at = 0
  while (at < text.length) {
    part.lastIndex = at
    const match = part.exec(text)
    if (match === null)
      return refuse(text, `${Quote.value(text.slice(at, at + 10))} is not an element symbol`)
    const [whole, symbol = "", digits = ""] = match
    if (!elements.has(symbol)) return refuse(text, `${symbol} is not an element`)
    const count = digits === "" ? 1 : Number(digits)
    if (count > mostAtoms) return refuse(text, `${whole} has more than ${mostAtoms} atoms`)
    if (count === 0) return refuse(text, `${whole} has no atoms`)
    atoms.set(symbol, (atoms.get(symbol) ?? 0) + count)
    at += whole.length
  }
  return Result.succeed(atoms)
}

/** Writes a formula in Hill order. */
const hill = (atoms: ReadonlyMap<string, number>): string => {
  const first = atoms.has("C") ? ["C", "H"].filter((symbol) => atoms.has(symbol)) : []
  const others = Array.from(atoms.keys())
    .filter((symbol) => !first.includes(symbol))
    .sort()
  return [...first, ...others]
    .map((symbol) => {
      const count = atoms.get(symbol)
      return count === 1 ? symbol : `${symbol}${count}`
    })
    .join("")
}

const refuse = (value: string, reason: string) =>
  malformed("molecular formula", "a molecular formula", value, reason)
