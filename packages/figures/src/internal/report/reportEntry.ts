/** An entry of a report: a chapter about a chemical, or an identifier without one. */
import type { Chemical } from "../../Chemical.ts"

/** A chemical. `note` names the data that could not be fetched. */
export interface Chapter {
  readonly _tag: "Chapter"
  readonly chemical: Chemical
  readonly note?: string | undefined
  /** The values of the columns `keep`. */
  readonly kept?: Readonly<Record<string, unknown>> | undefined
}

/** An identifier without a chemical, with the reason. The report lists it. */
export interface Absent {
  readonly _tag: "Absent"
  readonly id: string
  readonly outcome: "missing" | "failed" | "invalid"
  readonly message: string
  /** Its line in the input, from 1. */
  readonly line?: number | undefined
}
