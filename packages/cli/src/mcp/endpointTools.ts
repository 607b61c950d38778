/**
 * The tools of endpoints: one for each family, e.g. `details`. A tool has a view for each command and switch, and takes the
 * kinds of values of `--by` and the parts of `--part`. The view of a catalogue takes no identifiers.
 *
 * Families whose endpoints are all special have tools of their own, in `specialTools.ts`, or none. Lists of pages have none.
 */
import { type Family, Operation, type Row, Rows } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Listing, Lookup } from "@chemstream/stream"
import { Schema } from "effect"
import type { Tool } from "effect/ai"
import * as CommandIndex from "../endpoints/commandIndex.ts"
import { identifierList, ledgerSentence, paging, tool } from "./toolParts.ts"
import { answer, optional } from "./toolResults.ts"

/** A tool over endpoints. */
export interface EndpointTool {
  readonly name: string
  readonly tool: Tool.Any
  /** Returns the lookup or the catalogue of a call, or why there is none. */
  readonly sourceOf: (given: Given) => Source | string
}

/** The source of records: a lookup of identifiers, or a catalogue. */
export type Source =
  | { readonly lookup: Lookup.Lookup<RawRecord.RawRecord> }
  | { readonly view: string; readonly catalogue: Row.Row; readonly projection: string | undefined }

/** The parameters of a call. */
export interface Given {
  readonly by?: string | undefined
  readonly part?: string | undefined
  readonly view?: string | undefined
  readonly projection?: string | undefined
}

/** The endpoints of a view: those of a command, or of one of its switches. */
interface View {
  readonly command: CommandIndex.Entry
  readonly flag: string | undefined
  readonly choices: ReadonlyArray<CommandIndex.Choice>
}

/** Whether an endpoint needs no further parameter, and its records are not pages of a list. */
const isUsable = ({ row }: CommandIndex.Choice): boolean =>
  CommandIndex.isComplete(row.query) && (CommandIndex.isLookup(row) || row.page === undefined)

/** Returns the views of commands by their names. */
const viewsOf = (commands: ReadonlyArray<CommandIndex.Entry>): ReadonlyMap<string, View> =>
  new Map(
    commands.flatMap((command) => {
      const { words } = command
      const usable = CommandIndex.choicesOf(command).filter(isUsable)
      return [...Map.groupBy(usable, ({ flag }) => flag)].map(([flag, choices]) => {
        const name = words.at(-1) ?? words[0]
        return [flag === undefined ? name : `${name}-${flag}`, { command, flag, choices }] as const
      })
    })
  )

/** Returns the tools of endpoints. Default: of those of the contract. */
export const of = (rows?: CommandIndex.RowList): ReadonlyArray<EndpointTool> =>
  [...Map.groupBy(CommandIndex.of(rows), ({ words: [first] }) => first)].flatMap(([name, commands]) => {
    const views = viewsOf(commands)
    const all = [...views.values()].flatMap(({ choices }) => choices)
    const own = all.filter(({ row }) => Operation.groupOf(row.name) === name)
    const hasTool = (own.length === 0 ? all : own).some(({ row }) => row.special === undefined)
    return hasTool ? [make(name, views)] : []
  })

