/**
 * The synonym record (docs/service.md, section 5.4), and the flat list of its other projection.
 */
import { Result, Schema } from "effect"
import * as Casrn from "../identifiers/Casrn.ts"
import { text, textOrTexts, texts } from "./internal/fieldTypes.ts"
import { lazy } from "./internal/lazy.ts"
import { type OpenStruct, openStruct } from "./internal/openStruct.ts"
import type * as Types from "./internal/types/SynonymRecord.ts"

/** The fields of the default projection, `chemical-synonym-all`. */
export const fields = lazy(() => ({
  beilstein: texts("Beilstein registry numbers"),
  alternateCasrn: texts("Further CAS registry numbers"),
  dtxsid: Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  pcCode: textOrTexts("Pesticide chemical code, or a list of them"),
  deletedCasrn: texts("CAS registry numbers that are no longer in use"),
  other: texts("Other synonyms"),
  valid: texts("Synonyms validated by experts"),
  good: texts("Synonyms of good quality")
}))

/** The schema of the synonyms of a substance, by quality. Arrays are null when empty. */
export const SynonymRecord: OpenStruct<Types.SynonymRecord> = openStruct(fields, {
  title: "Synonyms of a substance, by quality",
  section: "5.4",
  "x-primary-key": ["dtxsid"]
})

/** The synonyms of a substance. */
export type SynonymRecord = Types.SynonymRecord

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
  const { good, valid, ...others }: Readonly<Record<string, unknown>> = { ...record }
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

const isCasrn = (text: string): boolean => Result.isSuccess(Result.flatMap(Casrn.parse(text), Casrn.verify))

/** A registry number, or a place in the handbook, e.g. 4-06-00-06717. */
const beilsteinNumber = /^(brn\s*)?(\d{5,8}|\d-\d{2}-\d{2}-\d{5})(\s*\(beilstein.*\))?$/i

const textsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : []).filter(
    (text): text is string => typeof text === "string" && text.trim() !== ""
  )

/** The fields of one synonym under `ccd-synonyms`. */
export const flatFields = lazy(() => ({
  synonym: text("The synonym"),
  quality: text("Its quality, e.g. Valid, Good, Other")
}))

/** The schema of one synonym under `ccd-synonyms`. */
export const FlatSynonym: OpenStruct<Types.FlatSynonym> = openStruct(flatFields, {
  title: "Synonym",
  section: "5.4"
})

/** One synonym with its quality. */
export type FlatSynonym = Types.FlatSynonym

/** The names of the projections. The second is the default. */
export const projections = ["ccd-synonyms", "chemical-synonym-all"] as const

/** The schema of the projection's name. */
export const Projection: Schema.Literals<typeof projections> = Schema.Literals(projections)

/** The name of a projection. */
export type Projection = (typeof projections)[number]

/** The default projection. */
export const defaultProjection = "chemical-synonym-all"
