/**
 * Checks the names of `--fields`.
 *
 * A name that the dialect does not have is most likely misspelt, so the run does not start. With `--any-fields`, the run starts. It warns
 * about a name that no record has, or that none of the first records of a long run has.
 */
import { Quote } from "@chemstream/api"
import { Dialect } from "@chemstream/client"
import { RawRecord, type Table } from "@chemstream/ndjson"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { didYouMean } from "../help/nameSuggestions.ts"
import * as ProgressBar from "../terminal/progressBar.ts"
import { counted } from "../terminal/quantities.ts"
import * as FieldPaths from "./fieldPaths.ts"
import type * as ProjectionSchemas from "./projectionSchemas.ts"

/** The number of records to inspect before the warning. */
const inspectedRecords = 1000

export interface FieldNames {
  /** Inspects raw records. Prints the warning after `inspectedRecords` of them. */
  readonly inspect: (records: Iterable<RawRecord.RawRecord>) => void
  /** Prints the warning at the end, if it was not printed before. */
  readonly end: () => void
}

/** Returns the failure of a run with unknown names. Undefined if all are known. */
export const refusal = (
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>,
  dialect: Dialect.Name,
  projections: () => ProjectionSchemas.Projections | undefined = () => undefined
): CommandFailure | undefined => {
  const unknown = unknownNames(fields, contract)
  if (unknown.length === 0) return undefined
  const projectionNames = Object.entries(projections() ?? {})
    .filter(([, columns]) => unknownNames(fields, columns).length === 0)
    .map(([name]) => name)
  const advice =
    projectionNames.length === 0
      ? "if the service has it anyway, add --any-fields"
      : `--projection ${projectionNames.join(" or ")} has ${unknown.length === 1 ? "it" : "them"}`
  return usageFailure(
    `--fields: ${Dialect.dialects[dialect].title} has no field ${wordsOf(unknown, contract)} in these records; ${advice}`
  )
}

/** Watches the names that the contract does not have. */
export const make = (
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>,
  dialect: Dialect.Name
): FieldNames => {
  const unknown = new Set(unknownNames(fields, contract))
  let inspected = 0
  const say = (): void => {
    if (unknown.size === 0) return
    const words = wordsOf([...unknown], contract)
    unknown.clear()
    ProgressBar.say(
      `chemstream: warning: --fields: ${inspected === 0 ? `${Dialect.dialects[dialect].title} has no field` : `${counted(inspected, "record")} had no field`} ${words}\n`
    )
  }
  return {
    inspect: (records) => {
      if (unknown.size === 0) return
      for (const record of records) {
        inspected++
        for (const name of unknown) {
          const own = RawRecord.value(record, name) ?? RawRecord.value(record, FieldPaths.rootOf(name))
          if (own !== undefined) unknown.delete(name)
        }
      }
      if (inspected >= inspectedRecords) say()
    },
    end: say
  }
}

/** Returns the names that are neither a field of the contract nor a path below an object field. */
const unknownNames = (
  fields: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>
): ReadonlyArray<string> => {
  if (contract.length === 0) return []
  const types = new Map(contract.map(({ name, type }) => [name, type]))
  return (fields ?? []).filter(
    (name) => !types.has(name) && !(FieldPaths.isPath(name) && types.get(FieldPaths.rootOf(name)) === "json")
  )
}

const wordsOf = (names: ReadonlyArray<string>, contract: ReadonlyArray<Table.Column>): string =>
  names
    .map(
      (name) =>
        `${Quote.value(name)}${didYouMean(
          name,
          contract.map((column) => column.name)
        )}`
    )
    .join(", ")