const make = (name: string, views: ReadonlyMap<string, View>): EndpointTool => {
  const all = [...views.values()].flatMap(({ choices }) => choices)
  const lookups = all.filter(({ row }) => CommandIndex.isLookup(row))
  const [first = ""] = views.keys()
  const { title = CommandIndex.capitalized(name), tool: texts = {} }: Partial<Family.Family> =
    Rows.families.find(({ word }) => word === name) ?? {}
  const {
    description = `Gives ${[...new Set(all.map(({ row }) => row.what))].join(", ")}.`,
    identifiers = CommandIndex.capitalized(keysOf(lookups)),
    projection,
    view: defaultView = first
  }: Family.Tool = texts
  const records = new Set(all.map(({ row }) => recordOf(row, projection?.default)))
  return {
    name,
    tool: tool(
      name,
      title,
      lookups.length === 0 ? description : `${description} ${ledgerSentence}`,
      {
        ...(lookups.length === 0 ? {} : { identifiers: identifierList(identifiers) }),
        ...choicesOf(views, defaultView),
        ...(projection === undefined
          ? {}
          : { projection: choice(Object.keys(all[0]?.row.forms ?? {}), projection.description) }),
        ...paging
      },
      answer(records.size === 1 ? ([...records][0] as RecordCodec) : Schema.Union([...records]))
    ),
    sourceOf: ({ by, part, projection: form = projection?.default, view = defaultView }) => {
      const found = views.get(view)
      const chosen = found && CommandIndex.select(found.command, { by, part, flag: found.flag })
      if (found === undefined || chosen === undefined || !found.choices.includes(chosen))
        return refusal(view, found, { by, part })
      const { row } = chosen
      const own = form !== undefined && Object.hasOwn(row.forms ?? {}, form) ? form : undefined
      return CommandIndex.isLookup(row)
        ? { lookup: Lookup.of(row, { projection: own }) }
        : { view, catalogue: row, projection: own }
    }
  }
}

/** The parameters that choose an endpoint. */
const choicesOf = (views: ReadonlyMap<string, View>, defaultView: string) => {
  const all = [...views.values()].flatMap(({ choices }) => choices)
  const kinds = [...new Set(all.map(({ by }) => by).filter((by) => by !== ""))]
  const parts = [...new Set(all.flatMap(({ part }) => part ?? []))]
  return {
    ...(kinds.length < 2 ? {} : { by: choice(kinds, textOf(views, "by")) }),
    ...(parts.length < 2 ? {} : { part: choice(parts, textOf(views, "part")) }),
    ...(views.size < 2 ? {} : { view: choice([...views.keys()], `Default: ${defaultView}.`) })
  }
}

const refusal = (view: string, found: View | undefined, { by, part }: Given): string => {
  const asked = [...(part === undefined ? [] : [`part=${part}`]), ...(by === undefined ? [] : [`by=${by}`])]
  const known = (found?.choices ?? []).map((one) =>
    [
      ...(one.part === undefined ? [] : [`part=${one.part}`]),
      ...(one.by === "" ? [] : [`by=${one.by}`])
    ].join(" ")
  )
  return `view=${view} has no records for ${asked.join(" ")}; it has ${known.join(", ")}.`
}

type RecordCodec = Schema.Codec<unknown, unknown>

const recordOf = (row: Row.Row, form = ""): RecordCodec => {
  const one = row.forms?.[form]
  if (one !== undefined) return one.record() as RecordCodec
  const schema = CommandIndex.isLookup(row) ? Lookup.of(row).schema : Listing.schemaOf(row)
  return (schema ?? row.record()) as RecordCodec
}

const keysOf = (choices: ReadonlyArray<CommandIndex.Choice>): string =>
  [
    ...new Set(
      choices.map(({ row }) => `${CommandIndex.keyOf(row).many}, e.g. ${CommandIndex.keyOf(row).example}`)
    )
  ].join("; or ")

const choice = (names: ReadonlyArray<string>, description: string) =>
  optional(Schema.Literals(names), description)

/** Says which values of an option each view takes. The first of a view is its default. */
const textOf = (views: ReadonlyMap<string, View>, option: "by" | "part"): string => {
  const takes = [...views].flatMap(([view, { choices }]) => {
    const names = [...new Set(choices.map((one) => one[option] ?? ""))].filter((name) => name !== "")
    return names.length === 0 ? [] : [[view, names] as const]
  })
  const [[, [first] = []] = []] = takes
  const texts = takes.map(([view, names]) => `view=${view} takes ${names.join(", ")}`)
  return `${views.size < 2 ? "" : `${texts.join("; ")}. `}Default: ${takes.length < 2 ? first : "the first of the view"}.`
}
