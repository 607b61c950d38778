/**
 * The index of the commands of endpoints, as data: the words of each (`bioactivity data`), the rows that its options choose from, and
 * their names. A row is the declaration of one endpoint in the contract (`api/src/rows`).
 *
 * `endpointCommand.ts` makes a command of an entry. Fields, schemas, harvests and tools have the same names.
 */
import { type Key, Operation, type Row, Rows } from "@chemstream/api"
import type { Schema } from "effect"

/** The rows of endpoints, e.g. those that a command may look up. */
export type RowList = ReadonlyArray<Row.Row>

/** An endpoint with the options that choose it, e.g. `--part data --by aeid`. */
export interface Choice {
  /** The value of `--by`. Empty: the endpoint has no key. */
  readonly by: string
  /** The value of `--part`. */
  readonly part: string | undefined
  /** The name of the switch that chooses it, if it has one. */
  readonly flag: string | undefined
  readonly row: Row.Row
}

/** A command: the endpoints with the same words. */
export interface Entry {
  readonly words: readonly [string, ...Array<string>]
  /** The endpoints of `--part` and `--by`. The first is the default. */
  readonly choices: readonly [Choice, ...Array<Choice>]
  /** The endpoints that a switch chooses. */
  readonly switches: ReadonlyArray<Choice>
}

const entriesByRows = new WeakMap<RowList, ReadonlyArray<Entry>>()

/** Returns the commands of endpoints. Default: those of the contract. */
export const of = (rows: RowList = Rows.all): ReadonlyArray<Entry> => {
  const known = entriesByRows.get(rows)
  if (known !== undefined) return known
  const commands = commandsOf(rows)
  entriesByRows.set(rows, commands)
  return commands
}

/** Whether an endpoint is looked up by values. Others are catalogues and lists of pages. */
export const isLookup = ({ key }: Row.Row): boolean => key !== undefined

/** Whether none of the query parameters is required. */
export const isComplete = (options: Schema.Struct.Fields = {}): boolean =>
  Object.values(options).every((option) => (option as Schema.Top).ast.context?.isOptional === true)

/** Returns the key of the values of an endpoint: that of the batch if it has one. */
export const keyOf = ({ batch, key }: Row.Row): Key.Key => (batch?.key ?? key) as Key.Key

/** Returns a text with a capital first letter, as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The orderOfBy of the values of `--by`. Others follow. */
const orderOfBy: ReadonlyArray<string> = ["dtxsid", "dtxcid", "aeid", "spid", "m4id"]

const rankOf = ({ by }: Choice): number => (orderOfBy.includes(by) ? orderOfBy.indexOf(by) : orderOfBy.length)

const kebab = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, "")

/** The words of a row: those that it declares, else its name in kebab case without its key: `details.byDtxsid` is `details`. */
const wordsOf = ({ command, name }: Row.Row): Entry["words"] => {
  if (command?.words !== undefined) return command.words
  const method = Operation.methodOf(name).replace(/(^b|B)y[A-Z]\w*$/, "")
  return [kebab(Operation.groupOf(name)), ...(method === "" ? [] : [kebab(method)])]
}

const choiceOf = (row: Row.Row): Choice => {
  const [, , by = row.key?.name ?? ""] = /(^b|B)y([A-Z]\w*)$/.exec(Operation.methodOf(row.name)) ?? []
  const { flag, part } = row.command ?? {}
  return { by: row.key === undefined ? "" : kebab(by), part, flag: flag?.name, row }
}

/** Whether a command writes the records of the family itself, not e.g. their summaries. */
const isMain = ({ choices: [{ row }], words: [word] }: Entry): boolean =>
  Operation.methodOf(row.name).startsWith("by") && Operation.groupOf(row.name) === word

const commandsOf = (rows: RowList): ReadonlyArray<Entry> => {
  const commands = [...Map.groupBy(rows, (row) => wordsOf(row).join(" ")).values()].map(commandOf)
  return [...Map.groupBy(commands, ({ words: [first] }) => first).values()].flatMap((group) => [
    ...group.filter(isMain),
    ...group.filter((command) => !isMain(command))
  ])
}

const hasTexts = ({ command = {} }: Row.Row): boolean =>
  command.description !== undefined || command.examples !== undefined

/** Makes the command of endpoints with the same words. Throws if its options do not tell them apart. */
const commandOf = (rows: RowList): Entry => {
  // The endpoint with the texts of the command is the default; else the shortest name has the records that most people want.
  const all = rows
    .toSorted(
      (one, other) => Number(hasTexts(other)) - Number(hasTexts(one)) || one.name.length - other.name.length
    )
    .map(choiceOf)
  const parts = new Map([...new Set(all.map(({ part }) => part))].map((part, at) => [part, at]))
  const [first, ...others] = all
    .filter(({ flag }) => flag === undefined)
    .sort(
      (one, other) => (parts.get(one.part) ?? 0) - (parts.get(other.part) ?? 0) || rankOf(one) - rankOf(other)
    )
  if (first === undefined) throw new Error(`${rows[0]?.name}: a switch needs a row with the same words`)
  const named = new Map<string, string>()
  for (const { by, flag, part, row } of all) {
    const options = JSON.stringify([flag, part, by])
    const other = named.get(options)
    if (other !== undefined) throw new Error(`${row.name} and ${other} have the same words, part and key`)
    if (isLookup(row) !== isLookup(first.row))
      throw new Error(`${row.name} and ${first.row.name} have the same words, and one of them has no key`)
    named.set(options, row.name)
  }
  return {
    words: wordsOf(first.row),
    choices: [first, ...others],
    switches: all.filter(({ flag }) => flag !== undefined)
  }
}

