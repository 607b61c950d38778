/**
 * Reads the notation of adducts: `[2M+ACN+H]+`, `M+H`, `[M-2H]2-`, `[M]+•`. M is the molecule, ACN the solvent acetonitrile.
 *
 * `read` reads one adduct into its molecules, charge and mass; `split` finds the adducts in a cell of a table.
 */
import { Result } from "effect"
import { type InvalidIdentifier, malformed } from "../../identifiers/InvalidIdentifier.ts"
import { hyphens } from "../../identifiers/NameForm.ts"
import * as Placeholder from "../../identifiers/Placeholder.ts"
import * as Quote from "../../Quote.ts"
import { ofFormula } from "./atomicMasses.ts"

/** An adduct as it is written: its molecules, the mass and charge that they gain, and its canonical spelling. */
export interface Parts {
  readonly name: string
  readonly multimer: number
  readonly charge: number
  /** The mass of the gains minus the mass of the losses, without electrons. */
  readonly added: number
}

/** Abbreviations of solvents and modifiers, in any case: the formula, and the usual spelling. */
const abbreviations: ReadonlyMap<string, readonly [formula: string, spelling: string]> = new Map([
  ["acn", ["C2H3N", "ACN"]],
  ["mecn", ["C2H3N", "ACN"]],
  ["fa", ["CH2O2", "FA"]],
  ["form", ["CH2O2", "FA"]],
  ["hac", ["C2H4O2", "HAc"]],
  ["acoh", ["C2H4O2", "HAc"]],
  ["oac", ["C2H3O2", "OAc"]],
  ["tfa", ["C2HF3O2", "TFA"]],
  ["dmso", ["C2H6OS", "DMSO"]],
  ["meoh", ["CH4O", "MeOH"]],
  ["etoh", ["C2H6O", "EtOH"]],
  ["isoprop", ["C3H8O", "IPA"]],
  ["ipa", ["C3H8O", "IPA"]]
])

/** The charges of the usual ions. They give the charge of an adduct that is written without one. */
const ions: ReadonlyMap<string, number> = new Map([
  ...["H", "Li", "Na", "K", "Rb", "Cs", "Ag", "NH4"].map((ion) => [ion, 1] as const),
  ...["Mg", "Ca", "Sr", "Ba", "Zn"].map((ion) => [ion, 2] as const),
  ...["F", "Cl", "Br", "I", "HCOO", "CHO2", "CH3COO", "C2H3O2", "OAc", "CF3COO", "NO3", "O2"].map(
    (ion) => [ion, -1] as const
  )
])

/** Metals of several charges. An adduct with one is written with its charge. */
const variableMetals: ReadonlySet<string> = new Set(["Al", "Mn", "Fe", "Co", "Ni", "Cu"])

/** The bounds of an adduct: its molecules, its charge, and the characters of its text. */
const largestMultimer = 9
const largestCharge = 20
const longest = 100

/** Matches an adduct in brackets with its charge, or without both. */
const whole = /^\[(?<inner>[^\]]+)\](?<charge>.*)$|^(?<bare>[^[\]]+)$/
/** Matches the molecules, e.g. `2M`. */
const multimer = /^(\d*)M/
/** Matches a gain or a loss, e.g. `+2Na` or `-H2O`. */
const part = /([+-])(\d*)([A-Za-z][A-Za-z0-9]*)/y

/** Matches an adduct whose ion is unknown. */
const unknown = /^\[?\d*M[+-]?\?\]?[\d+-]*$/

/**
 * Splits a cell into the adducts that it names: `[M+H]+;[M+Na]+`, or those of CAMERA with the masses of their molecules,
 * `[M+H]+ 228.115 [M+Na]+ 206.13`. Empty: the adduct is unknown (`?`, `[M+?]+`, `NA`).
 */
export const split = (text: string): ReadonlyArray<string> => {
  // Splits at semicolons, bars, and commas that are neither within brackets nor before a digit.
  const items = text.split(/[;|]|,(?![^[(]*[\])])(?!\d)/).flatMap((item) => {
    // CAMERA: adducts in brackets, each followed by a mass.
    const named = item.match(/[[(][^\])]*[\])]\s*\d*[+-]*\d*(?=\s+\d+[.,]\d+(?:\s|$))/g)
    return named === null ? [item.trim()] : named
  })
  return items.filter(
    (item) => item !== "" && !Placeholder.is(item) && !unknown.test(item.replace(/\s/g, ""))
  )
}

