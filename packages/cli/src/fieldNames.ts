/**
 * Whether the names of `--fields` are fields: of the contract, or else, where that is allowed, of any record. A name that
 * the contract does not have is most likely a slip, so the run does not begin. Under `--any-fields` it does, and the person
 * hears of a name that no record has either while it goes on, for its column is empty.
 */
import { RawRecord } from "@chemstream/ndjson"
import * as Bar from "./bar.ts"
import { type CommandFailure, usage } from "./CommandFailure.ts"
import { didYouMean } from "./nearest.ts"
import { counted } from "./summary.ts"

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
  contract: ReadonlyArray<string> | undefined
): CommandFailure | undefined => {
  const words = wordsOf(strangeOf(asked, contract), contract)
  return words === ""
    ? undefined
    : usage(
        `--fields: the contract has no field ${words} in these records; where the service has it all the same, add --any-fields`
      )
}

/** Looks after the names asked for, of which those that the contract has need no looking after. */
export const make = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<string> | undefined
): FieldNames => {
  const strange = new Set(strangeOf(asked, contract))
  let seen = 0
  const say = (): void => {
    if (strange.size === 0) return
    const words = wordsOf([...strange], contract)
    strange.clear()
    Bar.say(
      `chemstream: warning: --fields: ${seen === 0 ? "the contract has no field" : `${counted(seen, "record")} had no field`} ${words}\n`
    )
  }
  return {
    look: (records) => {
      if (strange.size === 0) return
      for (const record of records) {
        seen++
        for (const name of strange) if (RawRecord.value(record, name) !== undefined) strange.delete(name)
      }
      if (seen >= enough) say()
    },
    end: say
  }
}

const strangeOf = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<string> | undefined
): ReadonlyArray<string> =>
  contract === undefined ? [] : (asked ?? []).filter((name) => !contract.includes(name))

const wordsOf = (names: ReadonlyArray<string>, contract: ReadonlyArray<string> | undefined): string =>
  names.map((name) => `${JSON.stringify(name)}${didYouMean(name, contract ?? [])}`).join(", ")
