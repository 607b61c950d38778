/** The values of records that a format cannot hold. */
import { RawRecord } from "@chemstream/ndjson"
import { counted } from "../run/summary.ts"

/** Counts the values that are not written whole. */
export interface Losses {
  /** The number of values that were cut. */
  cut: number
  /** The number of values that were refused, and the first of them. */
  refused: number
  first: string | undefined
}

export const noLosses = (): Losses => ({ cut: 0, refused: 0, first: undefined })

/** Describes the refused values. */
export const refusedText = ({ first = "", refused }: Losses): string =>
  refused > 1 ? `${counted(refused, "value")} have no place in it, the first is ${first}` : first

/** Names a record by its number and its first text, which is its identifier in most cases. */
export const nameOf = (index: number, record: unknown): string => {
  const fields = RawRecord.isRawRecord(record) ? RawRecord.entries(record) : undefined
  const found =
    fields?._tag === "Success"
      ? (fields.success.find(({ key }) => /^dtxsid$/i.test(key)) ??
        fields.success.find(({ kind }) => kind === "string"))
      : undefined
  const text = found === undefined ? "" : RawRecord.toText(found.value).replace(/^"(.*)"$/, "$1")
  return `record ${index + 1}${text === "" ? "" : ` (${text.length > 60 ? `${text.slice(0, 60)}…` : text})`}`
}
