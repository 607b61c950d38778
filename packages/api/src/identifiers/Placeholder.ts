/**
 * Placeholders: the texts that programs and people write in a cell without a value.
 *
 * A placeholder is never looked up as an identifier. `NA` may be a name (`IdentifierKind.kinds.name` reads it), but in a
 * column of identifiers it almost always stands for none.
 */
import { argument } from "../internal/checkArgument.ts"
import * as Quote from "../Quote.ts"
import { InvalidIdentifier } from "./InvalidIdentifier.ts"

/**
 * The placeholders in lower case, in lists by source. Case does not matter, except in `Na`.
 *
 * - Excel and LibreOffice Calc: the error values of cells (support.microsoft.com, "ERROR.TYPE"; help.libreoffice.org,
 *   "Error Codes in LibreOffice Calc"). Google Sheets adds `#ERROR!`.
 * - pandas: the default `na_values` of `read_csv`.
 * - R: `NA` and its types, `NaN`, `NULL`; `read.csv` and `write.csv`.
 * - Databases and languages: JSON and SQL null, `\N` of MySQL and PostgreSQL dumps, Python, Ruby and Lua.
 * - People: dashes, dots, question marks and words in supplementary tables.
 * - People in other languages: words, and abbreviations that tables explain in their legends. German: `k. A.` (keine Angabe), `n. b.`
 *   (nicht bestimmt), `n. n.` (nicht nachgewiesen). French: `s. o.` (sans objet), `n. d.` (non disponible). No published list has them.
 */
export const texts: ReadonlySet<string> = new Set(
  [
    "#N/A|#NAME?|#REF!|#VALUE!|#DIV/0!|#NUM!|#NULL!|#SPILL!|#CALC!|#FIELD!|#ERROR!|#BLOCKED!|#BUSY!|#CONNECT!",
    "#UNKNOWN!|#GETTING_DATA|#EXTERNAL!|#PYTHON!|#TIMEOUT!",
    "#N/A N/A|#NA|-1.#IND|-1.#QNAN|1.#IND|1.#QNAN|-NaN|<NA>|n/a|None",
    "NA|NaN|NULL|NA_character_|NA_integer_|NA_real_|<NULL>",
    "null|(null)|[null]|\\N|nil|undefined",
    "n.a.|n.a|n. a.|n/d|n.d.|n.d|not available|not applicable|not assigned|not determined|not found|not known",
    "not reported|not specified|not given|no data|no cas|no casrn|no cas number|none|missing|unknown|unassigned",
    "unidentified|unspecified|unk|blank|empty|(blank)|(empty)|(none)|(unknown)|[blank]",
    "k.A.|k. A.|k.A|keine Angabe|keine Angaben|keine|fehlt|leer|entfällt|n.b.|n. b.|n.b|n.n.|n. n.|n. d.",
    "nicht bekannt|nicht bestimmt|unbekannt|nicht bestimmbar|nicht vorhanden|nicht nachgewiesen|s.o.|s. o.",
    "sans objet|inconnu|inconnue|non disponible|aucun|desconocido|no disponible|sin datos|ninguno|sconosciuto",
    "non disponibile|nessuno"
  ].flatMap((list) => list.toLowerCase().split("|"))
)

/** Longer texts are none, and not compared. */
const longest = 40

/** Matches dashes, dots, question marks, underscores and slashes alone, and the numbered errors of LibreOffice Calc. */
const signs = /^(?:[-‐-―−]+|\.+|…|\?+|_+|\/+|Err:\d{3})$/i

/** Matches the label of an identifier. NORMAN SusDat writes `CAS_RN: NA`. */
const label =
  /^(?:cas|dtx[sc]id|inchi(?=[\s_.-]*key)|smiles)(?:[\s_.-]*(?:rn|no|nr|number|registry|key))*\.?\s*[:=]\s*/i

/**
 * Returns whether a text stands for no value. `Na` does not: it is sodium.
 *
 * @example
 * ```ts
 * import { Placeholder } from "@chemstream/api"
 *
 * ["NA", "Na", "#REF!", "not available", "–"].filter(Placeholder.is) // => ["NA", "#REF!", "not available", "–"]
 * ```
 */
export const is = (text: string): boolean => {
  const given = argument("text", "a text", text).trim()
  const value = given.replace(/^="(.*)"$/, "$1").replace(label, "")
  if (value === "") return given !== ""
  // Na is sodium.
  return value !== "Na" && value.length <= longest && (signs.test(value) || texts.has(value.toLowerCase()))
}

/** Returns whether a text is the error of a spreadsheet, e.g. `#N/A`. Lines of text with `#` are comments otherwise. */
export const isSpreadsheetError = (text: string): boolean =>
  argument("text", "a text", text).startsWith("#") && is(text)

/** Returns the error of a placeholder. Undefined: the text is none. */
export const fault = (identifier: string, text: string): InvalidIdentifier | undefined =>
  is(text)
    ? new InvalidIdentifier({
        identifier: argument("identifier", "a text", identifier),
        value: text,
        reason: "placeholder",
        message: `placeholder: ${Quote.value(text)} stands for no value`
      })
    : undefined
