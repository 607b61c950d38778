/**
 * Adducts of electrospray and chemical ionisation: from the mass of a molecule to the m/z of its ion, and back.
 *
 * An adduct is `[nM±X±Y]z±`: n molecules, their gains and losses, and the charge. Masses are monoisotopic, in dalton,
 * from AME2020 and CODATA 2018. The mass of an ion accounts for the electrons of its charge. `MsReady` finds the
 * substances of a mass.
 */
import { Result } from "effect"
import { type InvalidIdentifier, malformed } from "../identifiers/InvalidIdentifier.ts"
import { argument, argumentAs, isAmount, isObject } from "../internal/checkArgument.ts"
import { type Parts, read, split } from "./internal/adductNotation.ts"
import { electron } from "./internal/atomicMasses.ts"
import type { MassRange } from "./MassRange.ts"

/** The sign of the charge of an ion. */
export type Polarity = "positive" | "negative"

/** An adduct. */
export interface Adduct {
  /** Its canonical spelling, e.g. `[2M+Na]+`. */
  readonly name: string
  /** The number of molecules in the ion. */
  readonly multimer: number
  /** The signed charge, in elementary charges; 0 for the molecule itself (`neutral`). */
  readonly charge: number
  /** The mass of the ion minus the mass of its molecules, in dalton. */
  readonly shift: number
  /** Whether only a form with this charge is meant, e.g. choline, and no neutral molecule. Default: false. */
  readonly isPermanent?: true
}

/** The largest deviation of a measured m/z, to both sides. */
export type Tolerance = { readonly ppm: number } | { readonly da: number }

/** The deviation of a measured m/z from the m/z of a mass. Positive if the measured one is larger. */
export interface MassError {
  /** In parts per million of the m/z of the mass. */
  readonly ppm: number
  /** In dalton, as a difference of m/z. */
  readonly da: number
}

/**
 * Reads an adduct: with brackets and charge (`[M+H]+`, `(M+H)+`, `[M+2H]2+`, `[M]+•`), or without them if the charges of its ions are known
 * (`M+H`, `M+H+`, `2M-H`), as in UNIFI also without M (`+H`). Fractions, and metals of unknown charge, are refused. Parts are formulas, or
 * abbreviations of solvents and modifiers: ACN, FA, HAc, OAc, TFA, DMSO, MeOH, EtOH, IPA.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Adduct.parse("2M + ACN + H")).name // => "[2M+ACN+H]+"
 * Result.isFailure(Adduct.parse("[M+Xy]+")) // => true
 * ```
 */
export const parse = (text: string): Result.Result<Adduct, InvalidIdentifier> =>
  typeof text === "string"
    ? Result.map(read(text), make)
    : malformed("adduct", "an adduct", text, "it is not a text")

/**
 * Reads the adducts of a cell as programs write them: one, several between semicolons (each is tried), or those of CAMERA
 * with masses (`[M+H]+ 228.115`). Empty: the adduct is unknown, i.e. an empty cell, a placeholder or `[M+?]+`.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const names = (text: string) => Result.getOrThrow(Adduct.parseAll(text)).map(({ name }) => name)
 * names("M+H+;(M+Na)+") // => ["[M+H]+", "[M+Na]+"]
 * names("[M+?]+") // => []
 * ```
 */
export const parseAll = (text: string): Result.Result<ReadonlyArray<Adduct>, InvalidIdentifier> =>
  Result.map(Result.all(typeof text === "string" ? split(text).map(parse) : [parse(text)]), (all) => [
    ...new Map(all.map((one) => [one.name, one])).values()
  ])

/** Makes an adduct of its parts. An ion of charge +1 lacks an electron. */
const make = ({ added, charge, multimer, name }: Parts): Adduct => ({
  name,
  multimer,
  charge,
  shift: added - charge * electron
})

/** The mass of an electron in dalton, CODATA 2018. */
export const electronMass: number = electron

/** The molecule itself. Its m/z is its mass. */
export const neutral: Adduct = { name: "[M]", multimer: 1, charge: 0, shift: 0 }

/** Returns the divisor of the ion's mass: its charge without sign, 1 for a neutral molecule. */
const divisor = (adduct: Adduct): number => Math.max(1, Math.abs(checked(adduct).charge))

const checked = (adduct: Adduct): Adduct => argumentAs("adduct", "an adduct", adduct, isAdduct)

const isAdduct = (value: unknown): boolean =>
  isObject(value) && Number.isFinite(value["charge"]) && "shift" in value

const isTolerance = (value: unknown): boolean =>
  isObject(value) && isAmount(value["da" in value ? "da" : "ppm"])

/** Returns the polarity in which an adduct is measured. */
export const polarity = (adduct: Adduct): Polarity => (checked(adduct).charge > 0 ? "positive" : "negative")

/**
 * Returns the m/z of the ion of a molecule.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const protonated = Result.getOrThrow(Adduct.parse("[M+H]+"))
 * Adduct.mz(protonated, 228.11503).toFixed(5) // => "229.12231"
 * Adduct.neutralMass(protonated, 229.12231).toFixed(5) // => "228.11503"
 * ```
 */
export const mz = (adduct: Adduct, mass: number): number =>
  (checked(adduct).multimer * argument("mass", "a finite number", mass) + adduct.shift) / divisor(adduct)

/** Returns the mass of the molecule of an ion. Not positive if the m/z is too small for this adduct. */
export const neutralMass = (adduct: Adduct, measured: number): number =>
  (argument("measured", "a finite number", measured) * divisor(adduct) - adduct.shift) / adduct.multimer

