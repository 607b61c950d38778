/**
 * Whether the names of `--fields` are fields: of the contract, or else of any record. A name that is neither is most
 * likely a slip, and the person hears of it while the run goes on, for its column is empty.
 */
import { RawRecord } from "@chemstream/ndjson"
import { didYouMean } from "./nearest.ts"
import { counted } from "./summary.ts"

/** So many records without a field are enough to say so. */
const enough = 1000

export interface FieldNames {
  /** Looks at records as they came. Gives what is to be said, once. */
  readonly look: (records: Iterable<RawRecord.RawRecord>) => string | undefined
  /** What is to be said at the end, if nothing was yet. */
  readonly end: () => string | undefined
}

/** Looks after the names asked for, of which those that the contract has need no looking after. */
export const make = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<string> | undefined
): FieldNames => {
  const strange = new Set(
    contract === undefined ? [] : (asked ?? []).filter((name) => !contract.includes(name))
  )
  let seen = 0
  const say = (): string | undefined => {
    const words = [...strange].map((name) => `${JSON.stringify(name)}${didYouMean(name, contract ?? [])}`)
    strange.clear()
    return words.length === 0
      ? undefined
      : `chemstream: warning: --fields: ${seen === 0 ? "the contract has no field" : `${counted(seen, "record")} had no field`} ${words.join(", ")}\n`
  }
  return {
    look: (records) => {
      if (strange.size === 0) return undefined
      for (const record of records) {
        seen++
        for (const name of strange) if (RawRecord.value(record, name) !== undefined) strange.delete(name)
      }
      return seen >= enough ? say() : undefined
    },
    end: say
  }
}
