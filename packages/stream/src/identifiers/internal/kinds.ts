/**
 * Defines the kinds of identifiers that lookups take: how a text becomes the canonical spelling.
 */
import { Assay, Dtxcid, Dtxsid, InvalidIdentifier, MassRange, MolecularFormula, Quote } from "@chemstream/api"
import { Result } from "effect"

/** Parses an identifier, and checks its check digit if it has one. */
export interface IdentifierKind {
  readonly parse: (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
  readonly verify: (id: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>
}

/** An identifier kind without a check digit. */
const unverified = (parse: IdentifierKind["parse"]): IdentifierKind => ({
  parse,
  verify: Result.succeed
})

export const dtxsid: IdentifierKind = {
  parse: Dtxsid.parse,
  verify: (id) => Dtxsid.verify(id as Dtxsid.Dtxsid)
}

export const dtxcid: IdentifierKind = {
  parse: Dtxcid.parse,
  verify: (id) => Dtxcid.verify(id as Dtxcid.Dtxcid)
}

const asText =
  <A>(parse: (text: string) => Result.Result<A, InvalidIdentifier.InvalidIdentifier>) =>
  (text: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
    Result.map(parse(text), String)

// JSON and tables also write whole numbers as 8.0 and 8e0.
const wholeNumber = (text: string): string =>
  /^\d+(?:\.0+|(?:\.\d+)?e\+?\d+)$/i.test(text.trim()) ? String(Number(text)) : text

export const aeid: IdentifierKind = unverified(asText((text) => Assay.parseAeid(wholeNumber(text))))

export const m4id: IdentifierKind = unverified(asText((text) => Assay.parseM4id(wholeNumber(text))))

export const spid: IdentifierKind = unverified(asText(Assay.parseSpid))

export const formula: IdentifierKind = unverified(MolecularFormula.parse)

/** A mass in dalton. Different texts of one number are the same mass. */
export const mass: IdentifierKind = unverified((text) => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return Result.isSuccess(MassRange.make(value, value))
    ? Result.succeed(String(value))
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "mass",
          value: text,
          reason: "malformed",
          message: `${Quote.value(text)} is not a mass: a number of dalton from 0 to ${MassRange.largestMass}, e.g. 228.115`
        })
      )
})

/** A range of masses in dalton, `A,B`. Different texts of the same numbers are the same range. */
export const massRange: IdentifierKind = unverified((text) => {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)))
  const [start = Number.NaN, end = Number.NaN] = parts
  return parts.length === 2 && parts.every(Number.isFinite)
    ? Result.map(MassRange.make(start, end), (range) => `${range.start},${range.end}`)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "mass range",
          value: text,
          reason: "malformed",
          message: `${Quote.value(text)} is not a mass range: two masses in dalton, e.g. 200.9,200.95`
        })
      )
})

/** A name, identifier, CAS number or InChIKey, or a part of one. */
export const word: IdentifierKind = unverified((text) =>
  text.trim() !== "" && text.isWellFormed()
    ? Result.succeed(text.trim())
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "search word",
          value: text,
          reason: "malformed",
          message: `${Quote.value(text)} cannot be searched for`
        })
      )
)
