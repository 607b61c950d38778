/** The repairs of damaged identifiers, in the order in which they are tried. `Repair` applies them. */
import { Result } from "effect"
import * as Casrn from "../Casrn.ts"
import { hyphens } from "../NameForm.ts"
import { casrnsOf } from "./casrnDates.ts"
import { embedded, embeddedKinds } from "./embeddedIds.ts"
import { smilesForm } from "./structureNotation.ts"

/** The kinds of identifiers that are repaired. */
export const kinds = ["dtxsid", "dtxcid", "casrn", "inchikey", "inchi", "smiles", "formula", "name"] as const

/** A kind of identifiers that is repaired. */
export type Kind = (typeof kinds)[number]

/** A repair. */
export interface Repair {
  /** The damage in words for people. */
  readonly damage: string
  readonly kinds: ReadonlyArray<Kind>
  /** Returns the text without the damage. A text without it stays as it is. */
  readonly apply: (text: string, kind: Kind) => string
}

const dsstoxKinds: ReadonlyArray<Kind> = ["dtxsid", "dtxcid"]
const exactKinds: ReadonlyArray<Kind> = kinds.filter((kind) => kind !== "name")

/** What people and files write before an identifier. */
const labels: Readonly<Record<Kind, RegExp>> = {
  dtxsid:
    /^(?:dtxsid|(?:dsstox|comptox|epa)[\s_-]*(?:substance)?[\s_-]*(?:id|identifier)?)\s*[:=#]\s*(?=d\W*t\W*x)/i,
  dtxcid:
    /^(?:dtxcid|(?:dsstox|comptox|epa)[\s_-]*(?:compound)?[\s_-]*(?:id|identifier)?)\s*[:=#]\s*(?=d\W*t\W*x)/i,
  casrn: /^(?:cas|rn)(?:[\s_.-]*(?:rn|no|nr|number|id|registry|reg))*\.?\s*[:=#]?\s*(?=["'=]?[\dOIl]|NOCAS)/i,
  inchikey: /^(?:standard\s+)?inchi[\s_-]?key\s*[:=#]?\s*(?=[A-Z])/i,
  inchi: /^(?:(?:standard\s+)?inchi(?:[\s_-]?string)?\s*[:=#]?\s*)+(?=1S?\/)/i,
  smiles: /^(?:(?:canonical|isomeric|qsar[\s_-]?ready|ms[\s_-]?ready)[\s_-]?)?smiles\s*[:=#]\s*/i,
  formula: /^(?:(?:molecular|mol|sum)[\s_-]?)?(?:formula|mf)\s*[:=#]\s*/i,
  // Matches nothing: a word before a name may be a part of it.
  name: /$^/
}

/** Whether a text is a CAS number whose check digit fits. */
const fits = (text: string): boolean => Result.isSuccess(Casrn.verify(text))

/** Undoes percent-encoding. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the whole identifiers of a kind within a text, each once. */
const embeddedIn = (text: string, kind: Kind): ReadonlyArray<string> => {
  const form = embeddedKinds.find((one) => one === kind)
  return form === undefined ? [] : embedded(form, text)
}

/** Returns the only identifier of a link or a web address. */
const ofAddress = (text: string, kind: Kind): string => {
  if (!/:\/\/|^www\.|=HYPERLINK\(/i.test(text)) return text
  const [only = text, ...others] = embeddedIn(decoded(text), kind)
  return others.length === 0 ? only : text
}

/** Returns the text that a formula of a spreadsheet keeps. */
const valueOfFormula = (text: string): string => {
  const [, value] = /^\s*=\s*(?:T\(\s*)?"(.*?)"?\s*\)?\s*$/i.exec(text) ?? []
  return value === undefined ? text : valueOfFormula(value)
}

const quotes = "\"'`´‘’‚‛“”„‟«»‹›"
const quoted = new RegExp(`^[\\s${quotes}]+|[\\s${quotes}]+$`, "g")
const wrapped = /^\s*(?:\(([^()]*)\)|\[([^[\]]*)\]|\{([^{}]*)\}|<([^<>]*)>)\s*$/

/** Drops quotation marks. Keys also lose brackets around them and punctuation after them, which notations may have. */
const unquoted = (text: string, kind: Kind): string => {
  const plain = text.replace(quoted, "")
  if (kind === "inchi" || kind === "smiles") return plain.replace(kind === "inchi" ? /,+$/ : /[\s,;]+$/, "")
  const alone = plain.replace(/[\s,;.]+$/, "").replace(quoted, "")
  const inner = kind === "formula" ? [] : (wrapped.exec(alone)?.slice(1) ?? [])
  return (inner.find((one) => one !== undefined) ?? alone).trim()
}

/** Returns whether a text has a whole identifier beside other digits, e.g. a row number. They are not a part of it. */
const hasWhole = (text: string, kind: Kind): boolean => {
  const [whole = ""] = embeddedIn(text, kind)
  // A DTXSID with fewer digits is broken.
  const isWhole = whole !== "" && (kind !== "dtxsid" || whole.length >= "DTXSID7020182".length)
  return isWhole && /\d/.test(text.toUpperCase().replace(whole, ""))
}

const dsstoxParts = /^(D\W*T\W*X\W*)([SC5])([\s\S]*)$/i

/** Replaces letters that look like digits, or digits that look like letters, in a DTXSID or DTXCID. */
const dsstoxLetters = (text: string): string => {
  const [, prefix, letter = "", rest = ""] = dsstoxParts.exec(text.toUpperCase()) ?? []
  const form = /^[I1L|]D(.*)$/.exec(rest)
  if (prefix === undefined || form === null) return text
  const digits = form[1]?.replace(/O/g, "0").replace(/[IL|]/g, "1")
  const letters = `${prefix}${letter.replace("5", "S")}ID${digits}`
  return letters === text.toUpperCase() ? text : letters
}

const separatedNumber = /^0*(\d{2,7})[-.,_/\s]+(\d{2})[-.,_/\s]+(\d)$/
const joinedNumber = /^0*(\d{2,7}?)-?(\d{2})-?(\d)$/

/** Writes the three groups of a CAS number with hyphens, whatever separates them. */
const separated = (text: string): string => {
  const noted = /^NOCAS\W*_?\W*(\d{1,10})$/i.exec(text)
  if (noted !== null) return `NOCAS_${noted[1]}`
  if (casrnsOf(text) !== undefined || hasWhole(text, "casrn")) return text
  const plain = /^[\d\s]+-[\d\s]+-[\d\s]+$/.test(text) ? text.replace(/\s+/g, "") : text
  const [, start, middle, check] = separatedNumber.exec(plain) ?? []
  return start === undefined ? text : `${start}-${middle}-${check}`
}

/** Writes digits alone as a CAS number, if its check digit fits. */
const joined = (text: string): string => {
  const [, ...digits] = joinedNumber.exec(text) ?? []
  const number = digits.join("-")
  return fits(number) ? number : text
}

/** Returns the whole number of a decimal or scientific notation that has all its digits: the 5 to 10 digits of a CASRN. */
const wholeNumber = (text: string): string => {
  const [, whole] = /^(\d{5,10})[.,]0*$/.exec(text) ?? []
  const [, first, decimals = "", power] = /^(\d)(?:[.,](\d+))?E\+?0?(\d)$/i.exec(text) ?? []
  if (first !== undefined && decimals.length === Number(power)) return first + decimals
  return whole ?? text
}

/** Returns the only CAS number that a date may have been. */
const dated = (text: string): string => {
  const [only = text, ...others] = casrnsOf(text) ?? []
  return others.length === 0 ? only : text
}

/** Writes 25 letters as an InChIKey, if their separators or their version letter show that they are one. */
const inchikey = (text: string): string => {
  const plain = text.replace(/\s+/g, " ").trim()
  const isPlaced = /^[A-Z]{14}[-._ ]+[A-Z]{10}[-._ ]+[A-Z]$/i.test(plain)
  const letters = plain.replace(/[-._ ]/g, "")
  const isMarked = /[-._]/.test(plain) || /^[A-Z ]+$/.test(plain)
  if (!isPlaced && !(isMarked && /^[A-Z]{22}[SN]A[A-Z]$/i.test(letters))) return text
  return `${letters.slice(0, 14)}-${letters.slice(14, 24)}-${letters.slice(24)}`
}

/**
 * Joins the parts of a formula: at least two elements, each written once. A part of several has a count, which names lack. A count alone
 * follows one element.
 */
const spacedFormula = (text: string): string => {
  const parts = text.trim().split(/\s+/)
  const isFormula =
    /\d/.test(text) &&
    parts.every((part, at) =>
      /^\d+$/.test(part)
        ? /^[A-Z][a-z]?$/.test(parts[at - 1] ?? "")
        : /^(?:[A-Z][a-z]?\d*|(?=.*\d)(?:[A-Z][a-z]?\d*)+)$/.test(part)
    )
  const symbols = text.match(/[A-Z][a-z]?/g) ?? []
  return isFormula && symbols.length > 1 && new Set(symbols).size === symbols.length ? parts.join("") : text
}

/** Drops the text after a SMILES: its extension between bars, or its name. */
const smilesAlone = (text: string): string => {
  const [, smiles = "", rest = ""] = /^(\S+)\s+(\S.*)$/s.exec(text.trim()) ?? []
  if (smilesForm(smiles) === undefined) return text
  const isNamed = smiles.length > 3 && smilesForm(smiles) === "likely" && /[A-Za-z].*[\d=#@]/.test(smiles)
  return isNamed || /^\|.*\|/s.test(rest) ? smiles : text
}

/** Returns an InChI without line breaks, or without the words after it. If it may have both, the text stays as it is. */
const inchiAlone = (text: string): string => {
  const [first = "", ...rest] = text.trim().split(/\s+/)
  if (rest.length === 0 || !/^(?:InChI=)?1S?\//i.test(first)) return text
  // Capitals are in the formula, which is the first layer. Later ones have those of hydrogen alone.
  const form = /\/.*\//.test(first) ? /^[\d,;.()+/HDTchqpbtmsifrou-]+$/ : /^[\d,;.()+/A-Zchqpbtmsifrou-]+$/
  // A number alone is a part only behind a separator.
  const isPart = (part: string, at: number): boolean =>
    /^\d+(?:[.,]\d+)?$/.test(part)
      ? /[-,;(/]$/.test(rest[at - 1] ?? first)
      : form.test(part) && /[\d/)]/.test(part)
  const words = rest.findIndex((part, at) => !isPart(part, at))
  if (words === 0) return first
  return words > 0 || rest.some((part) => fits(part.replace(/[()]/g, ""))) ? text : [first, ...rest].join("")
}

/** The repairs, each on the result of those before it. A comment says where the damage comes from. */
export const repairs: ReadonlyArray<Repair> = [
  {
    // Soft hyphens and zero-width characters of web pages and PDF files; byte-order marks.
    damage: "invisible characters",
    kinds,
    apply: (text) => text.replace(/\p{Cf}|(?!\s)\p{Cc}/gu, "")
  },
  {
    // Cells copied from web pages: HTML tags and character references.
    damage: "markup",
    kinds,
    apply: (text) =>
      text
        .replace(/<\/?(?:sub|sup|i|b|em|strong|span|font|a|p|br|td|u)(?:\s[^<>]*)?\/?>/gi, "")
        .replace(/&nbsp;|&#160;|&thinsp;/gi, " ")
        .replace(/&(?:ndash|mdash|minus|hyphen|#821[0-3]|#8722);/gi, "-")
        .replace(/&(?:shy|zwnj|#173|#8203);/gi, "")
  },
  {
    // Full-width characters, subscripts and other compatibility characters (Unicode Standard Annex 15, NFKC).
    damage: "special characters",
    kinds: exactKinds,
    apply: (text) => text.normalize("NFKC")
  },
  {
    // Dashes and minus signs that word processors and typesetters write for hyphens.
    damage: "dashes",
    kinds: [...embeddedKinds, "inchi", "smiles"],
    apply: hyphens
  },
  {
    // Formulas that keep a value as text: Excel and LibreOffice Calc, ="…" and =T("…").
    damage: "a formula of a spreadsheet",
    kinds,
    apply: valueOfFormula
  },
  {
    // Links to CompTox Chemicals Dashboard, Common Chemistry and identifiers.org; the formula HYPERLINK.
    damage: "a web address",
    kinds: embeddedKinds,
    apply: ofAddress
  },
  {
    // Quoted cells, the apostrophe of text cells in Excel, lists that were split at another separator.
    damage: "quotation marks or punctuation",
    kinds: exactKinds,
    apply: unquoted
  },
  {
    // Labels of databases and safety data sheets; compact URIs (w3.org/TR/curie).
    damage: "a label",
    kinds: exactKinds,
    apply: (text, kind) => unquoted(text.replace(labels[kind], kind === "inchi" ? "InChI=" : ""), kind)
  },
  {
    // Spaces and punctuation of typed or line-broken identifiers.
    damage: "separators",
    kinds: dsstoxKinds,
    apply: (text, kind) =>
      /^D\W*T\W*X/i.test(text) && !hasWhole(text, kind) ? text.replace(/[\s:_.,/#-]/g, "") : text
  },
  {
    // Text recognition and typing: O for 0, I and l for 1, and the reverse in the prefix.
    damage: "letters for digits",
    kinds: dsstoxKinds,
    apply: dsstoxLetters
  },
  {
    // Text recognition and typing: O for 0, I and l for 1.
    damage: "letters for digits",
    kinds: ["casrn"],
    apply: (text) =>
      /^[\dOoIl]{2,7}-[\dOoIl]{2}-[\dOoIl]$/.test(text) && /\d/.test(text)
        ? text.replace(/O/gi, "0").replace(/[Il]/g, "1")
        : text
  },
  {
    // Columns read as floating-point numbers: pandas, R, the scientific notation of Excel.
    damage: "a number",
    kinds: ["casrn"],
    apply: (text) => (wholeNumber(text) === text ? text : joined(wholeNumber(text)))
  },
  {
    // Excel and LibreOffice Calc read 80-05-7 and 1980-05-7 as dates.
    damage: "a date that a spreadsheet made of it",
    kinds: ["casrn"],
    apply: dated
  },
  {
    // Numbers of ten digits in old inventories and mainframe exports.
    damage: "padding",
    kinds: ["casrn"],
    apply: (text) => text.replace(/^0+(?=\d{2,7}-\d{2}-\d$)/, "")
  },
  {
    // Spaces, full stops, commas, slashes and underscores for hyphens.
    damage: "separators",
    kinds: ["casrn"],
    apply: separated
  },
  {
    // Numbers of columns without hyphens, read only if the check digit fits.
    damage: "no hyphens",
    kinds: ["casrn"],
    apply: joined
  },
  {
    // Spaces, line breaks and full stops of documents; R makes full stops of hyphens in names.
    damage: "separators",
    kinds: ["inchikey"],
    apply: inchikey
  },
  {
    // InChI broken into lines in documents, or followed by a name.
    damage: "line breaks or words after it",
    kinds: ["inchi"],
    apply: inchiAlone
  },
  {
    // SMILES files with names (Daylight), and the extensions of ChemAxon and ChemDraw between bars.
    damage: "text after it",
    kinds: ["smiles"],
    apply: smilesAlone
  },
  {
    // Formulas of printed tables, CAS and Beilstein notation.
    damage: "spaces",
    kinds: ["formula"],
    apply: spacedFormula
  }
]
