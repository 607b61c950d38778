/**
 * The kinds of identifiers that a column of a table may hold, and the classification of texts.
 *
 * A text is classified by its form alone. Damage with a single remedy is repaired. SMILES and InChI are recognised by
 * their characters and not validated. Nothing is looked up here.
 */
import { Result } from "effect"
import * as Casrn from "./Casrn.ts"
import * as Dtxcid from "./Dtxcid.ts"
import * as Dtxsid from "./Dtxsid.ts"
import * as InchiKey from "./InchiKey.ts"
import { InvalidIdentifier } from "./InvalidIdentifier.ts"
import { repair } from "./internal/casrnRepair.ts"
import { formulaForm, smilesForm } from "./internal/structureNotation.ts"
import * as MolecularFormula from "./MolecularFormula.ts"
import * as Quote from "./Quote.ts"

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

/** A kind of identifier. */
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

const refuse = (identifier: string, value: string, reason: string): Result.Result<never, InvalidIdentifier> =>
  Result.fail(
    new InvalidIdentifier({
      identifier,
      value,
      reason: "malformed",
      message: `${Quote.value(value)} is not ${identifier}: ${reason}`
    })
  )

const checked = <Id extends string>(
  kind: Name,
  parsed: Result.Result<Id, InvalidIdentifier>,
  verify: (id: Id) => Result.Result<Id, InvalidIdentifier>
): Result.Result<Reading, InvalidIdentifier> =>
  Result.map(parsed, (value) => {
    const verified = verify(value)
    return Result.isSuccess(verified) ? { kind, value } : { kind, value, note: verified.failure.message }
  })

const casrn = (text: string): Result.Result<Reading, InvalidIdentifier> =>
  Result.flatMap(repair(text), (found) => {
    if (found === undefined) return Result.map(Casrn.parse(text), (value) => ({ kind: "casrn", value }))
    const reading = checked("casrn", Result.succeed(found.casrn), Casrn.verify)
    return Result.map(reading, (one) => {
      const notes = [found.repair, one.note].filter((note) => note !== undefined)
      return notes.length === 0 ? one : { ...one, note: notes.join("; ") }
    })
  })

const dashes = /[‐‑‒–—―−]/g
const skeletonForm = /^([A-Z]{14})(-[A-Z]{10})?-?$/

const skeleton = (text: string): Result.Result<Reading, InvalidIdentifier> => {
  const match = skeletonForm.exec(text.trim().replace(dashes, "-"))
  if (match === null) {
    return refuse("the skeleton of an InChIKey", text, "it must have 14 capital letters, e.g. IISBACLAFKSPIT")
  }
  const [, first = "", second = ""] = match
  return Result.succeed({ kind: "skeleton", value: first + second })
}

const inchiForm = /^(?:inchi=)?(1S?\/[^\s]+)$/i

const inchi = (text: string): Result.Result<Reading, InvalidIdentifier> => {
  const [, layers] = inchiForm.exec(text.trim()) ?? []
  return layers === undefined
    ? refuse("an InChI", text, "it must start with InChI=1S/ and have no spaces")
    : Result.succeed({ kind: "inchi", value: `InChI=${layers.replace(/^1s/, "1S")}` })
}

const freeText =
  (kind: "smiles" | "name") =>
  (text: string): Result.Result<Reading, InvalidIdentifier> =>
    text.isWellFormed()
      ? Result.succeed({ kind, value: text.trim() })
      : refuse(`a ${kind}`, text, "it contains half a character")

