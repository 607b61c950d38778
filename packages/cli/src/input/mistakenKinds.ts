/**
 * Detects the kind of values that a command cannot use, and suggests the command for them.
 */
import { IdentifierKind, Quote } from "@chemstream/api"
import { Result } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { count } from "../terminal/quantities.ts"
import { shellWord } from "../terminal/shellWord.ts"

/** The most values to inspect. */
const most = 1000

/** The command for values of each kind, if there is one. */
const commands: Readonly<Partial<Record<IdentifierKind.Name | "mass", string>>> = {
  dtxsid: "details",
  dtxcid: "details --by dtxcid",
  casrn: "search equal",
  inchikey: "search equal",
  skeleton: "search start-with",
  formula: "formula exact",
  mass: "msready mass",
  name: "search equal"
}

/** The kinds that `chemstream resolve` takes. */
const resolvable: ReadonlyArray<keyof typeof commands> = ["casrn", "inchikey", "skeleton", "name"]

/** The count of values of one kind, and the first one. */
interface Group {
  readonly first: string
  count: number
}

/** Groups values by the kind that they look like. */
export interface MistakenKinds {
  readonly look: (value: string) => void
  /** Returns the failure of a run whose values are all invalid. Most likely another command was meant. */
  readonly nothingValid: () => CommandFailure
}

export const make = (): MistakenKinds => {
  const groups = new Map<keyof typeof commands, Group>()
  let looked = 0
  return {
    look: (value) => {
      // No other command takes the joined cells of a row.
      if (looked++ >= most || value.trim() === "" || /\p{Cc}/u.test(value)) return
      const kind = kindOf(value)
      if (kind === undefined || commands[kind] === undefined) return
      const group = groups.get(kind)
      if (group === undefined) groups.set(kind, { first: value, count: 1 })
      else group.count++
    },
    nothingValid: () => {
      const sentences = [...groups].map(([kind, group]) => sentence(kind, group))
      const isResolvable = resolvable.some((kind) => groups.has(kind))
      const forList = isResolvable ? ["For a list: chemstream resolve --input FILE"] : []
      return usageFailure(["no value of the input is valid", ...sentences, ...forList].join(". "))
    }
  }
}

/** Returns the kind that a value looks like. Undefined if it looks like none. */
const kindOf = (value: string): keyof typeof commands | undefined => {
  if (/^\d{2,4}\.\d+$/.test(value)) return "mass"
  const result = IdentifierKind.classify(value)
  return Result.isSuccess(result) ? result.success.first[0].kind : undefined
}

const sentence = (kind: keyof typeof commands, group: Group): string => {
  const [one, many] =
    kind === "mass"
      ? ["a mass", "masses"]
      : [IdentifierKind.withArticle(kind), `${IdentifierKind.kinds[kind].label}s`]
  const looks =
    group.count === 1
      ? `${Quote.value(group.first)} looks like ${one}`
      : `${count(group.count)} look like ${many}`
  return `${looks}: chemstream ${commands[kind]} ${shellWord(group.first)}`
}
