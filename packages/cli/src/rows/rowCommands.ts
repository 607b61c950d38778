/**
 * The commands of rows, as data: the words of each, the rows that it chooses from, and their names.
 *
 * `rowCommand.ts` makes a command of one. Fields, schemas, harvests and tools have the same names.
 */
import { type Key, Operation, type Row, Rows } from "@chemstream/api"
import type { Schema } from "effect"

/** The rows that a command may look up. */
export type RowList = ReadonlyArray<Row.Row>

/** A row with the value of `--by` that chooses it. */
export interface Choice {
  readonly by: string
  readonly row: Row.Row
}

/** The rows with the same words. */
export interface RowCommand {
  readonly words: readonly [string, ...Array<string>]
  /** The rows of `--by`. The first is the default. */
  readonly choices: readonly [Choice, ...Array<Choice>]
  /** The rows that a switch chooses. */
  readonly switches: RowList
}

/** A row that is looked up by values. Others are catalogues and lists of pages. */
export const isLookup = ({ key, page }: Row.Row): boolean => key !== undefined && page === undefined

/** Whether no option is required. */
export const isComplete = (options: Schema.Struct.Fields = {}): boolean =>
  Object.values(options).every((option) => (option as Schema.Top).ast.context?.isOptional === true)

/** Returns the key of the values of a row: that of the batch if it has one. */
export const keyOf = ({ batch, key }: Row.Row): Key.Key => (batch?.key ?? key) as Key.Key

/** Returns a text with a capital first letter, as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The order of the values of `--by`. Others follow. */
const order: ReadonlyArray<string> = ["dtxsid", "dtxcid", "aeid", "spid", "m4id"]

const rankOf = ({ by }: Choice): number => (order.includes(by) ? order.indexOf(by) : order.length)

const kebab = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, "")

const wordsOf = ({ command, name }: Row.Row): RowCommand["words"] => {
  if (command?.words !== undefined) return command.words
  const method = Operation.methodOf(name).replace(/(^b|B)y[A-Z]\w*$/, "")
  return [kebab(Operation.groupOf(name)), ...(method === "" ? [] : [kebab(method)])]
}

const choiceOf = (row: Row.Row): Choice => {
  const [, , by = row.key?.name ?? ""] = /(^b|B)y([A-Z]\w*)$/.exec(row.name.split(".")[1] ?? "") ?? []
  return { by: kebab(by), row }
}

/** Whether a command writes the records of the family itself, not e.g. their summaries. */
const isMain = ({ choices }: RowCommand): boolean => Operation.methodOf(choices[0].row.name).startsWith("by")

const commandsOf = (rows: RowList): ReadonlyArray<RowCommand> => {
  const commands = [...Map.groupBy(rows, (row) => wordsOf(row).join(" ")).values()].map((all): RowCommand => {
    const [first, ...others] = all
      .filter(({ command }) => command?.flag === undefined)
      .map(choiceOf)
      .sort((one, other) => rankOf(one) - rankOf(other))
    if (first === undefined) throw new Error(`${all[0]?.name}: a switch needs a row with the same words`)
    return {
      words: wordsOf(first.row),
      choices: [first, ...others],
      switches: all.filter(({ command }) => command?.flag !== undefined)
    }
  })
  return [...Map.groupBy(commands, ({ words: [first] }) => first).values()].flatMap((group) => [
    ...group.filter(isMain),
    ...group.filter((command) => !isMain(command))
  ])
}

const made = new WeakMap<RowList, ReadonlyArray<RowCommand>>()

/** Returns the commands of rows. Default: those of the contract. The command `all` is one of them. */
export const of = (rows: RowList = Rows.all): ReadonlyArray<RowCommand> => {
  const known = made.get(rows)
  if (known !== undefined) return known
  const commands = commandsOf(rows.filter((row) => isLookup(row) || row.command !== undefined))
  made.set(rows, commands)
  return commands
}

/** Whether the records of a command do not name the value that they belong to. */
const isSearch = ({ choices: [{ row }] }: RowCommand): boolean => row.recordKey !== undefined

/** Returns the commands in the order of lists: searches after the others. */
export const listed = (rows?: RowList): ReadonlyArray<RowCommand> =>
  of(rows).toSorted((one, other) => Number(isSearch(one)) - Number(isSearch(other)))

/** Returns the lookups by their names: the words of the command and `--by`, joined with dashes. */
export const lookups = (rows?: RowList): ReadonlyMap<string, Row.Row> =>
  new Map(
    listed(rows).flatMap(({ choices, words }) =>
      choices
        .filter(({ row }) => isLookup(row))
        .map(({ by, row }, at) => [[...words, ...(at === 0 ? [] : ["by", by])].join("-"), row] as const)
    )
  )

/** Returns the row of a command by its words, e.g. `bioactivity data`, or by its own name, e.g. `bioactivity.byDtxsid`. */
export const find = (name: string, rows?: RowList): Row.Row | undefined => {
  const commands = of(rows)
  return (
    commands.find(({ words }) => words.join(" ") === name)?.choices[0].row ??
    commands
      .flatMap(({ choices, switches }) => [...choices.map(({ row }) => row), ...switches])
      .find((row) => row.name === name)
  )
}