/**
 * Returns the range of molecular masses whose ion is within the tolerance of a measured m/z, both ends included.
 * Parts per million refer to the measured m/z. Undefined if the m/z is too small for this adduct.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const doubly = Result.getOrThrow(Adduct.parse("[M+2H]2+"))
 * const range = Adduct.massRange(doubly, 500, { ppm: 10 })
 * range?.start.toFixed(4) // => "997.9754"
 * range?.end.toFixed(4) // => "997.9954"
 * ```
 */
export const massRange = (adduct: Adduct, measured: number, tolerance: Tolerance): MassRange | undefined => {
  const width = massTolerance(adduct, measured, tolerance)
  const mass = neutralMass(adduct, measured)
  return mass > 0 ? { start: Math.max(0, mass - width), end: mass + width } : undefined
}

/** Returns the tolerance of the molecule's mass, in dalton, for a tolerance of its ion's m/z. */
export const massTolerance = (adduct: Adduct, measured: number, tolerance: Tolerance): number => {
  argumentAs("tolerance", "a tolerance, { ppm } or { da } of 0 or more", tolerance, isTolerance)
  argument("measured", "a finite number", measured)
  const da = "da" in tolerance ? tolerance.da : (measured * tolerance.ppm) / 1e6
  return (da * divisor(adduct)) / adduct.multimer
}

/** Returns the deviation of a measured m/z from the m/z of a mass. */
export const massError = (adduct: Adduct, measured: number, mass: number): MassError => {
  const expected = mz(adduct, mass)
  const da = argument("measured", "a finite number", measured) - expected
  return { da, ppm: (da / expected) * 1e6 }
}

/**
 * Returns whether a form with this charge may have this adduct. A neutral form may have any. The ion of a charged form is
 * the form itself: `[M]+` for choline, never `[M+H]+`.
 *
 * @example
 * ```ts
 * import { Adduct } from "@chemstream/api"
 *
 * Adduct.usual.positive.filter((one) => Adduct.fits(one, 0)).map(({ name }) => name) // => ["[M+H]+", "[M+NH4]+", "[M+Na]+"]
 * Adduct.usual.positive.filter((one) => Adduct.fits(one, 1)).map(({ name }) => name) // => ["[M]+"]
 * ```
 */
export const fits = (adduct: Adduct, formCharge: number): boolean => {
  const { charge, isPermanent, name } = checked(adduct)
  if (charge === 0) return true
  return argument("formCharge", "a finite number", formCharge) === 0
    ? isPermanent !== true
    : formCharge === charge && name.startsWith("[M]")
}

/** An adduct of the table, with its source. */
export interface Known extends Adduct {
  readonly source: "Huang 1999" | "APCI"
}

/** Reads adducts between spaces. */
const known = (source: Known["source"], names: string): ReadonlyArray<Known> =>
  names.split(" ").map((name) => ({ ...Result.getOrThrow(parse(name)), source }))

/**
 * The adducts of published lists. Those that are searched by default are `usual`.
 *
 * - `Huang 1999`: Huang, Siegel, Kruppa, Laukien, J. Am. Soc. Mass Spectrom. 10 (1999) 1166-1173, for electrospray,
 *   as in the adduct calculator of the Fiehn laboratory (UC Davis). Its `M+IsoProp+Na+H` is left out, because its
 *   charge does not fit its ions.
 * - `APCI`: molecular ions, loss of water and uptake of oxygen in atmospheric-pressure chemical ionisation.
 *
 * Masses are computed from the parts: the published ones of `[M+IsoProp+H]+` and `[M-H2O-H]-` omit the electron.
 */
export const table: ReadonlyArray<Known> = [
  ...known(
    "Huang 1999",
    "[M+H]+ [M+NH4]+ [M+Na]+ [M+K]+ [M+CH3OH+H]+ [M+ACN+H]+ [M+2Na-H]+ [M+IsoProp+H]+ [M+ACN+Na]+ [M+2K-H]+ " +
      "[M+DMSO+H]+ [M+2ACN+H]+ [2M+H]+ [2M+NH4]+ [2M+Na]+ [2M+K]+ [2M+ACN+H]+ [2M+ACN+Na]+ " +
      "[M+2H]2+ [M+H+NH4]2+ [M+H+Na]2+ [M+H+K]2+ [M+ACN+2H]2+ [M+2Na]2+ [M+2ACN+2H]2+ [M+3ACN+2H]2+ [2M+3H2O+2H]2+ " +
      "[M+3H]3+ [M+2H+Na]3+ [M+H+2Na]3+ [M+3Na]3+ " +
      "[M-H]- [M-H2O-H]- [M+Na-2H]- [M+Cl]- [M+K-2H]- [M+FA-H]- [M+HAc-H]- [M+Br]- [M+TFA-H]- " +
      "[2M-H]- [2M+FA-H]- [2M+HAc-H]- [3M-H]- [M-2H]2- [M-3H]3-"
  ),
  ...known("APCI", "[M]+ [M+H-H2O]+ [M+H-2H2O]+ [M]- [M+O2]- [M-H+O]-")
]

/** The ion of a form with a charge of its own, e.g. choline. */
const permanent = (name: string): Adduct => ({ ...Result.getOrThrow(parse(name)), isPermanent: true })

/** The default adducts: the most common ones in electrospray, and the ions of forms with a permanent charge. */
export const usual: Readonly<Record<Polarity, ReadonlyArray<Adduct>>> = {
  positive: [...known("Huang 1999", "[M+H]+ [M+NH4]+ [M+Na]+"), permanent("[M]+")],
  negative: [...known("Huang 1999", "[M-H]- [M+Cl]- [M+FA-H]-"), permanent("[M]-")]
}
