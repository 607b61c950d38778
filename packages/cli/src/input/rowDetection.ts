/**
 * Tells a row of a table from a line that is one value, by its separators and by cells that no chemical name contains: identifiers
 * (`isExact`) and the usual names of columns.
 */
import { IdentifierKind } from "@chemstream/api"
import { Identifiers } from "@chemstream/stream"
import { Result } from "effect"

/** The usual names of columns about chemicals, in lower case without spaces and punctuation. */
const columnNames: ReadonlySet<string> = new Set(
  "cas casno casnr casnumber casrn casregistrynumber chemical chemicalname compound compoundname dtxcid dtxsid formula id inchi inchikey mass molecularformula monoisotopicmass mz name peak preferredname rt sample smiles substance substancename".split(
    " "
  )
)

/** The kinds of identifiers that a name never contains between separators. */
const exactKinds: ReadonlySet<string> = new Set(["dtxsid", "dtxcid", "casrn", "inchikey"])

/** Whether the values of a column have a form that no title has. */
export const isExactKind = (column: string): boolean => exactKinds.has(column)

/**
 * Returns the cells of a line that is a row of a table. Undefined: the line can be one value. A name may have commas and
 * semicolons, so one cell must be the name of a column or an identifier. The separator `within` values is not one of cells.
 */
export const cellsOf = (line: string, within?: string): ReadonlyArray<string> | undefined =>
  ["\t", ";", ","]
    .map((separator) => (separator === within ? [line] : split(line, separator)))
    .find(
      (cells, at) => cells.length > 1 && (at === 0 || cells.some((cell) => isColumn(cell) || isExact(cell)))
    )

/** Whether a cell is an identifier that no name contains. */
export const isExact = (cell: string): boolean => {
  const result = IdentifierKind.classify(cell)
  if (Result.isFailure(result)) return false
  const { first, otherwise } = result.success
  return exactKinds.has(first[0].kind) && otherwise.length === 0
}

/** Whether a line has separators that are not commas between the locants of a chemical name. */
export const hasSeparator = (line: string, separator: string): boolean =>
  (separator === "," ? withoutLocants(line) : line).includes(separator)

/** Removes the commas between locants from a chemical name. Other commas stay. */
const withoutLocants = (text: string): string => locants.reduce((rest, some) => rest.replace(some, ""), text)

/**
 * Matches locants of chemical names: 2,2-dimethylpropane, 3,3',5,5'-…, N,N-…, p,p'-DDT, dibenz[a,h]anthracene. It does not match
 * names of two columns: numbers of more than two digits, or two different letters without brackets or a prime.
 */
const locants: ReadonlyArray<RegExp> = [
  /(?<=^|[\s([{]|[A-Za-z)\]]-)\d{1,2}[a-z]?['′]*(?:,\d{1,2}[a-z]?['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{]|[A-Za-z)\]]-)([NOSP])['′]*(?:,\1['′]*)+(?=-[A-Za-z([{])/g,
  /(?<=^|[\s([{])[omp]['′]*,[omp]['′]+(?=-[A-Za-z])/g,
  /\[[a-z](?:,[a-z])+\]/g
]

/** Whether most lines of a text are cells with runs of spaces between them, or numbers with single spaces. */
export const areSpaced = (text: string): boolean => {
  const lines = text.split(/[\r\n]+/, 50).filter((line) => line.trim() !== "")
  const spaced = lines.filter(
    (line) => /\S {2,}\S/.test(line) || (/\d\.\d/.test(line) && /^ *-?[\d.]+(?: -?[\d.]+)+ *$/.test(line))
  )
  return lines.length > 1 && spaced.length * 2 > lines.length
}

const isColumn = (cell: string): boolean => columnNames.has(cell.toLowerCase().replace(/[\s_./#()-]/g, ""))

/** Splits a line at separators outside of quotes. Empty cells are left out. */
const split = (line: string, separator: string): ReadonlyArray<string> => {
  const cells = line.match(new RegExp(`(?:"(?:[^"]|"")*"|[^${separator}])+`, "g")) ?? []
  return cells.flatMap((cell) => Identifiers.ofLine(cell) ?? [])
}
