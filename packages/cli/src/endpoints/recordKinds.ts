/**
 * The kinds of JSON that the command writes, by name. The records of an endpoint have the name of its command. The reports of a run have their
 * own names.
 */
import type { Row } from "@chemstream/api"
import type { Dialect } from "@chemstream/client"
import { OutcomeRow, Problem } from "@chemstream/stream"
import type { Schema } from "effect"
import * as ProjectionSchemas from "../fields/projectionSchemas.ts"
import * as summary from "../run/summary.ts"
import * as CommandIndex from "./commandIndex.ts"

/** A kind of JSON. */
export interface RecordKind {
  readonly schemas: (dialect: Dialect.Name) => ProjectionSchemas.Schemas
  /** The name of the default projection. */
  readonly defaultProjection: string
  readonly description: string
  /** The endpoints with these records. */
  readonly rows: CommandIndex.RowList
}

/** The kinds by name. */
export type RecordKinds = Readonly<Record<string, RecordKind>>

/** Returns the kinds of endpoints, and of the reports. Default: the endpoints of the contract. */
export const of = (rows?: CommandIndex.RowList): RecordKinds => ({
  ...Object.fromEntries(merged(CommandIndex.listed(rows).flatMap(ofCommand(CommandIndex.of(rows))))),
  outcome: report(OutcomeRow.OutcomeRow, "The outcome of an identifier: a row of the table of outcomes"),
  errors: report(Problem.Line, "A line of --errors"),
  summary: report(summary.Summary, "The counts of --json-summary")
})

/** Returns a kind by its name, or by the name of an endpoint with its records, e.g. `details.byDtxsid`. */
export const find = (kinds: RecordKinds, name: string): RecordKind | undefined =>
  Object.hasOwn(kinds, name)
    ? kinds[name]
    : Object.values(kinds).find(({ rows }) => rows.some((row) => row.name === name))

/** Returns the kinds of a command: of its default endpoint, and of the endpoints with other records. */
const ofCommand =
  (commands: ReadonlyArray<CommandIndex.Entry>) =>
  (command: CommandIndex.Entry): ReadonlyArray<readonly [string, RecordKind]> => {
    const { choices, switches, words } = command
    return [...Map.groupBy([...choices, ...switches], ({ row }) => row.record).values()].map((same) => {
      const [choice = choices[0]] = same
      const isOfGroup = isSharedSwitch(commands, choice, words[0])
      const name = isOfGroup ? `${words[0]}-${choice.flag}` : CommandIndex.nameOf(command, choice)
      const line = isOfGroup
        ? `${words[0]} --${choice.flag}`
        : [...words, ...CommandIndex.optionsOf(command, choice)].join(" ")
      return [
        name,
        ofRow(
          choice.row,
          line,
          same.map(({ row }) => row)
        )
      ]
    })
  }

/** Whether the commands of a group share a switch: the records are then those of the group. */
const isSharedSwitch = (
  commands: ReadonlyArray<CommandIndex.Entry>,
  { flag, row }: CommandIndex.Choice,
  group: string
): boolean =>
  flag !== undefined &&
  commands.filter(
    ({ switches, words }) =>
      words[0] === group && switches.some((one) => one.flag === flag && one.row.record === row.record)
  ).length > 1

const ofRow = (row: Row.Row, line: string, rows: CommandIndex.RowList): RecordKind => ({
  rows,
  description: `A record of chemstream ${line}`,
  schemas: (dialect) => ProjectionSchemas.schemasOf(row, dialect),
  defaultProjection: ProjectionSchemas.defaultProjection(row)
})

/** Adds kinds, and joins the endpoints of those with the same name. */
const merged = (
  entries: ReadonlyArray<readonly [string, RecordKind]>
): ReadonlyArray<readonly [string, RecordKind]> =>
  [...Map.groupBy(entries, ([name]) => name)].flatMap(([name, same]) =>
    same
      .slice(0, 1)
      .map(([, kind]) => [name, { ...kind, rows: same.flatMap(([, { rows }]) => rows) }] as const)
  )

const report = (schema: Schema.Constraint, description: string): RecordKind => ({
  description,
  schemas: () => ({ "": schema }),
  defaultProjection: "",
  rows: []
})
