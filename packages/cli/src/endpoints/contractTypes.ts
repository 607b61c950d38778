/**
 * The type of a field by its name alone, from the records of all endpoints of the contract: for tables whose source declares no types.
 */
import { Dialect } from "@chemstream/client"
import type { Table } from "@chemstream/ndjson"
import * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import * as CommandIndex from "./commandIndex.ts"

/** Made at the first use, because it takes the schemas of all records. */
let types: ReadonlyMap<string, Table.ColumnType> | undefined

/** Returns the type of a field. Undefined: the contract has no field of this name. */
export const contractType = (name: string): Table.ColumnType | undefined => {
  types ??= typesByName()
  return types.get(name)
}

const typesByName = (): ReadonlyMap<string, Table.ColumnType> => {
  const found = new Map<string, Table.ColumnType>()
  for (const { choices } of CommandIndex.of()) {
    for (const dialect of Dialect.names) {
      const columns = Object.values(ProjectionSchemas.columnsOf(choices[0].row, dialect)).flat()
      for (const { name, type } of columns) {
        const known = found.get(name)
        found.set(name, known === undefined || known === type ? type : common(known, type))
      }
    }
  }
  return found
}

/** The type that can hold the values of two types. Scalars of several types have only text in common. */
const common = (one: Table.ColumnType, other: Table.ColumnType): Table.ColumnType =>
  one === "json" || other === "json" ? "json" : "text"
