/** Joins the two parts of a stored detail record as bytes: `record`, the fields of the default projection, and `others`, the remaining fields. */
import type { StoredDetail } from "../../Store.ts"

const CLOSE = 0x7d // }
const COMMA = 0x2c // ,

/** Returns one object with all fields. Neither part has surrounding white space. */
export const joinDetail = ({ record, others }: StoredDetail): Uint8Array => {
  if (others === null) return record
  // The record is `{}`.
  if (record.length === 2) return others
  const bytes = new Uint8Array(record.length + others.length - 1)
  bytes.set(record)
  bytes[record.length - 1] = COMMA
  bytes.set(others.subarray(1), record.length)
  bytes[bytes.length - 1] = CLOSE
  return bytes
}
