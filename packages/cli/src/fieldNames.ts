/**
 * Whether the names of `--fields` are fields: of the contract, or else of any record. A name that is neither is most
 * likely a slip, and the person hears of it while the run goes on, for its column is empty.
 */
import { RawRecord } from "@chemstream/ndjson"
import * as Bar from "./bar.ts"
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

/** Looks after the names asked for, of which those that the contract has need no looking after. */
export const make = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<string> | undefined
): FieldNames => {
  const strange = new Set(
    contract === undefined ? [] : (asked ?? []).filter((name) => !contract.includes(name))
  )
  let seen = 0
  const say = (): void => {
    if (strange.size === 0) return
    const words = [...strange].map((name) => `${JSON.stringify(name)}${didYouMean(name, contract ?? [])}`)
    strange.clear()
    Bar.say(
      `chemstream: warning: --fields: ${seen === 0 ? "the contract has no field" : `${counted(seen, "record")} had no field`} ${words.join(", ")}\n`
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
