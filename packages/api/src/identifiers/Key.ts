/**
 * The keys of endpoints: how a value is read from text, and how a request carries it.
 *
 * `Dtxsid`, `Assay` and their siblings define the identifiers themselves. A row of an endpoint names its key. `keyMakers` has the
 * interface `Key`, and makes the keys of other texts and numbers.
 */
import { Result, Schema } from "effect"
import * as MassRange from "../masses/MassRange.ts"
import * as Assay from "./Assay.ts"
import * as Dtxcid from "./Dtxcid.ts"
import * as Dtxsid from "./Dtxsid.ts"
import { malformed, trimmed } from "./InvalidIdentifier.ts"
import { type Key, number, parseText, split, textKey, unverified } from "./internal/keyMakers.ts"
import * as MolecularFormula from "./MolecularFormula.ts"

export { integer, type Key, textKey as text } from "./internal/keyMakers.ts"

/** A substance. */
export const dtxsid: Key<{ readonly dtxsid: typeof Dtxsid.Dtxsid }> = {
  name: "dtxsid",
  one: "a substance",
  many: "substances",
  values: "Substance identifiers (DTXSID…)",
  example: "DTXSID7020182",
  kinds: ["dtxsid"],
  parse: Dtxsid.parse,
  verify: Dtxsid.verify,
  fields: { dtxsid: Dtxsid.Dtxsid },
  toFields: (id) => ({ dtxsid: id })
}

/** A compound. */
export const dtxcid: Key<{ readonly dtxcid: typeof Dtxcid.Dtxcid }> = {
  name: "dtxcid",
  one: "a compound",
  many: "compounds",
  values: "Compound identifiers (DTXCID…)",
  example: "DTXCID30182",
  kinds: ["dtxcid"],
  parse: Dtxcid.parse,
  verify: Dtxcid.verify,
  fields: { dtxcid: Dtxcid.Dtxcid },
  toFields: (id) => ({ dtxcid: id })
}

/** An assay endpoint. */
export const aeid: Key<{ readonly aeid: typeof Assay.Aeid }> = number("aeid", Assay.Aeid, Assay.parseAeid, {
  one: "an assay endpoint",
  many: "assay endpoints",
  example: "3032"
})

/** A data record of an assay. */
export const m4id: Key<{ readonly m4id: typeof Assay.M4id }> = number("m4id", Assay.M4id, Assay.parseM4id, {
  one: "an M4ID",
  many: "M4IDs",
  example: "1842410"
})

/** A sample. */
export const spid: Key<{ readonly spid: typeof Assay.Spid }> = {
  ...unverified,
  name: "spid",
  one: "a sample",
  many: "samples",
  example: "TP0000001A01",
  parse: Assay.parseSpid,
  fields: { spid: Assay.Spid },
  toFields: (id) => ({ spid: id })
}

/** A molecular formula, e.g. `C15H16O2`. Searches by formula take it. */
export const formula: Key<{ readonly formula: typeof MolecularFormula.MolecularFormula }> = {
  ...unverified,
  name: "formula",
  recordField: "molFormula",
  one: "a formula",
  many: "formulas",
  values: "Molecular formulas",
  example: "C15H16O2",
  kinds: ["formula"],
  parse: MolecularFormula.parse,
  fields: { formula: MolecularFormula.MolecularFormula },
  toFields: (value) => ({ formula: value })
}

/** Several molecular formulas, `A,B`, requested as one value. */
export const formulas: Key<{
  readonly formulas: Schema.$Array<typeof MolecularFormula.MolecularFormula>
}> = {
  ...unverified,
  name: "formulas",
  one: "formulas",
  many: "sets of formulas",
  values: "Sets of molecular formulas, with commas, e.g. C15H16O2,C6H6",
  example: "C15H16O2,C6H6",
  parse: (text) =>
    Result.map(Result.all(split(text).map((part) => MolecularFormula.parse(part))), (all) => all.join(",")),
  fields: {
    formulas: Schema.Array(MolecularFormula.MolecularFormula).annotate({ description: "Molecular formulas" })
  },
  toFields: (value) => ({ formulas: value.split(",") })
}

/** A name, identifier, CAS number or InChIKey, or a part of one. */
export const word: Key<{ readonly word: Schema.String }> = {
  ...textKey("word", {
    one: "a name or identifier",
    many: "names or identifiers",
    example: "Bisphenol A",
    description: "A name, synonym, DTXSID, DTXCID, CAS number or InChIKey, or a part of one"
  }),
  recordField: "searchValue",
  values: "Names, CAS numbers, InChIKeys or identifiers",
  parse: (text) => parseText("search word", "a search word", text)
}

/** A complete name or identifier. */
export const wholeWord: typeof word = { ...word, kinds: ["dtxsid", "dtxcid", "inchikey", "casrn", "inchi"] }

