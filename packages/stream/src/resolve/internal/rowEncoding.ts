/**
 * Encodes the identifiers of a row of the input as one text, and reads that text.
 */
import { IdentifierKind, type InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"

/** The separator between the identifiers of a row. No identifier contains a unit separator. */
const separator = "\u001f"

/** Joins the identifiers of a row, in order of preference. */
export const join = (values: ReadonlyArray<string>): string => values.join(separator)

/** Splits the text of a row into its identifiers. */
export const split = (text: string): ReadonlyArray<string> => text.split(separator)

/** Returns the identifiers for people. */
export const displayText = (text: string): string =>
  split(text)
    .filter((value) => value.trim() !== "")
    .join(" | ")

/** One identifier of a row, and its possible kinds. */
export interface Cell {
  /** Its name for people: its column, or its text. */
  readonly label: string
  /** The position of its column. Identifiers of one column are alternatives. */
  readonly column: number
  /** The identifier as given. */
  readonly text: string
  readonly classified: Result.Result<IdentifierKind.Classification, InvalidIdentifier.InvalidIdentifier>
}

/** How the identifiers of a row are read. */
export interface Columns {
  /** The kind of every value. Default: the kind is found from its form. */
  readonly as?: IdentifierKind.Name | undefined
  /** The separator between several identifiers of one column, e.g. `;`. Default: a column has one. */
  readonly split?: string | undefined
  /** The names of the columns for people. Default: the values. */
  readonly labels?: ReadonlyArray<string> | undefined
}

/** Returns the identifiers of a row, without blank ones. */
export const cells = (text: string, { as, labels = [], split: mark }: Columns): ReadonlyArray<Cell> =>
  split(text).flatMap((value, column) =>
    (mark === undefined ? [value] : value.split(mark)).flatMap((part) => {
      const own = part.trim()
      return own === ""
        ? []
        : [{ label: labels[column] ?? own, column, text: own, classified: classify(part, as) }]
    })
  )

/** Returns the note about an identifier of a row that is not known, e.g. of its column. */
export const unconfirmed = ({ label, text }: Pick<Cell, "label" | "text">, reason: string): string =>
  label === text ? reason : `${label} confirms nothing: ${reason}`

const classify = (value: string, as: IdentifierKind.Name | undefined): Cell["classified"] =>
  as === undefined
    ? IdentifierKind.classify(value)
    : Result.map(IdentifierKind.kinds[as].read(value), (reading) => ({ first: [reading], otherwise: [] }))

/** Returns the text of a row with at least one valid identifier, or why there is none. */
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