/** The options that choose an endpoint. */
export interface Selection {
  readonly flag?: string | undefined
  readonly part?: string | undefined
  readonly by?: string | undefined
}

/** Returns the choices with a switch, or without one. */
const withFlag = (
  { choices, switches }: Pick<Entry, "choices" | "switches">,
  flag: string | undefined
): ReadonlyArray<Choice> => (flag === undefined ? choices : switches.filter((one) => one.flag === flag))

/** Returns the choice of options. Default: the first part, and its first key. Undefined: no endpoint has this combination. */
export const select = (command: Entry, { by, flag, part }: Selection): Choice | undefined => {
  const all = withFlag(command, flag)
  const ofPart = all.filter((choice) => choice.part === (part ?? all[0]?.part))
  return ofPart.find((choice) => choice.by === (by ?? ofPart[0]?.by))
}

/** Returns the combinations of options that choose an endpoint, e.g. `--part data --by dtxsid`. */
export const combinations = (command: Entry, flag?: string): ReadonlyArray<string> =>
  [...Map.groupBy(withFlag(command, flag), ({ part }) => part)].map(([part, choices]) =>
    [
      ...(part === undefined ? [] : [`--part ${part}`]),
      ...(choices.some(({ by }) => by !== "") ? [`--by ${choices.map(({ by }) => by).join("|")}`] : [])
    ].join(" ")
  )

/** Returns the options of a choice on the command line, without defaults. */
export const optionsOf = (command: Entry, { by, flag, part }: Choice): ReadonlyArray<string> => {
  const all = withFlag(command, flag)
  const isFirstPart = part === all[0]?.part
  const isFirstKey = by === all.find((one) => one.part === part)?.by
  return [
    ...(flag === undefined ? [] : [`--${flag}`]),
    ...(isFirstPart || part === undefined ? [] : [`--part ${part}`]),
    ...(isFirstKey ? [] : [`--by ${by}`])
  ]
}

/**
 * Returns the name of a choice: the words of its command and its options, joined with dashes, e.g.
 * `hazard-toxref-effects-by-study-id`.
 */
export const nameOf = (command: Entry, choice: Choice): string => {
  const options = optionsOf(command, choice).map((option) =>
    option.replace(/^--(part )?/, "").replace(" ", "-")
  )
  return [...command.words, ...options].join("-")
}

/** Whether the records of a command do not name the value that they belong to. */
const isSearch = ({ choices: [{ row }] }: Entry): boolean => row.recordKey !== undefined

/** Returns the commands in the orderOfBy of lists: searches after the others. */
export const listed = (rows?: RowList): ReadonlyArray<Entry> =>
  of(rows).toSorted((one, other) => Number(isSearch(one)) - Number(isSearch(other)))

/** Returns all choices of a command. */
export const choicesOf = ({ choices, switches }: Entry): ReadonlyArray<Choice> => [...choices, ...switches]

/** Returns the lookups by their names (`nameOf`). */
export const lookups = (rows?: RowList): ReadonlyMap<string, Row.Row> =>
  new Map(
    listed(rows).flatMap((command) =>
      choicesOf(command)
        .filter(({ row }) => isLookup(row))
        .map((choice) => [nameOf(command, choice), choice.row] as const)
    )
  )

/** Returns the endpoint of a command by its words, e.g. `bioactivity data`, or by its own name, e.g. `bioactivity.byDtxsid`. */
export const find = (name: string, rows?: RowList): Row.Row | undefined => {
  const commands = of(rows)
  return (
    ofLine(name, rows) ??
    commands.flatMap((command) => choicesOf(command).map(({ row }) => row)).find((row) => row.name === name)
  )
}

/** Returns the endpoint of a command line without values, e.g. `bioactivity data --by aeid`. */
export const ofLine = (line: string, rows?: RowList): Row.Row | undefined => {
  const [words = "", ...options] = line.trim().split(/\s+--/)
  const command = of(rows).find((one) => one.words.join(" ") === words.replace(/\s+/g, " "))
  if (command === undefined) return undefined
  const selection: Record<string, string> = {}
  for (const option of options) {
    const [name = "", value] = option.split(/[\s=]+/)
    if (value === undefined) selection["flag"] = name
    else if (name === "by" || name === "part") selection[name] = value
    else return undefined
  }
  return select(command, selection)?.row
}