/** A mass in dalton. Different texts of one number are the same mass. */
export const mass: Key<{ readonly mass: typeof MassRange.Mass }> = {
  ...unverified,
  name: "mass",
  recordField: "monoisotopicMass",
  one: "a mass",
  many: "masses",
  values: "Monoisotopic masses in dalton",
  example: "228.115",
  parse: (text) => {
    // A decimal comma is one after at least two digits: below 10, it may separate thousands.
    const value = trimmed(text) === "" ? Number.NaN : Number(text.trim().replace(/^(\d{2,}),(\d+)$/, "$1.$2"))
    const reason = `a number of dalton from 0 to ${MassRange.largestMass}, e.g. 228.115`
    return Result.isSuccess(MassRange.make(value, value))
      ? Result.succeed(String(value))
      : malformed("mass", "a mass", text, reason)
  },
  fields: { mass: MassRange.Mass },
  toFields: (value) => ({ mass: Number(value) })
}

/** A range of masses in dalton, `A,B`. Different texts of the same numbers are the same range. */
export const massRange: Key<{ readonly start: typeof MassRange.Mass; readonly end: typeof MassRange.Mass }> =
  {
    ...unverified,
    name: "range",
    one: "a mass range",
    many: "mass ranges",
    example: "228.11,228.12",
    parse: (text) => {
      const parts = split(text).map((part) => (part === "" ? Number.NaN : Number(part)))
      const [start = Number.NaN, end = Number.NaN] = parts
      return parts.length === 2 && parts.every(Number.isFinite)
        ? Result.map(MassRange.make(start, end), (range) => `${range.start},${range.end}`)
        : malformed("mass range", "a mass range", text, "two masses in dalton, e.g. 200.9,200.95")
    },
    fields: { start: MassRange.Mass, end: MassRange.Mass },
    toFields: (range) => {
      const [start = Number.NaN, end = Number.NaN] = range.split(",").map(Number)
      return { start, end }
    }
  }

/** A value of `propertyRange` in words. */
const rangeInWords = "a property and two numbers, e.g. Boiling Point,340,365"

/**
 * A range of values of a property, `PROPERTY,START,END`, in the unit of the property. A name may have commas.
 *
 * @example
 * ```ts
 * import { Key } from "@chemstream/api"
 *
 * Key.propertyRange.toFields("Boiling Point,340,365") // => { propertyName: "Boiling Point", start: 340, end: 365 }
 * ```
 */
export const propertyRange: Key<{
  readonly propertyName: Schema.String
  readonly start: Schema.Finite
  readonly end: Schema.Finite
}> = {
  ...unverified,
  name: "propertyRange",
  one: "a range of a property",
  many: "ranges of properties",
  values: `Ranges of properties: ${rangeInWords}`,
  example: "Boiling Point,340,365",
  parse: (text) => {
    const [, property = "", ...ends] = /^(.+),([^,]+),([^,]+)$/.exec(trimmed(text)) ?? []
    const [start = Number.NaN, end = Number.NaN] = ends.map((part) =>
      part.trim() === "" ? Number.NaN : Number(part)
    )
    const name = property.trim()
    const reason = start > end ? "its start is above its end" : `it must be ${rangeInWords}`
    return name !== "" &&
      name.isWellFormed() &&
      Number.isFinite(start) &&
      Number.isFinite(end) &&
      start <= end
      ? Result.succeed(`${name},${start},${end}`)
      : malformed("range of a property", "a range of a property", text, reason)
  },
  fields: {
    propertyName: Schema.NonEmptyString.annotate({ description: "Name of a property, e.g. Boiling Point" }),
    start: Schema.Finite.annotate({ description: "Smallest value, in the unit of the property" }),
    end: Schema.Finite.annotate({ description: "Largest value, in the unit of the property" })
  },
  toFields: (range) => {
    const [, propertyName = "", start, end] = /^(.+),([^,]+),([^,]+)$/.exec(range) ?? []
    return { propertyName, start: Number(start), end: Number(end) }
  }
}

/**
 * A word in a list of substances, `LIST,WORD`. The word may have commas.
 *
 * @example
 * ```ts
 * import { Key } from "@chemstream/api"
 *
 * Key.listWord.toFields("40CFR1164,1,1-Dichloroethane") // => { list: "40CFR1164", word: "1,1-Dichloroethane" }
 * ```
 */
export const listWord: Key<{ readonly list: Schema.String; readonly word: Schema.String }> = {
  ...unverified,
  name: "listWord",
  one: "a word in a list",
  many: "words in lists",
  values: "Words in lists: the name of a list and a word, e.g. 40CFR1164,Benzene",
  example: "40CFR1164,Benzene",
  parse: (text) => {
    const [list = "", ...rest] = split(text)
    return list !== "" && rest.join("") !== "" && text.isWellFormed()
      ? Result.succeed(`${list},${text.slice(text.indexOf(",") + 1).trim()}`)
      : malformed(
          "word in a list",
          "a word in a list",
          text,
          "it must be the name of a list and a word, e.g. 40CFR1164,Benzene"
        )
  },
  fields: {
    list: Schema.NonEmptyString.annotate({ description: "Name of a list, e.g. 40CFR1164" }),
    word: Schema.NonEmptyString.annotate({
      description: "Name or identifier of a substance, or a part of it"
    })
  },
  toFields: (value) => ({
    list: value.slice(0, value.indexOf(",")),
    word: value.slice(value.indexOf(",") + 1)
  })
}