/** Returns the parts of an adduct, or the reason why the text is not one. */
export const read = (text: string): Result.Result<Parts, InvalidIdentifier> => {
  if (text.length > longest) return refuse(text, `it is longer than ${longest} characters`)
  // NFKC turns a superscript plus into +. The dot of a radical does not change its mass.
  const spaced = hyphens(text.normalize("NFKC"))
  if (/\d[.,]\d/.test(spaced)) return refuse(text, "it has a fraction; write whole numbers, e.g. [2M+3H]3+")
  const plain = spaced
    .replace(/[\s•·.*]/g, "")
    .replace(/^\((.*)\)/, "[$1]")
    .replace(/^\[\[(.*)\]\]/, "[$1]")
  const { bare, inner = "", charge = "" } = whole.exec(plain)?.groups ?? {}
  if (bare === undefined) return readParts(text, inner, charge)
  // UNIFI writes the parts alone: +H, -H, -e.
  const isAlone = /^[+-]\d*[A-Za-z]/.test(bare)
  return readBare(text, isAlone ? `M${bare.replace(/^-e$/, "+").replace(/^\+e$/, "-")}` : bare)
}

/** Reads an adduct without brackets. Its charge follows it (`M+H+`, `M+2H2+`), or is that of its ions. */
const readBare = (text: string, bare: string): Result.Result<Parts, InvalidIdentifier> => {
  const readings = [/^(.*\w)([+-])$/, /^(.*\w)(\d[+-])$/, /^(.*\w)([+-]\d)$/].flatMap((form) => {
    const [, inner = "", charge = ""] = form.exec(bare) ?? []
    if (inner === "" || /^\d*M$/.test(inner)) return []
    const [own, given] = [readParts(text, inner, ""), readParts(text, inner, charge)]
    const isSame =
      Result.isSuccess(own) && Result.isSuccess(given) && own.success.charge === given.success.charge
    return isSame ? [given] : []
  })
  return readings[0] ?? readParts(text, bare, "")
}

/** Reads the molecules, gains and losses of an adduct (`inner`), and its charge. Empty: the charge is that of its ions. */
const readParts = (text: string, inner: string, charge: string): Result.Result<Parts, InvalidIdentifier> => {
  const [start, count = ""] = multimer.exec(inner) ?? []
  if (start === undefined) return refuse(text, "it has no M; write e.g. [M+H]+")
  const n = count === "" ? 1 : Number(count)
  if (n < 1 || n > largestMultimer)
    return refuse(text, `${count}M is out of range: use 1M to ${largestMultimer}M`)
  return Result.flatMap(
    sum(text, inner.slice(start.length), charge === ""),
    ({ added, inferred, written }) => {
      const z = charge === "" ? inferred : chargeOf(charge)
      if (z === undefined || z === 0) {
        return refuse(
          text,
          `its charge ${charge === "" ? "is missing" : `"${charge}" cannot be read`}; write e.g. [M+H]+`
        )
      }
      if (Math.abs(z) > largestCharge) return refuse(text, `its charge is above ${largestCharge}`)
      const size = Math.abs(z) === 1 ? "" : String(Math.abs(z))
      const name = `[${n === 1 ? "" : n}M${written}]${size}${z > 0 ? "+" : "-"}`
      return Result.succeed({ name, multimer: n, charge: z, added })
    }
  )
}

/** Sums the parts after M. A sign alone, as in `M+`, is a charge. */
const sum = (
  text: string,
  parts: string,
  isChargeMissing: boolean
): Result.Result<
  { readonly added: number; readonly inferred: number; readonly written: string },
  InvalidIdentifier
> => {
  if (/^[+-]$/.test(parts)) return Result.succeed({ added: 0, inferred: parts === "+" ? 1 : -1, written: "" })
  let added = 0
  let inferred = 0
  let written = ""
  let at = 0
  while (at < parts.length) {
    part.lastIndex = at
    const match = part.exec(parts)
    if (match === null) return refuse(text, `${Quote.value(parts.slice(at))} cannot be read`)
    const [found, sign, digits = "", what = ""] = match
    const count = (sign === "-" ? -1 : 1) * (digits === "" ? 1 : Number(digits))
    if (variableMetals.has(what) && isChargeMissing)
      return refuse(text, `the charge of ${what} varies; write the charge of the ion, e.g. [M+${what}]2+`)
    const [formula, spelling] = abbreviations.get(what.toLowerCase()) ?? [what, what]
    const mass = ofFormula(formula)
    if (Result.isFailure(mass) || mass.success === undefined) {
      return refuse(
        text,
        `${what} is neither a formula of elements with a known mass nor an abbreviation of a solvent`
      )
    }
    added += count * mass.success
    inferred += count * (ions.get(spelling) ?? 0)
    written += `${sign}${digits}${spelling}`
    at += found.length
  }
  return Result.succeed({ added, inferred, written })
}

/** Reads a charge: `+`, `2+`, `+2` or `++`. Undefined for anything else. */
const chargeOf = (text: string): number | undefined => {
  const {
    after = "",
    before = "",
    sign = ""
  } = /^(?<before>\d*)(?<sign>\++|-+)(?<after>\d*)$/.exec(text)?.groups ?? {}
  if (sign === "" || (before !== "" && after !== "")) return undefined
  const digits = before + after
  if (digits !== "" && sign.length > 1) return undefined
  return (sign.startsWith("+") ? 1 : -1) * (digits === "" ? sign.length : Number(digits))
}

const refuse = (value: string, reason: string) => malformed("adduct", "an adduct", value, reason)
