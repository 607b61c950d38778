/**
 * Whether the names of `--fields` are fields: of the service's dialect, or else, where that is allowed, of any record. A name that
 * the dialect does not have is most likely a slip, so the run does not begin. Under `--any-fields` it does, and the person
 * hears of a name that no record has either while it goes on, for its column is empty.
 */
import { Dialect } from "@chemstream/client"
import { RawRecord, type Table } from "@chemstream/ndjson"
import { type CommandFailure, usage } from "../CommandFailure.ts"
import { didYouMean } from "../help/nearest.ts"
import { counted } from "../run/summary.ts"
import * as Bar from "../terminal/bar.ts"
import type * as FieldCatalogue from "./fieldCatalogue.ts"
import * as FieldPaths from "./fieldPaths.ts"

/** So many records without a field are enough to say so. */
const enough = 1000

export interface FieldNames {
  /** Looks at records as they came, and says what there is to say as soon as it is known. */
  readonly look: (records: Iterable<RawRecord.RawRecord>) => void
  /** Says it at the end, if nothing was said yet. */
  readonly end: () => void
}

/** Why a run of these names does not begin; undefined where it does. */
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
      ? "where the service has it all the same, add --any-fields"
      : `--projection ${having.join(" or ")} has ${strange.length === 1 ? "it" : "them"}`
  return usage(
    `--fields: ${Dialect.dialects[dialect].title} has no field ${wordsOf(strange, contract)} in these records; ${advice}`
  )
}

/** Looks after the names asked for, of which those that the contract has need no looking after. */
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

/** The names that are no field of the contract, nor begin at one that may hold an object. */
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
