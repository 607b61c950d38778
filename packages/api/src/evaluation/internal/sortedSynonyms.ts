/** Sorts the synonyms of a record by kind. `SynonymRecord` exports it beside the schema of the records. */
import { Result } from "effect"
import * as Casrn from "../../identifiers/Casrn.ts"
import { argument } from "../../internal/checkArgument.ts"

/** The synonyms of a substance by kind. */
export interface Sorted {
  /** Synonyms validated by experts. */
  readonly valid: ReadonlyArray<string>
  /** Synonyms of good quality. */
  readonly good: ReadonlyArray<string>
  /** Other synonyms. */
  readonly other: ReadonlyArray<string>
  /** Further CAS registry numbers. */
  readonly alternateCasrn: ReadonlyArray<string>
  /** CAS registry numbers that are no longer in use. */
  readonly deletedCasrn: ReadonlyArray<string>
  /** Beilstein registry numbers. */
  readonly beilstein: ReadonlyArray<string>
}

/**
 * Sorts the synonyms of a record by kind.
 *
 * In 2026 the public service has the deleted CAS numbers in `other`, the other synonyms in `beilstein` and the
 * Beilstein numbers in `deleted`. So `sort` decides the kind of these three lists by their texts, not by their names.
 *
 * @example
 * ```ts
 * import { SynonymRecord } from "@chemstream/api"
 *
 * const { deletedCasrn, other } = SynonymRecord.sort({
 *   dtxsid: "DTXSID7020182",
 *   other: ["137885-53-1"],
 *   beilstein: ["2,2-Bis(4-hydroxyphenyl)propane"]
 * })
 * deletedCasrn // => ["137885-53-1"]
 * other // => ["2,2-Bis(4-hydroxyphenyl)propane"]
 * ```
 */
export const sort = (record: object): Sorted => {
  const { good, valid, ...others }: Readonly<Record<string, unknown>> = {
    ...argument("record", "a record", record)
  }
  const lists = ["other", "beilstein", "deleted"].map((name) => textsOf(others[name]))
  const ofKind = (kind: Kind): ReadonlyArray<string> => lists.filter((list) => kindOf(list) === kind).flat()
  const alternate = ["alternateCasrn", "alternate"].flatMap((name) => textsOf(others[name]))
  return {
    valid: textsOf(valid),
    good: textsOf(good),
    other: ofKind("name"),
    alternateCasrn: alternate,
    deletedCasrn: [...textsOf(others["deletedCasrn"]), ...ofKind("casrn")],
    beilstein: ofKind("beilstein")
  }
}

type Kind = "casrn" | "beilstein" | "name"

const kindOf = (list: ReadonlyArray<string>): Kind => {
  if (list.every(isCasrn)) return "casrn"
  return list.every((text) => beilsteinNumber.test(text)) ? "beilstein" : "name"
}

const isCasrn = (text: string): boolean => Result.isSuccess(Casrn.verify(text))

/** A registry number, or a place in the handbook, e.g. 4-06-00-06717. */
const beilsteinNumber = /^(brn\s*)?(\d{5,8}|\d-\d{2}-\d{2}-\d{5})(\s*\(beilstein.*\))?$/i

const textsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : []).filter(
    (text): text is string => typeof text === "string" && text.trim() !== ""
  )
