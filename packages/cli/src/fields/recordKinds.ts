/**
 * The kinds of JSON that the command writes, by name. The records of a row have the name of its command. The reports of a run have their
 * own names.
 */
import type { Row } from "@chemstream/api"
import type { Dialect } from "@chemstream/client"
import { OutcomeRow, Problem } from "@chemstream/stream"
import type { Schema } from "effect"
import * as RowCommands from "../rows/rowCommands.ts"
import * as summary from "../run/summary.ts"
import * as FieldCatalogue from "./fieldCatalogue.ts"

/** A kind of JSON. */
export interface RecordKind {
  readonly schemas: (dialect: Dialect.Name) => FieldCatalogue.Schemas
  /** The name of the default projection. */
  readonly defaultProjection: string
  readonly description: string
  /** The rows with these records. */
  readonly rows: RowCommands.RowList
}

/** The kinds by name. */
export type RecordKinds = Readonly<Record<string, RecordKind>>

const ofRows = (
  name: ReadonlyArray<string>,
  options: string,
  row: Row.Row,
  rows: RowCommands.RowList = [row]
): readonly [string, RecordKind] => [
  name.join("-"),
  {
    rows,
    description: `A record of chemstream ${options}`,
    schemas: (dialect) => FieldCatalogue.schemasOf(row, dialect),
    defaultProjection: FieldCatalogue.defaultProjection(row)
  }
]

/** Returns the kinds of a command: of its default row, and of the rows with other records. */
const ofCommand = ({ choices, switches, words }: RowCommands.RowCommand) => {
  const [{ row: first }] = choices
  const command = words.join(" ")
  const same = choices.map(({ row }) => row).filter(({ record }) => record === first.record)
  return [
    ofRows(words, command, first, same),
    ...choices
      .filter(({ row }) => !same.includes(row))
      .map(({ by, row }) => ofRows([...words, "by", by], `${command} --by ${by}`, row)),
    // The commands of a group have the same switches.
    ...switches.map((row) => {
      const name = row.command?.flag?.name ?? ""
      return ofRows([words[0], name], `${words[0]} --${name}`, row)
    })
  ]
}

const report = (schema: Schema.Constraint, description: string): RecordKind => ({
  description,
  schemas: () => ({ "": schema }),
  defaultProjection: "",
  rows: []
})

/** Returns the kinds of rows, and of the reports. Default: the rows of the contract. */
export const of = (rows?: RowCommands.RowList): RecordKinds => ({
  ...Object.fromEntries(RowCommands.listed(rows).flatMap(ofCommand)),
  outcome: report(OutcomeRow.OutcomeRow, "The outcome of an identifier: a row of the table of outcomes"),
  errors: report(Problem.Line, "A line of --errors"),
  summary: report(summary.Summary, "The counts of --json-summary")
})

/** Returns a kind by its name, or by the name of a row with its records, e.g. `details.byDtxsid`. */
export const find = (kinds: RecordKinds, name: string): RecordKind | undefined =>
  Object.hasOwn(kinds, name)
    ? kinds[name]
    : Object.values(kinds).find(({ rows }) => rows.some((row) => row.name === name))
