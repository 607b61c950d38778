/**
 * The tools of rows: one for each first word of their commands, e.g. `details`. A tool has a view for each command, and
 * takes the kinds of values of `--by`.
 *
 * Rows that are all special have tools of their own, in `tools.ts`, or none.
 */
import type { Row } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { Lookup } from "@chemstream/stream"
import { Schema } from "effect"
import type { Tool } from "effect/ai"
import * as RowCommands from "../rows/rowCommands.ts"
import { answer } from "./results.ts"
import { identifierList, ledgerSentence, paging, tool } from "./toolParts.ts"

/** The texts and defaults of a tool, instead of those of its rows. */
interface Texts {
  readonly title: string
  readonly description: string
  readonly identifiers?: string
  readonly view?: string
  readonly projection?: { readonly default: string; readonly description: string }
}

const texts: Readonly<Record<string, Texts>> = {
  details: {
    title: "Chemical details",
    description:
      "Gives the chemical records of substances: names, formula, masses, structure, counts of assays.",
    identifiers: "DTXSIDs, or DTXCIDs with by=dtxcid",
    projection: {
      default: "compact",
      description:
        "The fields of the records: compact has 8, chemicaldetailall has the most. Default: compact."
    }
  },
  synonyms: {
    title: "Synonyms",
    description: "Gives the names and other identifiers of substances.",
    identifiers: "DTXSIDs"
  },
  bioactivity: {
    title: "Bioactivity",
    description:
      "Gives bioactivity (ToxCast): counts of assays and hits (view=summary), every curve with hit call and AC50 (view=data), or administered equivalent doses (view=aed).",
    identifiers: "DTXSIDs, or identifiers of the kind `by`",
    view: "summary"
  }
}

/** A tool over rows. */
export interface RowTool {
  readonly name: string
  readonly tool: Tool.Any
  /** Returns the lookup of a call, or why there is none. */
  readonly lookupOf: (given: Given) => Lookup.Lookup<RawRecord.RawRecord> | string
}

/** The parameters of a call. */
export interface Given {
  readonly by?: string | undefined
  readonly view?: string | undefined
  readonly projection?: string | undefined
}

/** The choices of a command that need no further parameter. */
const choicesOf = ({ choices }: RowCommands.RowCommand): ReadonlyArray<RowCommands.Choice> =>
  choices.filter(({ row }) => RowCommands.isLookup(row) && RowCommands.isComplete(row.query))

/** Returns the tools of rows. Default: of those of the contract. */
export const of = (rows?: RowCommands.RowList): ReadonlyArray<RowTool> =>
  [...Map.groupBy(RowCommands.of(rows), ({ words: [first] }) => first)].flatMap(([name, commands]) => {
    const views = new Map(
      commands.flatMap((command) => {
        const choices = choicesOf(command)
        return choices.length === 0 ? [] : [[command.words.at(-1) ?? name, choices] as const]
      })
    )
    const all = [...views.values()].flat()
    return all.some(({ row }) => row.special === undefined) ? [make(name, views)] : []
  })

const make = (name: string, views: ReadonlyMap<string, ReadonlyArray<RowCommands.Choice>>): RowTool => {
  const all = [...views.values()].flat()
  const [first = ""] = views.keys()
  const what = [...new Set(all.map(({ row }) => row.what))].join(", ")
  const {
    title = RowCommands.capitalized(name),
    description = `Gives ${what}.`,
    identifiers = `${RowCommands.capitalized(keysOf(all))}`,
    projection,
    view: defaultView = first
  }: Partial<Texts> = texts[name] ?? {}
  const kinds = [...new Set(all.map(({ by }) => by))]
  const records = new Set(all.map(({ row }) => recordOf(row, projection?.default)))
  const viewOf = (given: Given): string => given.view ?? defaultView
  return {
    name,
    tool: tool(
      name,
      title,
      `${description} ${ledgerSentence}`,
      {
        identifiers: identifierList(identifiers),
        ...(kinds.length < 2 ? {} : { by: choice(kinds, bysText(views, kinds[0] ?? "")) }),
        ...(views.size < 2 ? {} : { view: choice([...views.keys()], `Default: ${defaultView}.`) }),
        ...(projection === undefined
          ? {}
          : { projection: choice(Object.keys(all[0]?.row.forms ?? {}), projection.description) }),
        ...paging
      },
      answer(records.size === 1 ? ([...records][0] as RecordCodec) : Schema.Union([...records]))
    ),
    lookupOf: (given) => {
      const { by = kinds[0], projection: form = projection?.default } = given
      const row = views.get(viewOf(given))?.find((one) => one.by === by)?.row
      return row === undefined
        ? `view=${viewOf(given)} cannot be looked up by ${by}.`
        : Lookup.of(row, { projection: form })
    }
  }
}

type RecordCodec = Schema.Codec<unknown, unknown>

const recordOf = (row: Row.Row, form = ""): RecordCodec => {
  const one = row.forms?.[form]
  return (one === undefined ? (Lookup.of(row).schema ?? row.record()) : one.record()) as RecordCodec
}

const keysOf = (choices: ReadonlyArray<RowCommands.Choice>): string =>
  [
    ...new Set(
      choices.map(({ row }) => `${RowCommands.keyOf(row).many}, e.g. ${RowCommands.keyOf(row).example}`)
    )
  ].join("; or ")

const choice = (names: ReadonlyArray<string>, description: string) =>
  Schema.optionalKey(Schema.Literals(names).annotate({ description }))

/** Says which kinds of values each view takes. */
const bysText = (views: ReadonlyMap<string, ReadonlyArray<RowCommands.Choice>>, first: string): string => {
  const takes = [...views].map(
    ([view, choices]) => `view=${view} takes ${choices.map(({ by }) => by).join(", ")}`
  )
  return `${views.size < 2 ? "" : `${takes.join("; ")}. `}Default: ${first}.`
}
