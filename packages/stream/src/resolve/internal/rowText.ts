/**
 * The identifiers of a row as the one text that a run asks for, and how they are read.
 */
import { IdentifierKind, type InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"

/** Stands between the identifiers of a row: no identifier holds a unit separator. */
const separator = "\u001f"

/** The identifiers of a row as one text, in order of preference. */
export const join = (values: ReadonlyArray<string>): string => values.join(separator)

/** The identifiers of such a text. */
export const split = (text: string): ReadonlyArray<string> => text.split(separator)

/** The identifiers as people see them. */
export const shown = (text: string): string =>
  split(text)
    .filter((value) => value.trim() !== "")
    .join(" | ")

/** One identifier of a row, and what it may be. */
export interface Cell {
  /** What people call it: its column, or its text. */
  readonly label: string
  readonly classified: Result.Result<IdentifierKind.Classification, InvalidIdentifier.InvalidIdentifier>
}

/** How the identifiers of a row are read. */
export interface Columns {
  /** What each value is. Default: what its form says. */
  readonly as?: IdentifierKind.Name | undefined
  /** What people call the columns. Default: their values. */
  readonly labels?: ReadonlyArray<string> | undefined
}

/** The identifiers of a row that are not blank. */
export const cells = (text: string, { as, labels = [] }: Columns): ReadonlyArray<Cell> =>
  split(text).flatMap((value, at) =>
    value.trim() === "" ? [] : [{ label: labels[at] ?? value.trim(), classified: classify(value, as) }]
  )

const classify = (value: string, as: IdentifierKind.Name | undefined): Cell["classified"] =>
  as === undefined
    ? IdentifierKind.classify(value)
    : Result.map(IdentifierKind.kinds[as].read(value), (reading) => ({ first: [reading], otherwise: [] }))

/** The text of a row that can be asked for, or why none of its identifiers can. */
export const parse = (
  text: string,
  columns: Columns
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> => {
  const all = cells(text, columns)
  const failures = all.flatMap(({ classified }) => (Result.isFailure(classified) ? [classified.failure] : []))
  const [first] = failures
  if (all.length === 0) return Result.map(IdentifierKind.classify(""), () => text)
  return first !== undefined && failures.length === all.length
    ? Result.fail(first)
    : Result.succeed(join(split(text).map((value) => value.trim())))
}
