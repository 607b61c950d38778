/**
 * The kinds of identifiers that a column of a table may hold, and the classification of texts.
 *
 * A text is classified by its form alone. Damage with a single remedy is repaired. SMILES and InChI are recognised by
 * their characters and not validated. Nothing is looked up here.
 */
import { Result } from "effect"
import { named } from "../internal/checkArgument.ts"
import * as Casrn from "./Casrn.ts"
import * as Dtxcid from "./Dtxcid.ts"
import * as Dtxsid from "./Dtxsid.ts"
import { type InvalidIdentifier, malformed, trimmed } from "./InvalidIdentifier.ts"
import { formulaForm, smilesForm } from "./internal/structureNotation.ts"
import * as NameForm from "./NameForm.ts"
import * as Placeholder from "./Placeholder.ts"
import * as Repair from "./Repair.ts"

/** The names of the kinds. A text is tried as each kind, in this order. */
export const names = [
  "dtxsid",
  "dtxcid",
  "casrn",
  "inchikey",
  "skeleton",
  "inchi",
  "smiles",
  "formula",
  "name"
] as const

/** The name of a kind. */
export type Name = (typeof names)[number]

/** A text read as an identifier of one kind. */
export interface Reading {
  readonly kind: Name
  /** The identifier in canonical spelling. */
  readonly value: string
  /** A repair or a doubt, in words for people. */
  readonly note?: string
}

/** What people call a kind of identifier, an example of it, and how a text is read as one. */
export interface Kind {
  /** The display name. */
  readonly label: string
  readonly example: string
  /** Reads a text as this kind, and repairs damage. Fails with the reason if the text is not of this kind. */
  readonly read: (text: string) => Result.Result<Reading, InvalidIdentifier>
}

/** The possible readings of a text. */
export interface Classification {
  /** The most likely readings, all equally likely. */
  readonly first: readonly [Reading, ...ReadonlyArray<Reading>]
  /** The readings to try next, in this order, if the service knows none of the first. */
  readonly otherwise: ReadonlyArray<Reading>
}

const refuse = (noun: string, value: string, reason: string) => malformed(noun, noun, value, reason)

/** Reads an identifier and repairs its damage. `parse` accepts any check digit: a wrong one of a text without damage is a note. */
const repaired =
  (kind: Repair.Kind, parse: (text: string) => Result.Result<string, InvalidIdentifier> = Result.succeed) =>
  (text: string): Result.Result<Reading, InvalidIdentifier> => {
    const found = Repair.read(kind, text)
    if (Result.isSuccess(found)) return Result.succeed({ kind, ...found.success })
    const { message, reason, value } = found.failure
    return reason === "check-digit" && Result.getOrUndefined(parse(text)) === value
      ? Result.succeed({ kind, value, note: message })
      : Result.fail(found.failure)
  }

const skeletonForm = /^([A-Z]{14})(-[A-Z]{10})?-?$/

const skeletonOf = (text: string): Reading | undefined => {
  const [match, first = "", second = ""] = skeletonForm.exec(NameForm.hyphens(trimmed(text))) ?? []
  return match === undefined ? undefined : { kind: "skeleton", value: first + second }
}

const skeleton = (text: string): Result.Result<Reading, InvalidIdentifier> => {
  const found = skeletonOf(text)
  return found === undefined
    ? refuse("the skeleton of an InChIKey", text, "it must have 14 capital letters, e.g. IISBACLAFKSPIT")
    : Result.succeed(found)
}

const freeText =
  (kind: "smiles" | "name") =>
  (text: string): Result.Result<Reading, InvalidIdentifier> =>
    typeof text === "string" && text.isWellFormed()
      ? Result.succeed({ kind, value: text.trim() })
      : refuse(`a ${kind}`, text, "it contains half a character")

/** The kinds by their names. */
export const kinds: Readonly<Record<Name, Kind>> = {
  dtxsid: { label: "DTXSID", example: "DTXSID7020182", read: repaired("dtxsid", Dtxsid.parse) },
  dtxcid: { label: "DTXCID", example: "DTXCID30182", read: repaired("dtxcid", Dtxcid.parse) },
  casrn: { label: "CAS number", example: "80-05-7", read: repaired("casrn", Casrn.parse) },
  inchikey: { label: "InChIKey", example: "IISBACLAFKSPIT-UHFFFAOYSA-N", read: repaired("inchikey") },
  skeleton: { label: "InChIKey skeleton", example: "IISBACLAFKSPIT", read: skeleton },
  inchi: { label: "InChI", example: "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H", read: repaired("inchi") },
  smiles: {
    label: "SMILES",
    example: "c1ccccc1",
    // Only a structure library can tell whether other texts are SMILES.
    read: (text) => Result.orElse(repaired("smiles")(text), () => freeText("smiles")(text))
  },
  formula: { label: "molecular formula", example: "C15H16O2", read: repaired("formula") },
  name: { label: "name", example: "Bisphenol A", read: freeText("name") }
}

/**
 * Returns the display name of a kind with its indefinite article, for messages.
 *
 * @example
 * ```ts
 * import { IdentifierKind } from "@chemstream/api"
 *
 * IdentifierKind.withArticle("casrn") // => "a CAS number"
 * IdentifierKind.withArticle("inchikey") // => "an InChIKey"
 * ```
 */
export const withArticle = (kind: Name): string => {
  const { label } = named("kind", kinds, kind)
  return `${label.startsWith("InChI") ? "an" : "a"} ${label}`
}

/** The kinds of fixed form, in the order in which a text is tried. */
const fixed = ["dtxsid", "dtxcid", "inchikey", "casrn", "inchi"] as const

