/**
 * The identifiers of bioactivity data: assay endpoint (`aeid`), data record (`m4id`) and sample (`spid`).
 *
 * Numbers are positive 32-bit integers (docs/service.md, section 2); a sample identifier is any non-empty text.
 */
import { Result, Schema } from "effect"
import { type InvalidIdentifier, malformed, trimmed } from "./InvalidIdentifier.ts"

const largest = 2 ** 31 - 1

const positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: largest }))

const aeid = positive.annotate({ description: "Assay endpoint identifier" }).pipe(Schema.brand("Aeid"))
const m4id = positive.annotate({ description: "Data record identifier" }).pipe(Schema.brand("M4id"))
const spid = Schema.NonEmptyString.annotate({ description: "Sample identifier" }).pipe(Schema.brand("Spid"))

/** The identifier of an assay endpoint. */
export type Aeid = typeof aeid.Type
/** The schema of assay endpoint identifiers. */
export const Aeid: typeof aeid = aeid

/** The identifier of a data record: of a fit, which is level 4 of the ToxCast pipeline. */
export type M4id = typeof m4id.Type
/** The schema of data record identifiers. */
export const M4id: typeof m4id = m4id

/** The identifier of a sample. */
export type Spid = typeof spid.Type
/** The schema of sample identifiers. */
export const Spid: typeof spid = spid

/**
 * Reads an assay endpoint identifier from text.
 *
 * @example
 * ```ts
 * import { Assay } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Assay.parseAeid("704")) // => 704
 * ```
 */
export const parseAeid = (text: string): Result.Result<Aeid, InvalidIdentifier> =>
  Result.map(parseNumber("aeid", text), (value) => aeid.make(value))

/** Reads a data record identifier from text. */
export const parseM4id = (text: string): Result.Result<M4id, InvalidIdentifier> =>
  Result.map(parseNumber("m4id", text), (value) => m4id.make(value))

/** Reads a sample identifier from text: any text that is not blank. */
export const parseSpid = (text: string): Result.Result<Spid, InvalidIdentifier> =>
  trimmed(text) === "" ? refuse("spid", text, "it is empty") : Result.succeed(spid.make(text.trim()))

const parseNumber = (identifier: string, text: string): Result.Result<number, InvalidIdentifier> => {
  const value = trimmed(text)
  if (!/^\d+(\.0)?$/.test(value)) return refuse(identifier, text, "it must be a whole number")
  const number = Number(value)
  if (number < 1 || number > largest) return refuse(identifier, text, `it must be from 1 to ${largest}`)
  return Result.succeed(number)
}

const refuse = (identifier: string, value: string, reason: string) =>
  malformed(identifier, `an ${identifier}`, value, reason)
