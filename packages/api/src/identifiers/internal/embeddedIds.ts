/** Finds identifiers within longer texts, whole and damaged ones. `repairs.ts` repairs damaged ones. */

/** The kinds of identifiers that are found within a longer text. */
export const embeddedKinds = ["dtxsid", "dtxcid", "casrn", "inchikey"] as const

/** The forms of whole identifiers within a text. */
const forms: Readonly<Record<(typeof embeddedKinds)[number], RegExp>> = {
  dtxsid: /DTXSID\d0\d{1,10}(?!\d)/gi,
  dtxcid: /DTXCID\d0\d{1,10}(?!\d)/gi,
  casrn: /(?<![\w-])[1-9]\d{1,6}-\d{2}-\d(?![\w-])/g,
  inchikey: /(?<![A-Z])[A-Z]{14}-[A-Z]{8}[SN][A-Z]-[A-Z](?![A-Z])/gi
}

/** The forms of damaged identifiers within a text. */
const damagedForms: typeof forms = {
  dtxsid: /(?<!\w)DTX\W?[S5]\W?[I1L]D\W{0,2}[\dOIL]{3,12}(?!\w)/gi,
  dtxcid: /(?<!\w)DTX\W?C\W?[I1L]D\W{0,2}[\dOIL]{3,12}(?!\w)/gi,
  casrn:
    /(?<![\w.-])[1-9][\dOIl]{1,6}[-._\u2010-\u2015\u2212][\dOIl]{2}[-._\u2010-\u2015\u2212][\dOIl](?![\w-]|\.\d)/g,
  inchikey:
    /(?<![A-Z])[A-Z]{14}[-._ \u2010-\u2015\u2212]+[A-Z]{8}[SN][A-Z][-._ \u2010-\u2015\u2212]+[A-Z](?![A-Z])/gi
}

/** Returns the texts that look like damaged identifiers of a kind. */
export const damagedParts = (kind: (typeof embeddedKinds)[number], text: string): ReadonlyArray<string> =>
  text.match(damagedForms[kind]) ?? []

/** Returns the identifiers of a kind within a text, each once. */
export const embedded = (kind: (typeof embeddedKinds)[number], text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(forms[kind]), ([id]) => id.toUpperCase()))
]
