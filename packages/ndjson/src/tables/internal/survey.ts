/** Finds the columns of records that are read twice, and whether a value has no place in them. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RawRecord } from "../../raw/RawRecord.ts"
import { type Column, type ColumnType, type ExpectedColumn, OTHER_FIELDS } from "../Table.ts"
import { cellsOfRaw } from "./cells.ts"
import { fit, widen } from "./columns.ts"

/** The most columns for fields that are not expected. The others go to the column of the rest. */
const mostOthers = 1000

/** The columns of a table, and the name of a last column for all other values, if a value needs it. */
export interface Shape {
  readonly columns: ReadonlyArray<Column>
  readonly rest: string | undefined
}

/**
 * Reads all records. Expected columns come first and keep their types. Other fields get a column of JSON text; without expected columns,
 * they get the type that all their values have. `isText`: the format has only text, which every value fits.
 */
export const survey = <E, R>(
  records: Stream.Stream<RawRecord, E, R>,
  expected: ReadonlyArray<ExpectedColumn>,
  isText: boolean
): Effect.Effect<Shape, E, R> =>
  Effect.suspend(() => {
    const known = new Map(expected.map(({ name, type = "json" }): [string, ColumnType] => [name, type]))
    const others = new Map<string, ColumnType | undefined>()
    let hasRest = false
    const add = (record: RawRecord): void => {
      const cells = cellsOfRaw(record)
      if ("reason" in cells) {
        hasRest = true
        return
      }
      for (const [name, cell] of cells) {
        const type = known.get(name)
        if (type === undefined) {
          const isColumn = name.isWellFormed() && (others.has(name) || others.size < mostOthers)
          if (isColumn) widen(others, name, cell)
          else hasRest = true
        }
        const value = isText ? cell.text : fit(cell, type ?? "json")
        if (cell.kind !== "null" && !(typeof value === "string" ? value.isWellFormed() : value !== undefined))
          hasRest = true
      }
    }
    return Effect.map(
      Stream.runForEach(records, (record) => Effect.sync(() => add(record))),
      () => {
        const columns = [
          ...Array.from(known, ([name, type]) => ({ name, type })),
          ...Array.from(others, ([name, type = "json"]) => ({
            name,
            type: known.size > 0 ? ("json" as const) : type
          }))
        ]
        return {
          columns: columns.length > 0 ? columns : [{ name: "id", type: "text" }],
          rest: hasRest ? freeName(columns) : undefined
        }
      }
    )
  })

const freeName = (columns: ReadonlyArray<Column>): string => {
  let name = OTHER_FIELDS
  while (columns.some((column) => column.name === name)) name += "_"
  return name
}
