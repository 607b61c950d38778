/**
 * Imports the files of a data set into a database, and measures each kind.
 */
import { statSync } from "node:fs"
import { join } from "node:path"
import { Import } from "@chemstream/service"
import { Effect } from "effect"
import * as child from "./child.ts"

/** A step: its number of records, and its duration. */
export interface Step {
  readonly records: number
  readonly seconds: number
}

/** The message to the parent. */
export interface Imported {
  readonly imports: Readonly<Record<string, Step>>
  readonly memory: child.Memory
  readonly databaseBytes: number
}

const { database, folder } = child.options<{
  readonly folder: string
  readonly database: string
}>()

const imports: Record<string, Step> = {}
for (const kind of Import.kinds) {
  const files = [join(folder, `${kind}.ndjson`)]
  const started = performance.now()
  const { records } = await Effect.runPromise(Import[kind]({ database, files }))
  imports[kind] = { records, seconds: (performance.now() - started) / 1000 }
}

const imported: Imported = {
  imports,
  memory: child.ownMemory(),
  databaseBytes: statSync(database).size
}
process.send?.(imported)
process.disconnect?.()
