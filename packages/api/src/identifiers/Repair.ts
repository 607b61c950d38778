/**
 * Repairs damaged identifiers: what documents, spreadsheets, scanners, web pages and other programs make of them.
 *
 * A valid identifier stays as it is. A repaired text passes the form and the check digit of its kind, so it is the
 * identifier that was meant, or none. `IdentifierKind` finds the kind of a text.
 */
import { Result } from "effect"
import { argument, named } from "../internal/checkArgument.ts"
import * as Quote from "../Quote.ts"
import * as Casrn from "./Casrn.ts"
import * as Dtxcid from "./Dtxcid.ts"
import * as Dtxsid from "./Dtxsid.ts"
import * as InchiKey from "./InchiKey.ts"
import { InvalidIdentifier, malformed } from "./InvalidIdentifier.ts"
import { casrnsOf } from "./internal/casrnDates.ts"
import { damagedParts, embedded, embeddedKinds } from "./internal/embeddedIds.ts"
import { type Kind, kinds, type Repair, repairs } from "./internal/repairs.ts"
import { inchiForm, smilesForm } from "./internal/structureNotation.ts"
import type * as Key from "./Key.ts"
import * as MolecularFormula from "./MolecularFormula.ts"
import * as NameForm from "./NameForm.ts"
import * as Placeholder from "./Placeholder.ts"

export type { Kind, Repair }

/** The repairs, in the order in which they are tried. */
export const table: ReadonlyArray<Repair> = repairs

/** An identifier in canonical spelling. */
export interface Repaired {
  readonly value: string
  /** What was repaired, in words for people. Absent: nothing. */
  readonly note?: string
}

type Parsed<A> = Result.Result<A, InvalidIdentifier>

const refuse = (noun: string, value: string, reason: string) => malformed(noun, noun, value, reason)

/** Reads a CAS number. Some tables pad CAS numbers with zeros, but no service knows padded ones. */
const parseCasrn = (text: string): Parsed<Casrn.Casrn> =>
  Result.flatMap(Casrn.parse(text), (casrn) =>
    casrn.startsWith("0")
      ? refuse("a CAS number as services write it", text, "the zeros before it are padding")
      : Result.succeed(casrn)
  )

const parseInchi = (text: string): Parsed<string> => {
  const inchi = inchiForm(text.trim())
  return inchi === undefined
    ? refuse("an InChI", text, "it must start with InChI=1S/ and have no spaces")
    : Result.succeed(inchi)
}

const parseSmiles = (text: string): Parsed<string> =>
  smilesForm(text.trim()) === undefined
    ? refuse("a SMILES", text, "it has other characters, or open brackets or rings")
    : Result.succeed(text.trim())

/** Refuses a name with traces of a web page or a spreadsheet. Any other text may be a name. */
const parseName = (text: string): Parsed<string> =>
  /[\u00ad\u200b\u2060\ufeff]|<\/?[a-z]+[^<>]*>|&[a-z]+;|^\s*=\s*"/i.test(text)
    ? refuse("a name", text, "it has markup or invisible characters")
    : Result.succeed(text.trim())

/** How a kind is read. `resembles` is a quick check that excludes most other texts, e.g. names. */
interface Rule {
  readonly parse: (text: string) => Parsed<string>
  readonly resembles: (text: string) => boolean
}

const matches =
  (form: RegExp) =>
  (text: string): boolean =>
    form.test(text)

