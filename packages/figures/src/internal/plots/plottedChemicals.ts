/** The chemicals of plots over a list, the most potent first. */

import type { Endpoint } from "../../Potency.ts"
import { checkList } from "../arguments.ts"
import { formatCount } from "../text/plainText.ts"
import type { Options } from "./plotOptions.ts"

/** A chemical with its assay endpoints, the most potent first (`Potency.endpoints`). */
export interface Tested {
  /** Its name or identifier. */
  readonly name: string
  readonly endpoints: ReadonlyArray<Endpoint>
}

/** An active assay endpoint. */
export type Active = Endpoint & { readonly ac50: number }

/** A row of a plot over a list. */
export interface Row extends Tested {
  /** Its active endpoints, the most potent first. */
  readonly active: ReadonlyArray<Active>
}

/** The largest number of rows. Further chemicals are only counted. */
export const maxRows = 100

/** Returns the rows and the number of the others. */
export const rowsOf = (
  chemicals: ReadonlyArray<Tested>
): { readonly rows: ReadonlyArray<Row>; readonly others: number } => {
  checkList("chemicals", chemicals)
  const all = chemicals
    .map(
      (chemical): Row => ({
        ...chemical,
        active: chemical.endpoints.filter((one): one is Active => one.ac50 !== undefined)
      })
    )
    .sort((a, b) => (a.active[0]?.ac50 ?? Number.MAX_VALUE) - (b.active[0]?.ac50 ?? Number.MAX_VALUE))
  return { rows: all.slice(0, maxRows), others: Math.max(0, all.length - maxRows) }
}

/** Returns the note that counts the chemicals without a row. */
export const othersNote = (others: number): ReadonlyArray<string> =>
  others === 0 ? [] : [`Not drawn: ${formatCount(others, "less potent chemical")}.`]

/** Returns the name of an assay endpoint, or its number. */
export const endpointName = ({ aeid }: Pick<Endpoint, "aeid">, { assayNames }: Options): string =>
  assayNames?.get(aeid) ?? `endpoint ${aeid}`
