/**
 * Checks whether a text is an identifier, detects its kind, and suggests a correction. It sends no request.
 *
 * `Repair` of the contract reads and repairs identifiers. This module detects the kind of malformed ones, too.
 */
import { IdentifierKind, type InvalidIdentifier, Placeholder, Quote, Repair } from "@chemstream/api"
import { Result } from "effect"

export const kinds = ["dtxsid", "dtxcid", "casrn", "inchikey", "inchi", "smiles", "formula"] as const

export type Kind = (typeof kinds)[number]

/** The result of a check. */
export interface Finding {
  readonly valid: boolean
  /** The given kind, or the kind that the text looks like. Null: none. */
  readonly kind: Kind | null
  /** The problem. Null: valid. */
  readonly reason: InvalidIdentifier.InvalidIdentifier["reason"] | null
  /** The problem in words: the fault, or the damage that the suggestion repairs. Null: valid. */
  readonly message: string | null
  /** The suggested correction. For a valid text: its canonical spelling, if that differs. */
  readonly suggestion: string | null
}

/** Matches a text that looks like a kind, even if it is malformed. In the order of comparison. */
const forms: ReadonlyArray<readonly [Kind, RegExp]> = [
  ["dtxsid", /^DTX\W*S/i],
  ["dtxcid", /^DTX\W*C/i],
  ["inchikey", /^inchikey\b|^InChIKey|^[A-Z]{14}(?:[^A-Za-z]|[A-Z-]{10,13}$)/],
  ["inchi", /^InChI\s*[=:]/i],
  ["casrn", /^(CAS|NOCAS)\b|^NOCAS|^\d[\d\s\p{Pd}.,/O]*$/iu],
  ["formula", /^(?=.*\d)[A-Z][A-Za-z\d\s.()[\]+-]*$/]
]

/** Checks a text as the given kind, or as the kind that it looks like. */
export const find = (text: string, requestedKind: Kind | "auto"): Finding => {
  const requested = requestedKind === "auto" ? undefined : requestedKind
  const placeholder = Placeholder.fault(requested ?? "an identifier", text)
  if (placeholder !== undefined) return refused(placeholder, requested)
  const exact = requested ?? kinds.find((kind) => isOf(kind, text))
  const kind = exact ?? forms.find(([, form]) => form.test(text))?.[0]
  // A longer text may contain an identifier, e.g. a name with a CAS number in brackets.
  const contained = exact === undefined ? containedIn(text) : undefined
  if (contained !== undefined) return contained
  if (kind === undefined) {
    const message =
      text.trim() === ""
        ? "the value is empty"
        : `${Quote.value(text)} looks like none of ${kinds.join(", ")}`
    return refused({ message, reason: "malformed" }, kind)
  }
  const found = Repair.read(kind, text)
  if (Result.isFailure(found)) return refused(found.failure, kind)
  const { note, value } = found.success
  return note === undefined
    ? { valid: true, kind, reason: null, message: null, suggestion: value === text ? null : value }
    : { valid: false, kind, reason: "malformed", message: note, suggestion: value }
}

/** Returns whether a text is of a kind, perhaps damaged. Most words have the form of a SMILES, so a SMILES needs more than its form. */
const isOf = (kind: Kind, text: string): boolean =>
  kind === "smiles"
    ? Result.getOrUndefined(IdentifierKind.classify(text))?.first[0].kind === "smiles"
    : Result.isSuccess(Repair.read(kind, text))

const refused = (
  { message, reason }: Pick<InvalidIdentifier.InvalidIdentifier, "message" | "reason">,
  kind: Kind | undefined
): Finding => ({ valid: false, kind: kind ?? null, reason, message, suggestion: null })

/** Suggests the identifier that a longer text contains, if it is the only one. */
const containedIn = (text: string): Finding | undefined => {
  const classified = Result.getOrUndefined(IdentifierKind.classify(text))
  const [reading] = classified?.first ?? []
  const isWithin =
    classified?.otherwise.some(({ kind }) => kind === "name") === true || reading?.kind === "name"
  if (reading?.note === undefined || !isWithin) return undefined
  const kind = kinds.find((one) => one === reading.kind)
  return {
    ...refused({ message: reading.note, reason: "malformed" }, kind),
    suggestion: kind === undefined ? null : reading.value
  }
}
