/**
 * Selects the fields of `--fields` from raw records: fields of the record, and paths into its objects (`mc5Param.ac50`). A field whose
 * name contains a dot wins over a path.
 */
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"

type Raw = RawRecord.RawRecord

const OPEN_OBJECT = 0x7b

const none = RawRecord.fromText("null")
const empty = RawRecord.fromText("{}")

/** Returns the first field of a path. */
export const rootOf = (path: string): string => path.split(".", 1)[0] ?? path

/** Whether a name may be a path. */
export const isPath = (name: string): boolean => name.includes(".")

/** Selects fields in order, with null for a missing one. A value that is not an object stays unchanged. */
export const picker = (fields: ReadonlyArray<string> | undefined): ((record: Raw) => Raw) => {
  if (fields === undefined) return (record) => record
  const pick = fields.some(isPath) ? pathPicker(fields) : RawProjection.picker(fields, { missing: "null" })
  return (record) => Result.getOrElse(pick(record), () => record)
}

const pathPicker = (fields: ReadonlyArray<string>) => {
  const names = [...new Set([...fields, ...fields.map(rootOf)])]
  const read = RawProjection.reader(names)
  const readers = fields.map((field) => ({
    field,
    own: names.indexOf(field),
    root: names.indexOf(rootOf(field)),
    descend: pathReader(field.split(".").slice(1))
  }))
  return (record: Raw) =>
    Result.flatMap(read(record), (values) =>
      RawRecord.prepend(
        empty,
        readers.map(({ descend, field, own, root }) => {
          const value = values[own] ?? (isPath(field) ? descend(values[root]) : undefined)
          return [field, value ?? none] as const
        })
      )
    )
}

/** Reads the value at the end of a path below a value. */
const pathReader = (path: ReadonlyArray<string>): ((value: Raw | undefined) => Raw | undefined) => {
  const steps = path.map((name) => RawProjection.reader([name]))
  return (value) =>
    steps.reduce<Raw | undefined>(
      (found, step) =>
        found?.bytes[found.start] === OPEN_OBJECT ? Result.getOrElse(step(found), () => [])[0] : undefined,
      value
    )
}
