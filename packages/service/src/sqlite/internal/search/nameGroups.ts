/**
 * Numbers the kinds of names (`nameKinds`) and the groups in which names are indexed.
 *
 * A group has the names of a record with about the same rank, one per line, e.g. all its valid synonyms. Better ranks have smaller numbers, so a
 * search in the order of numbers reads names by rank. The database stores the numbers, so they must not change.
 */

/** A kind of name: its label in a hit, and its rank. */
export interface Kind {
  readonly searchName: string
  readonly rank: number
}

/** The number of the kind of compound identifiers. */
export const compoundKind = 1

/** The number of the kind of InChIKeys. */
export const inchikeyKind = 4

/** The number of the kind of approved names. */
export const approvedKind = 5

/** The kinds that are suggested: names and the CAS number. */
export const suggestedKinds: ReadonlyArray<number> = [5, 6, 7, 8, 2]

/**
 * The groups. `identifiers` has one line for each of the kinds 0, 1, 2 and 4; the line of a missing identifier is
 * empty.
 */
export const groupNumbers = { identifiers: 0, registry: 1, approved: 2, valid: 3, good: 4, other: 5 } as const

/** The number of groups. */
export const groupCount = 6

/** The numbers of all kinds, best rank first. */
export const kindNumbers: ReadonlyArray<number> = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** Returns whether a group has identifiers and registry numbers: only letters, digits, hyphens and underscores. */
export const holdsIdentifiers = (group: number): boolean => group <= groupNumbers.registry

const identifierKinds = [0, 1, 2, 4]
const kindOfGroup = [0, 3, 5, 6, 7, 8]

/** Returns the number of the kind of a line of a group. */
export const kindOf = (group: number, line: number): number =>
  (group === groupNumbers.identifiers ? identifierKinds[line] : kindOfGroup[group]) as number

/** Returns the group of a kind. */
export const groupOf = (kind: number): number =>
  identifierKinds.includes(kind) ? groupNumbers.identifiers : kindOfGroup.indexOf(kind)

/** Separates the stored lines of a group: U+001F, which never occurs in a line. */
export const separator = "\u001f"

// The rows of a substance are adjacent, so that one page usually has all of them.
const perSubstance = 8

/** Returns the number of the row of a substance's group. */
export const rowOf = (group: number, substance: number): number => substance * perSubstance + group

export const substanceOfRow = (row: number): number => Math.floor(row / perSubstance)

/** Returns SQL for the substance of a row. */
export const substanceOf = (row: string): string => `${row} / ${perSubstance}`

/** Returns SQL for the row of a substance's group. */
export const rowOfSubstance = (substance: string, group: number | string): string =>
  `${substance} * ${perSubstance} + ${group}`

/** Returns SQL for the group of a kind. */
export const groupOfKind = (kind: string): string =>
  `CASE ${kind} ${kindNumbers.map((number) => `WHEN ${number} THEN ${groupOf(number)}`).join(" ")} END`

/** Returns the SQL condition that a row belongs to a group. */
export const isOfGroup = (row: string, group: string): string => `${row} % ${perSubstance} = ${group}`

export const groupOfRow = (row: number): number => row % perSubstance
