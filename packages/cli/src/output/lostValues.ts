/**
 * Counts the values of records that a format cannot hold, and names the record of the first one for the message.
 */
import { Quote } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { counted } from "../terminal/quantities.ts"

/** Counts the values that are not written whole. */
export interface Losses {
  /** The number of values that were cut. */
  cut: number
  /** The number of values that were refused, and the first of them. */
  refused: number
  first: string | undefined
  /** Returns the place in the input that a record belongs to. Undefined: it is not known. */
  readonly originOf: OriginOf
}

/** A place in the input of a run. */
export interface Origin {
  readonly line: number
  readonly id: string
}

/** Returns the place in the input of the record with this index. */
export type OriginOf = (index: number, record: unknown) => Origin | undefined

/** Starts to count. */
export const noLosses = (originOf: OriginOf = () => undefined): Losses => ({
  cut: 0,
  refused: 0,
  first: undefined,
  originOf
})

/** Counts a refused value. */
export const refuse = (losses: Losses, index: number, record: unknown, reason: string): void => {
  losses.refused++
  losses.first ??= `${nameOf(losses.originOf(index, record), index, record)}: ${reason}`
}

/** Describes the refused values. */
export const refusedText = ({ first = "", refused }: Losses): string =>
  refused > 1 ? `${counted(refused, "value")} have no place in it, the first is ${first}` : first

/**
 * Names a record by the line and the identifier of the input. If they are not known, by its number and its first text, which is its
 * identifier in most cases.
 */
const nameOf = (origin: Origin | undefined, index: number, record: unknown): string => {
  if (origin !== undefined)
    return `line ${origin.line} (${/^[\w-]{1,60}$/.test(origin.id) ? origin.id : Quote.value(origin.id)})`
  const text = (RawRecord.isRawRecord(record) ? identifierOf(record) : undefined) ?? ""
  return `record ${index + 1}${text === "" ? "" : ` (${text.length > 60 ? `${text.slice(0, 60)}…` : text})`}`
}

/** Returns the DTXSID of a record, or its first text, in the notation of JSON. */
export const identifierOf = (record: RawRecord.RawRecord): string | undefined => {
  const fields = RawRecord.entries(record)
  if (fields._tag === "Failure") return undefined
  const found =
    fields.success.find(({ key }) => /^dtxsid$/i.test(key)) ??
    fields.success.find(({ kind }) => kind === "string")
  return found && RawRecord.toText(found.value).replace(/^"(.*)"$/, "$1")
}
