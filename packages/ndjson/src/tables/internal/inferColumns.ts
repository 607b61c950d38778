/**
 * Infers the columns of an output, with their types, from all its records, and whether a value has no place in them. Texts stay texts:
 * `TextNumbers` makes numbers of them before, where they are asked for.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { argument } from "../../internal/argumentChecks.ts"
import type { RawRecord } from "../../raw/RawRecord.ts"
import { type Column, type ColumnType, type ExpectedColumn, OTHER_FIELDS } from "../Table.ts"
import { fit, otherType, widen } from "./columnTypes.ts"
import { type Cell, cellsOfRaw } from "./recordCells.ts"

/** The most columns for fields that are not expected. The others go to the column of the rest. */
const mostOthers = 1000

/** The columns of a table, and the name of a last column for all other values, if a value needs it. */
export interface Shape {
  readonly columns: ReadonlyArray<Column>
  readonly rest: string | undefined
}

/**
 * Reads all records. Expected columns come first and keep their types. Other fields get a column of text, or of JSON text if one has arrays
 * or objects; without expected columns, they get the type that all their values have, and all others that they fit as alternatives.
 * `isText`: the format has only text, which every value fits. A `likely` column, e.g. of a database, keeps its type, but a hint only if all
 * values fit it; else it is an alternative.
 * Records without fields have the likely columns.
 */
export const inferColumns = <E, R>(
  records: Stream.Stream<RawRecord, E, R>,
  expected: ReadonlyArray<ExpectedColumn>,
  isText: boolean,
  likely: ReadonlyArray<ExpectedColumn> = []
): Effect.Effect<Shape, E, R> =>
  Effect.suspend(() => {
    argument("records", "a stream of Effect", records)
    argument("expected", "a list of columns", expected)
    const expectedTypes = new Map(
      expected.map(({ name, type = "json" }): [string, ColumnType] => [name, type])
    )
    const others = new Map<string, ColumnType | undefined>()
    const likelyColumns = new Map(likely.map((column) => [column.name, column]))
    // All types that the values of each other field fit.
    const fitting = new Map<string, ReadonlyArray<ColumnType>>()
    // Whether a value needs the column of the rest.
    let hasRest = false
    const add = (record: RawRecord): void => {
      const cells = cellsOfRaw(record)
      if ("reason" in cells) {
        hasRest = true
        return
      }
      for (const [name, cell] of cells) {
        const type = expectedTypes.get(name)
        if (type === undefined) {
          const isColumn = name.isWellFormed() && (others.has(name) || others.size < mostOthers)
          if (isColumn) {
            widen(others, name, cell)
            fitting.set(name, fittingTypes(fitting.get(name), cell))
          } else hasRest = true
        }
        const value = isText ? cell.text : fit(cell, type ?? "json")
        if (cell.kind !== "null" && !(typeof value === "string" ? value.isWellFormed() : value !== undefined))
          hasRest = true
      }
    }
    return Effect.map(
      Stream.runForEach(records, (record) => Effect.sync(() => add(record))),
      () => {
        if (expectedTypes.size + others.size === 0) for (const { name } of likely) others.set(name, undefined)
        const columns = [
          ...Array.from(expectedTypes, ([name, type]) => ({ name, type })),
          ...Array.from(others, ([name, found]): Column => {
            const type = otherType(found, expectedTypes.size > 0)
            if (expectedTypes.size > 0) return { name, type }
            const alternatives = fitting.get(name) ?? columnTypes
            const { isHint = false, type: own } = likelyColumns.get(name) ?? {}
            if (own === undefined) return { name, type, alternatives }
            return !isHint || alternatives.includes(own)
              ? { name, type: own, alternatives }
              : { name, type, alternatives: [own, ...alternatives] }
          })
        ]
        return {
          columns: columns.length > 0 ? columns : [{ name: "id", type: "text" }],
          rest: hasRest ? freeName(columns) : undefined
        }
      }
    )
  })

/** The types of columns. The first one that fits is preferred. */
const columnTypes: ReadonlyArray<ColumnType> = ["integer", "number", "boolean", "text", "json"]

/** Returns the types that a value fits, of those that all earlier ones fit. */
const fittingTypes = (types = columnTypes, cell: Cell): ReadonlyArray<ColumnType> =>
  cell.kind === "null" || types.every((type) => fit(cell, type) !== undefined)
    ? types
    : types.filter((type) => fit(cell, type) !== undefined)

const freeName = (columns: ReadonlyArray<Column>): string => {
  let name = OTHER_FIELDS
  while (columns.some((column) => column.name === name)) name += "_"
  return name
}