/** Whether a text has the letters of a DTXSID or DTXCID, perhaps with others between them. */
const isDsstox = matches(/D\W*T\W*X/i)
/** Matches a text that may be a CAS number: it has no letters but those that are read for digits, or a label, a link, a date. */
const numberLike =
  /^(?:[^\p{L}]|[OIlET])*$|^\W*(?:cas|rn|nocas)|:\/\/|^\W*www\.|=\s*(?:hyperlink|t)\(|[<&]|^\W*\d{1,2}[- .][a-z]{3}|\d[TZ]/iu
const isFormula = (text: string): boolean => !/[a-z]{2}/.test(text) || /formula|[<&]/i.test(text)

/** Returns whether the first word is a SMILES. */
const isSmiles = (text: string): boolean => {
  const plain = NameForm.hyphens(text.normalize("NFKC"))
  const [, first = ""] = /^[\s="'“”‘’]*([^\s"'“”‘’]*)/.exec(plain) ?? []
  return smilesForm(first.replace(/[,;]+$/, "")) !== undefined || /smiles\s*[:=#]|[<&]/i.test(text)
}

/** The rules of the kinds. A rule parses without repairs. */
const rules: Readonly<Record<Kind, Rule>> = {
  dtxsid: { parse: Dtxsid.verify, resembles: isDsstox },
  dtxcid: { parse: Dtxcid.verify, resembles: isDsstox },
  casrn: {
    parse: (text) => Result.flatMap(parseCasrn(text), Casrn.verify),
    resembles: (text) => /\p{Nd}/u.test(text) && numberLike.test(text)
  },
  inchikey: {
    parse: InchiKey.parse,
    resembles: (text) => text.length >= 25 && (!/\d/.test(text) || text.includes("://"))
  },
  inchi: { parse: parseInchi, resembles: matches(/\/|inchi\s*=/i) },
  smiles: { parse: parseSmiles, resembles: isSmiles },
  formula: { parse: MolecularFormula.parse, resembles: isFormula },
  name: { parse: parseName, resembles: matches(/\p{Cf}|["<&]/u) }
}

/**
 * Returns the identifier of a text, in canonical spelling. Fails with the reason if the text is none: its form or its
 * check digit is wrong, also after all repairs.
 *
 * @example
 * ```ts
 * import { Repair } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Repair.read("dtxsid", "DTXSID 702O182"))
 * // => { value: "DTXSID7020182", note: "read as DTXSID7020182 (separators, letters for digits)" }
 * Result.getOrThrow(Repair.read("casrn", "80-05-7")) // => { value: "80-05-7" }
 * ```
 */
export const read = (kind: Kind, text: string): Parsed<Repaired> => {
  const { parse } = named("kind", rules, kind)
  const asGiven = parse(argument("text", "a text", text))
  if (Result.isSuccess(asGiven)) return Result.succeed({ value: asGiven.success })
  if (!resembles(kind, text)) return Result.fail(asGiven.failure)
  let value = text
  // The fault of the given text, or of a repaired one whose check digit alone is wrong.
  let fault = asGiven.failure
  const damages = new Set<string>()
  // Twice, because one damage may hide another: ="(80-05-7)".
  for (const repair of [...table, ...table]) {
    const next = repair.kinds.includes(kind) ? repair.apply(value, kind) : value
    if (next === value) continue
    value = next
    damages.add(repair.damage)
    const parsed = parse(value)
    if (Result.isSuccess(parsed)) {
      const note = `read as ${parsed.success} (${[...damages].join(", ")})`
      return Result.succeed({ value: parsed.success, note })
    }
    if (parsed.failure.reason === "check-digit") fault = parsed.failure
  }
  return Result.fail((kind === "casrn" ? dateFault(text, value) : undefined) ?? fault)
}

/** Returns whether a text may be an identifier of a kind, perhaps damaged. A quick check. */
export const resembles = (kind: Kind, text: string): boolean =>
  named("kind", rules, kind).resembles(visible(argument("text", "a text", text), kind))

/** Returns a text without invisible characters and other forms of its letters. Those of a name are its damage. */
const visible = (text: string, kind: Kind): string =>
  kind === "name" || isAscii.test(text) ? text : text.replace(/\p{Cf}/gu, "").normalize("NFKC")

const isAscii = /^[\u0020-\u007e]*$/

/** Returns whether a text is a date, which a spreadsheet may have made of a CAS number. */
export const isDate = (text: string): boolean =>
  casrnsOf(argument("text", "a text", text).replace(/^['"\s]+|['"\s]+$/g, "")) !== undefined

/** An identifier within a longer text. */
export interface Within extends Required<Repaired> {
  readonly kind: (typeof embeddedKinds)[number]
}

/** Returns the valid identifiers within a longer text, each once: DTXSIDs, DTXCIDs, InChIKeys and CAS numbers. */
export const within = (text: string): ReadonlyArray<Within> =>
  embeddedKinds.flatMap((kind) =>
    embedded(kind, argument("text", "a text", text)).flatMap((value) =>
      Result.isSuccess(rules[kind].parse(value))
        ? [{ kind, value, note: `read as ${value}, which the text contains` }]
        : []
    )
  )

/**
 * Returns the note about a text with several identifiers, which names them, also damaged ones. Undefined: it has one or none.
 *
 * @example
 * ```ts
 * import { Repair } from "@chemstream/api"
 *
 * Repair.severalNote("80-05-7; 71.43.2") // => "it contains 2 identifiers: 80-05-7, 71-43-2; split them, or choose one"
 * Repair.severalNote("Bisphenol A (80-05-7)") // => undefined
 * ```
 */
export const severalNote = (text: string): string | undefined => {
  const valid = within(text).map(({ value }) => value)
  const rest = valid.reduce((left, value) => left.replace(new RegExp(value, "gi"), "; "), text)
  const damaged = embeddedKinds.flatMap((kind) =>
    damagedParts(kind, rest).map((part) =>
      Result.match(read(kind, part), {
        onSuccess: ({ value }) => value,
        onFailure: () => `${part} (damaged)`
      })
    )
  )
  const found = [...new Set([...valid, ...damaged])]
  return found.length > 1
    ? `it contains ${found.length} identifiers: ${found.join(", ")}; split them, or choose one`
    : undefined
}

/** Returns the fault of a text with several identifiers, instead of its own. Undefined: it has one or none. */
export const severalFault = (
  fault: InvalidIdentifier,
  text: string
): Result.Result<never, InvalidIdentifier> | undefined => {
  const note = severalNote(text)
  return note === undefined
    ? undefined
    : malformed(argument("fault", "an object", fault).identifier, "one identifier", text, note)
}

/** Returns the fault of a date, with the CAS numbers that it may have been. Undefined: the text is no date. */
const dateFault = (text: string, value: string): InvalidIdentifier | undefined => {
  const numbers = casrnsOf(value)
  if (numbers === undefined) return undefined
  const which = numbers.length === 0 ? "no CAS number fits it" : `it may have been ${numbers.join(" or ")}`
  return new InvalidIdentifier({
    identifier: "CASRN",
    value: text,
    reason: "malformed",
    message: `${Quote.value(text)} is a date, which spreadsheets make of CAS numbers; ${which}. Format the column as text and enter the number again`
  })
}

/**
 * Returns the value of a key in a text of the input. Damage is repaired, and placeholders are refused, if the key has
 * kinds of identifiers (`Key.kinds`). A key of one kind also reads the only identifier within a text. Other keys refuse only the errors
 * of spreadsheets.
 *
 * @example
 * ```ts
 * import { Key, Repair } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Repair.readKey(Key.dtxsid, "DTXSID: 7020182")) // => "DTXSID7020182"
 * Result.isFailure(Repair.readKey(Key.dtxsid, "NA")) // => true
 * ```
 */
export const readKey = (key: Pick<Key.Key, "kinds" | "parse">, text: string): Parsed<string> => {
  const { kinds: ofKey, parse } = argument("key", "a key", key)
  if (ofKey !== undefined || Placeholder.isSpreadsheetError(argument("text", "a text", text).trim())) {
    const placeholder = Placeholder.fault("an identifier", text)
    if (placeholder !== undefined) return Result.fail(placeholder)
  }
  if (ofKey === undefined) return parse(text)
  // A key of one kind reads valid values first. A word is valid, whatever it is.
  const asGiven = parse(text)
  if (ofKey.length === 1 && Result.isSuccess(asGiven)) return asGiven
  let fault: Parsed<string> | undefined
  for (const kind of ofKey) {
    if (!resembles(kind, text)) continue
    const found = read(kind, text)
    if (Result.isFailure(found)) fault ??= Result.fail(found.failure)
    // The label of an InChIKey is dropped, though the key is valid with it.
    else if (found.success.note !== undefined || found.success.value.length !== text.trim().length)
      return parse(found.success.value)
  }
  // The text is a word, which is valid whatever it is.
  if (ofKey.length > 1) return asGiven
  const [only] = within(text)
  if (only !== undefined && ofKey.includes(only.kind) && severalNote(text) === undefined)
    return parse(only.value)
  const failed = fault ?? asGiven
  return Result.isFailure(failed) ? (severalFault(failed.failure, text) ?? failed) : failed
}

const otherSpelling = (given: string, value: string): string =>
  given.trim().toLowerCase() === value.toLowerCase() ? "letter case" : "spelling"

/**
 * Returns the note of a value that differs from the given text: how the text was read. A join of texts would not match the two. Undefined:
 * they are equal, or the value is another name.
 *
 * @example
 * ```ts
 * import { Repair } from "@chemstream/api"
 *
 * Repair.noteOf("80.05.7", "80-05-7") // => "read as 80-05-7 (separators)"
 * Repair.noteOf("dtxsid7020182", "DTXSID7020182") // => "read as DTXSID7020182 (letter case)"
 * Repair.noteOf("Benzol", "Benzol") // => undefined
 * ```
 */
export const noteOf = (given: string, value: string): string | undefined => {
  if (argument("given", "a text", given).trim() === argument("value", "a text", value)) return undefined
  for (const kind of kinds) {
    if (kind === "smiles" || Result.isFailure(rules[kind].parse(value))) continue
    const found = read(kind, given)
    if (Result.isSuccess(found) && found.success.value === value)
      return (
        found.success.note ??
        (kind === "formula" ? undefined : `read as ${value} (${otherSpelling(given, value)})`)
      )
  }
  return within(given).find((one) => one.value === value)?.note
}