/** Matches the start of a text that is an identifier, or a damaged one. */
const starts = {
  dtxsid: /^\W*D\W*T\W*X\W*[S5]/i,
  dtxcid: /^\W*D\W*T\W*X\W*C/i,
  inchi: /^\W*inchi\s*=/i
} as const

/**
 * Returns the possible readings of a text. Fails for a text that cannot be looked up: an empty one, a placeholder
 * (`NA`), a damaged identifier without a single repair, or a date that stands for no single CAS number.
 *
 * Letters that may be a name, a SMILES and a formula at once (`CO`, `PFOS`) get all these readings. A formula with
 * counts (`C6H6`) is tried before the name, a formula without (`NaCl`) after it. The symbol of an element (`S`) is not read as
 * a SMILES. The only identifier within a text is tried before the text as a name.
 *
 * @example
 * ```ts
 * import { IdentifierKind } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * const kindsOf = (text: string) => {
 *   const { first, otherwise } = Result.getOrThrow(IdentifierKind.classify(text))
 *   return [...first, ...otherwise].map(({ kind, value }) => `${kind} ${value}`)
 * }
 * kindsOf("000080 05 7") // => ["casrn 80-05-7"]
 * kindsOf("5/7/1980") // => ["casrn 80-05-7"]
 * kindsOf("H6C6") // => ["formula C6H6", "name H6C6"]
 * kindsOf("Bisphenol A (80-05-7)") // => ["casrn 80-05-7", "name Bisphenol A (80-05-7)"]
 * ```
 */
export const classify = (text: string): Result.Result<Classification, InvalidIdentifier> => {
  const value = trimmed(text)
  if (value === "") return refuse("an identifier", text, "it is empty")
  const placeholder = Placeholder.fault("an identifier", text)
  if (placeholder !== undefined) return Result.fail(placeholder)
  if (!value.isWellFormed()) return refuse("an identifier", text, "it contains half a character")
  for (const kind of fixed) {
    if (!Repair.resembles(kind, value)) continue
    const found = kinds[kind].read(value)
    // Twenty-five capital letters may also be a name.
    if (Result.isSuccess(found) && kind === "inchikey" && /^[A-Z\s]+$/.test(value))
      return Result.succeed({ first: [found.success], otherwise: [{ kind: "name", value }] })
    if (Result.isSuccess(found)) return single(found)
    if (!isMeant(kind, value, found.failure)) continue
    const several = Repair.severalFault(found.failure, value)
    if (several !== undefined || Repair.within(value).length === 0) return several ?? single(found)
  }
  return Result.succeed(classifyLetters(value))
}

/** Returns whether a text was meant as an identifier of a kind, though it is not a valid one. */
const isMeant = (kind: (typeof fixed)[number], value: string, { reason }: InvalidIdentifier): boolean => {
  if (kind === "casrn") return reason === "check-digit" || Repair.isDate(value)
  return kind !== "inchikey" && starts[kind].test(value)
}

const single = (
  reading: Result.Result<Reading, InvalidIdentifier>
): Result.Result<Classification, InvalidIdentifier> =>
  Result.map(reading, (one) => ({ first: [one], otherwise: [] }))

/** Classifies a text that fits no identifier of fixed form. */
const classifyLetters = (value: string): Classification => {
  const name: Reading = { kind: "name", value }
  const start = skeletonOf(value)
  if (start !== undefined) {
    // Fourteen capital letters may also be a name.
    return { first: [start, ...(value.includes("-") ? [] : [name])], otherwise: [] }
  }
  const read = (kind: "formula" | "name" | "smiles"): Reading | undefined => {
    const found = Repair.resembles(kind, value) ? Repair.read(kind, value) : undefined
    return found === undefined || Result.isFailure(found) ? undefined : { kind, ...found.success }
  }
  const formula = read("formula")
  const formulas = formula === undefined ? [] : [formula]
  const formulaFit =
    formula === undefined ? undefined : formulaForm(formula.note === undefined ? value : formula.value)
  if (formula !== undefined && formulaFit === "likely") return { first: [formula], otherwise: [name] }
  const smiles = read("smiles")
  const smilesFit = smiles === undefined ? undefined : smilesForm(smiles.value)
  if (smiles !== undefined && smilesFit === "likely") {
    return { first: [smiles], otherwise: smiles.note === undefined ? [] : [name] }
  }
  const note = Repair.severalNote(value)
  if (note !== undefined) return { first: [{ ...name, note }], otherwise: [] }
  const [inside] = Repair.within(value)
  if (inside !== undefined) return { first: [inside], otherwise: [name] }
  // As a SMILES, the symbol of an element is its hydride.
  if (/^(?:Br|Cl|[BCFINOPS])$/.test(value)) {
    const hint = "the symbol of an element, which is not read as the SMILES of its hydride"
    return { first: [{ ...name, note: hint }, ...formulas], otherwise: [] }
  }
  if (smiles !== undefined && smiles.note === undefined && smilesFit === "possible") {
    return { first: [name, smiles, ...(formulaFit === undefined ? [] : formulas)], otherwise: [] }
  }
  // A service may have the name with its invisible characters.
  const plain = read("name")
  if (plain?.note !== undefined) return { first: [name], otherwise: [plain] }
  if (formulaFit !== undefined || formula === undefined) return { first: [name], otherwise: formulas }
  // The formula repeats an element: CH3OH.
  const repeated = { ...formula, note: `read as the formula ${formula.value}` }
  return { first: [name], otherwise: /\d/.test(value) ? [repeated] : [] }
}
