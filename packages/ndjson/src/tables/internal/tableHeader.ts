/**
 * Finds the header of a table among its first rows, and a column by its name in the header. Text above the table is not taken for a header.
 */
import { argument } from "../../internal/argumentChecks.ts"

/** The cells of a row, and its line. */
export interface SourceRow {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** Which row the user wants as the header. */
export interface HeaderOptions {
  /** The columns that the header must have. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Whether a row is wanted as the header of a table without keys. Default: none is. */
  readonly isWanted?: ((cells: ReadonlyArray<string>) => boolean) | undefined
  /**
   * Whether a cell can only be a value. The values of a wanted first column are no row names, and a row of values is no header below a
   * row of names. Default: no cell is.
   */
  readonly isValue?: ((cell: string) => boolean) | undefined
  /**
   * The line of the header. Default: the first row with the keys, in any case if none has them, or without keys the first row that is
   * wanted; or else the first row that looks like a header.
   */
  readonly header?: number | undefined
}

/** A possible header. */
export interface Header {
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** Whether it has all keys, or without keys, whether it is wanted. */
  readonly hasKeys: boolean
}

/** The share of the widest row that a header must fill. */
const headerShare = 2 / 3

/**
 * Returns the header among the first rows: the row of `header`; or the first row with the keys, or that is wanted, the widest of
 * several; or else the first row that is about as wide as the widest, starts at the left, and is mostly text. Undefined: there are
 * no rows.
 */
export const headerOf = (rows: ReadonlyArray<SourceRow>, options: HeaderOptions): Header | undefined => {
  argument("rows", "a list of rows", rows)
  const {
    header,
    isValue = () => false,
    isWanted = () => false,
    keys = []
  } = argument("options", "an object", options)
  const hasKeys = ({ cells }: SourceRow) =>
    keys.length === 0 ? isWanted(cells) : keys.every((key) => indexOf(cells, key) !== -1)
  const hasKeysInAnyCase = ({ cells }: SourceRow) => {
    const names = cells.map((cell) => plain(cell).toLowerCase())
    return keys.length > 0 && keys.every((key) => names.includes(plain(key).toLowerCase()))
  }
  // A sheet can have more rows than a call has arguments.
  const mostFilled = (some: ReadonlyArray<SourceRow>) =>
    some.reduce((most, { cells }) => Math.max(most, filled(cells)), 0)
  const widest = mostFilled(rows)
  // A row of a block above the table may have the word of a key.
  const fitting = [...rows.filter(hasKeys), ...rows.filter(hasKeysInAnyCase)]
  const widestFitting = mostFilled(fitting)
  const named = rows.filter(({ cells }, at) => looksLikeHeader(cells, at === 0))
  const likely = named.findIndex(({ cells }) => filled(cells) >= widest * headerShare)
  // Columns without a name make a header narrower than its rows.
  const isNarrow = areValues(rows.slice(rows.indexOf(named[likely] as SourceRow)), isValue)
  const narrow = named.slice(0, isNarrow ? Math.max(likely, 0) : 0).findLast(({ cells }) => filled(cells) > 1)
  const found =
    header !== undefined
      ? rows.find(({ line }) => line === header)
      : (fitting.find(({ cells }) => filled(cells) === widestFitting) ?? narrow ?? named[likely] ?? rows[0])
  return found && { line: found.line, cells: found.cells, hasKeys: hasKeys(found) }
}

/** Returns whether the first row is one of values: a column of it has mostly values. Below the names of a matrix are numbers. */
const areValues = (rows: ReadonlyArray<SourceRow>, isValue: (cell: string) => boolean): boolean =>
  rows[0]?.cells.some((cell, at) => {
    if (!isValue(cell)) return false
    const column = rows.map(({ cells }) => cells[at]?.trim() ?? "").filter((one) => one !== "")
    return column.filter(isValue).length * 2 > column.length
  }) === true

/** Returns the number of cells that are not blank. */
export const filled = (cells: ReadonlyArray<string>): number =>
  cells.filter((cell) => cell.trim() !== "").length

/** Returns whether a row starts at the left and has names: texts, years, or in the first row any numbers beside a text. */
const looksLikeHeader = (cells: ReadonlyArray<string>, isFirst: boolean): boolean => {
  const names = cells.filter((cell) => cell.trim() !== "")
  const numbers = names.map((cell) => Number(cell.replace(",", "."))).filter(Number.isFinite)
  const isEach = (test: (number: number, before: number) => boolean): boolean =>
    numbers.every((number, at) => test(number, numbers[at - 1] ?? number - 1))
  const areNames =
    numbers.length * 2 < names.length ||
    isEach(
      (number, before) => Number.isInteger(number) && number > before && number >= 1900 && number <= 2100
    ) ||
    (numbers.length < names.length &&
      (isFirst
        ? new Set(numbers).size === numbers.length
        : numbers.length > 2 && isEach((number, before) => number === before + 1)))
  return areNames && cells.slice(0, 2).some((cell) => cell.trim() !== "")
}

/** Returns a name with a space for each run of white space, e.g. for the line break or the no-break space of a header. */
export const plain = (name: string): string => name.replace(/\s+/g, " ").trim()

/** Returns the position of a column. Its name counts as it stands, or else whatever its white space is. */
export const indexOf = (cells: ReadonlyArray<string>, name: string): number => {
  const at = cells.indexOf(name)
  return at === -1 ? cells.findIndex((cell) => plain(cell) === plain(name) && plain(cell) !== "") : at
}
