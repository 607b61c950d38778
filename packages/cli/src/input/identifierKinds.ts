/**
 * Checks whether a text is an identifier, detects its kind, and suggests a correction. It sends no request.
 *
 * `@chemstream/api` checks forms and check digits. This module detects kinds, and repairs damage: spaces and dashes from documents, O for
 * 0, missing hyphens, labels.
 */
import { Casrn, Dtxcid, Dtxsid, InchiKey, InvalidIdentifier, MolecularFormula, Quote } from "@chemstream/api"
import { Result } from "effect"

/** The kinds of identifiers. */
export const kinds = ["dtxsid", "dtxcid", "casrn", "inchikey", "formula"] as const

/** A kind of identifiers. */
export type Kind = (typeof kinds)[number]

/** The result of a check. */
export interface Finding {
  readonly valid: boolean
  /** The given kind, or the kind that the text looks like. Null: none. */
  readonly kind: Kind | null
  /** The problem. Null: valid. */
  readonly reason: InvalidIdentifier.InvalidIdentifier["reason"] | null
  /** The problem in words. */
  readonly message: string | null
  /** The suggested correction. For a valid text: its canonical spelling, if that differs. */
  readonly suggestion: string | null
}

type Read = (text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>

interface Rule {
  /** Returns the canonical spelling, if form and check digit are valid. */
  readonly read: Read
  /** Whether a text looks like this kind, even if it is malformed. */
  readonly resembles: RegExp
  /** Repairs a text before it is parsed. */
  readonly repair: (text: string) => string
}

// In the order of comparison.
const rules: Readonly<Record<Kind, Rule>> = {
  dtxsid: {
    read: (text) => Result.flatMap(Dtxsid.parse(text), Dtxsid.verify),
    resembles: /^DTX\W*S/i,
    repair: repairDsstox
  },
  dtxcid: {
    read: (text) => Result.flatMap(Dtxcid.parse(text), Dtxcid.verify),
    resembles: /^DTX\W*C/i,
    repair: repairDsstox
  },
  inchikey: {
    read: InchiKey.parse,
    resembles: /^inchikey\b|^InChIKey|^[A-Z]{14}(?:[^A-Za-z]|[A-Z-]{10,13}$)/,
    repair: (text) => {
      const letters = text.replace(/^InChIKey/i, "").replace(/[^A-Za-z]/g, "")
      return `${letters.slice(0, 14)}-${letters.slice(14, 24)}-${letters.slice(24)}`
    }
  },
  casrn: {
    read: (text) => Result.flatMap(parseUnpadded(text), Casrn.verify),
    resembles: /^(CAS|NOCAS)\b|^NOCAS|^\d[\d\s\p{Pd}.,/O]*$/iu,
    repair: (text) => {
      const digits = text
        .replace(/^CAS\s*(RN|No\.?|Number)?/i, "")
        .replace(/O/gi, "0")
        .replace(/\D/g, "")
      const number = /^NOCAS/i.test(text) ? undefined : digits.replace(/^0+/, "")
      return number === undefined
        ? `NOCAS_${text.replace(/\D/g, "")}`
        : `${number.slice(0, -3)}-${number.slice(-3, -1)}-${number.slice(-1)}`
    }
  },
  formula: {
    read: MolecularFormula.parse,
    resembles: /^(?=.*\d)[A-Z][A-Za-z\d\s.()[\]+-]*$/,
    repair: (text) => text.replace(/\s/g, "")
  }
}

/** Checks a text as the given kind, or as the kind that it looks like. */
export const find = (text: string, requestedKind: Kind | "auto"): Finding => {
  const kind = requestedKind === "auto" ? kindOf(text) : requestedKind
  if (kind === undefined) {
    return {
      valid: false,
      kind: null,
      reason: "malformed",
      message: `${Quote.value(text)} looks like none of ${kinds.join(", ")}`,
      suggestion: null
    }
  }
  const result = rules[kind].read(text)
  if (Result.isSuccess(result)) {
    const suggestion = result.success === text ? null : result.success
    return { valid: true, kind, reason: null, message: null, suggestion }
  }
  const { message, reason } = result.failure
  return { valid: false, kind, reason, message, suggestion: correction(text, kind) ?? null }
}

const kindOf = (text: string): Kind | undefined => {
  const plain = unify(text)
  const others = kinds.filter((kind) => kind !== "formula")
  const likely =
    others.find((kind) => Result.isSuccess(rules[kind].read(plain))) ??
    others.find((kind) => rules[kind].resembles.test(plain))
  if (likely !== undefined) return likely
  // Last, because many short words are formulas, too.
  return Result.isSuccess(MolecularFormula.parse(text)) || rules.formula.resembles.test(plain)
    ? "formula"
    : undefined
}

/** Returns a repaired text only if it passes every check. */
const correction = (text: string, kind: Kind): string | undefined => {
  const plain = unify(text)
  const candidates = [plain, rules[kind].repair(plain)].map(rules[kind].read)
  return candidates.find(Result.isSuccess)?.success
}

// Some tables pad CAS numbers with zeros. No service knows padded ones.
const parseUnpadded = (text: string): Result.Result<Casrn.Casrn, InvalidIdentifier.InvalidIdentifier> =>
  Result.flatMap(Casrn.parse(text), (casrn) =>
    casrn.startsWith("0")
      ? Result.fail(
          new InvalidIdentifier.InvalidIdentifier({
            identifier: "CASRN",
            value: text,
            reason: "malformed",
            message: `${Quote.value(text)} is not a CAS number as services write it: the zeros before it are padding`
          })
        )
      : Result.succeed(casrn)
  )

// Replaces subscripts and full-width characters by plain ones, and dashes by hyphens. Removes quotation marks, invisible characters and
// separators.
const unify = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\p{Pd}−]/gu, "-")
    .replace(/["'“”„‘’\p{Cf}]/gu, "")
    .replace(/[\s,;]+$/, "")
    .trim()

function repairDsstox(text: string): string {
  const squeezed = text.toUpperCase().replace(/[\s:_.-]/g, "")
  return squeezed.slice(0, 6) + squeezed.slice(6).replace(/O/g, "0").replace(/[IL]/g, "1")
}
