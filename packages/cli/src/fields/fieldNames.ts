/**
 * Checks the names of `--fields`.
 *
 * A name that the dialect does not have is most likely misspelt, so the run does not start. With `--any-fields`, the
 * run starts and warns about a name that no record has.
 */
import { Dialect } from "@chemstream/client"
import { RawRecord, type Table } from "@chemstream/ndjson"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import { didYouMean } from "../help/nearest.ts"
import { counted } from "../run/summary.ts"
import * as Bar from "../terminal/bar.ts"
import type * as FieldCatalogue from "./fieldCatalogue.ts"
import * as FieldPaths from "./fieldPaths.ts"

/** The number of records to inspect before the warning. */
const enough = 1000

export interface FieldNames {
  /** Inspects raw records, and prints the warning as soon as it is certain. */
  readonly look: (records: Iterable<RawRecord.RawRecord>) => void
  /** Prints the warning at the end, if it was not printed before. */
  readonly end: () => void
}

/** Returns the failure of a run with unknown names. Undefined if all are known. */
export const refusal = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>,
  dialect: Dialect.Name,
  projections: () => FieldCatalogue.Projections | undefined = () => undefined
): CommandFailure | undefined => {
  const strange = strangeOf(asked, contract)
  if (strange.length === 0) return undefined
  const having = Object.entries(projections() ?? {})
    .filter(([, columns]) => strangeOf(asked, columns).length === 0)
    .map(([name]) => name)
  const advice =
    having.length === 0
      ? "if the service has it anyway, add --any-fields"
      : `--projection ${having.join(" or ")} has ${strange.length === 1 ? "it" : "them"}`
  return usage(
    `--fields: ${Dialect.dialects[dialect].title} has no field ${wordsOf(strange, contract)} in these records; ${advice}`
  )
}

/** Watches the names that the contract does not have. */
export const make = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>,
  dialect: Dialect.Name
): FieldNames => {
  const strange = new Set(strangeOf(asked, contract))
  let seen = 0
  const say = (): void => {
    if (strange.size === 0) return
    const words = wordsOf([...strange], contract)
    strange.clear()
    Bar.say(
      `chemstream: warning: --fields: ${seen === 0 ? `${Dialect.dialects[dialect].title} has no field` : `${counted(seen, "record")} had no field`} ${words}\n`
    )
  }
  return {
    look: (records) => {
      if (strange.size === 0) return
      for (const record of records) {
        seen++
        for (const name of strange) {
          const own = RawRecord.value(record, name) ?? RawRecord.value(record, FieldPaths.rootOf(name))
          if (own !== undefined) strange.delete(name)
        }
      }
      if (seen >= enough) say()
    },
    end: say
  }
}

/** Returns the names that are neither a field of the contract nor a path below an object field. */
const strangeOf = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<Table.Column>
): ReadonlyArray<string> => {
  if (contract.length === 0) return []
  const types = new Map(contract.map(({ name, type }) => [name, type]))
  return (asked ?? []).filter(
    (name) => !types.has(name) && !(FieldPaths.isPath(name) && types.get(FieldPaths.rootOf(name)) === "json")
  )
}

const wordsOf = (names: ReadonlyArray<string>, contract: ReadonlyArray<Table.Column>): string =>
  names
    .map(
      (name) =>
        `${JSON.stringify(name)}${didYouMean(
          name,
          contract.map((column) => column.name)
        )}`
    )
    .join(", ")