/** The kinds by their names. */
export const kinds: Readonly<Record<Name, Kind>> = {
  dtxsid: {
    label: "DTXSID",
    example: "DTXSID7020182",
    read: (text) => checked("dtxsid", Dtxsid.parse(text), Dtxsid.verify)
  },
  dtxcid: {
    label: "DTXCID",
    example: "DTXCID30182",
    read: (text) => checked("dtxcid", Dtxcid.parse(text), Dtxcid.verify)
  },
  casrn: { label: "CAS number", example: "80-05-7", read: casrn },
  inchikey: {
    label: "InChIKey",
    example: "IISBACLAFKSPIT-UHFFFAOYSA-N",
    read: (text) =>
      Result.map(InchiKey.parse(text.replace(dashes, "-").replace(/^inchikey[=:]\s*/i, "")), (value) => ({
        kind: "inchikey",
        value
      }))
  },
  skeleton: { label: "InChIKey skeleton", example: "IISBACLAFKSPIT", read: skeleton },
  inchi: { label: "InChI", example: "InChI=1S/C6H6/c1-2-4-6-5-3-1/h1-6H", read: inchi },
  smiles: { label: "SMILES", example: "c1ccccc1", read: freeText("smiles") },
  formula: {
    label: "molecular formula",
    example: "C15H16O2",
    read: (text) => Result.map(MolecularFormula.parse(text), (value) => ({ kind: "formula", value }))
  },
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
  const { label } = kinds[kind]
  return `${label.startsWith("InChI") ? "an" : "a"} ${label}`
}

/** Returns whether a text is the name of a kind. */
export const isName = (text: string): text is Name => names.some((name) => name === text)

/** Matches a cell without a value: empty, a dash, `n/a` or a spreadsheet error. */
const blank = /^(?:|-+|–|—|n\/a|n\.a\.|#(?:N\/A|NAME\?|(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|FIELD)!))$/i

/**
 * Returns the possible readings of a text. Fails for a text that cannot be looked up: a blank cell, a spreadsheet
 * error, or a date that stands for no single CAS number.
 *
 * Letters that may be a name, a SMILES and a formula at once (`CO`, `PFOS`) get all these readings. A formula with
 * counts (`C6H6`) is tried before the name, a formula without (`NaCl`) after it.
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
 * ```
 */
export const classify = (text: string): Result.Result<Classification, InvalidIdentifier> => {
  const value = text.trim()
  if (blank.test(value))
    return refuse("an identifier", text, value === "" ? "it is empty" : "it is a placeholder for no value")
  if (/^dtx[sc]id/i.test(value)) return single(kinds[/^dtxs/i.test(value) ? "dtxsid" : "dtxcid"].read(value))
  if (/^inchi=/i.test(value)) return single(inchi(value))
  const number = repair(value)
  if (Result.isFailure(number) || number.success !== undefined) return single(casrn(value))
  const key = kinds.inchikey.read(value)
  if (Result.isSuccess(key)) return single(key)
  if (inchiForm.test(value)) return single(inchi(value))
  const name = freeText("name")(value)
  if (Result.isFailure(name)) return Result.fail(name.failure)
  return Result.succeed(classifyLetters(value, name.success))
}

const single = (
  reading: Result.Result<Reading, InvalidIdentifier>
): Result.Result<Classification, InvalidIdentifier> =>
  Result.map(reading, (one) => ({ first: [one], otherwise: [] }))

/** Classifies a text that fits no identifier of fixed form. */
const classifyLetters = (value: string, name: Reading): Classification => {
  const start = skeleton(value)
  if (Result.isSuccess(start)) {
    // Fourteen capital letters may also be a name.
    return {
      first: [start.success, ...(value.includes("-") ? [] : [name])] as Classification["first"],
      otherwise: []
    }
  }
  const formula = formulaForm(value)
  const formulas = formula === undefined ? [] : [Result.getOrThrow(kinds.formula.read(value))]
  const smiles: Reading = { kind: "smiles", value }
  if (formula === "likely")
    return { first: formulas as unknown as Classification["first"], otherwise: [name] }
  switch (smilesForm(value)) {
    case "likely":
      return { first: [smiles], otherwise: [] }
    case "possible":
      return { first: [name, smiles, ...formulas], otherwise: [] }
    default:
      return { first: [name], otherwise: formulas }
  }
}
