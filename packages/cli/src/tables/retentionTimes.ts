/**
 * Converts retention times to the unit that another program reads, for `suspects --for`. The unit of a time is its own (`5.1 min`), else
 * that of `--rt-unit`, else that in the name of its column.
 */
import { Placeholder, Quote } from "@chemstream/api"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"
import type { Program } from "./suspectLists.ts"

/** A unit of retention times. */
export type Unit = "min" | "s"

/**
 * The unit of retention times that a program reads. patRoon: seconds (its handbook, suspect lists; rdrr.io, patRoonData, "Example
 * suspect lists"). A list for MetFrag has no retention times. mzmine: minutes (mzmine.github.io/mzmine_documentation, "Local compound database search"; its
 * help, "Custom database search": `Retention time (min)`).
 */
const units: Readonly<Record<Program, Unit | undefined>> = { metfrag: undefined, patroon: "s", mzmine: "min" }

/**
 * Returns the unit that the name of a column tells: `Average Rt(min)` of MS-DIAL (an export in the GNPS documentation,
 * github.com/lfnothias/GNPSDocumentation, AG_tutorial_files), `RT [s]`, `rt_seconds`, `retentionTimeInSeconds` of SIRIUS. XCMS names
 * its medians `rtmed`, in seconds, and mzmine its column of the quantification table `row retention time`, in minutes.
 */
export const unitOf = (column: string): Unit | undefined => {
  if (/(?:^|[^a-z]|[a-z]in)min(?:utes?)?(?:[^a-z]|$)|^row retention time$/i.test(column)) return "min"
  return /(?:^|[^a-z]|[a-z]in)s(?:ec(?:onds?)?)?(?:[^a-z]|$)|^rtmed$/i.test(column) ? "s" : undefined
}

/**
 * Converts the retention times of a column to the unit that a program reads. Warns if the unit of the column is unknown; `warn`, at the
 * end, counts the times that were no numbers.
 */
export const of = (program: Program, column: string, unit: Unit | undefined) => {
  const target = units[program]
  if (target !== undefined && unit === undefined)
    Messages.say(
      `chemstream: warning: the unit of ${Quote.value(column)} is unknown, so its times are not converted, and ${program} reads ${target}: give --rt-unit min or --rt-unit s\n`
    )
  let left = 0
  let first = ""
  return {
    /** Returns the time as text. Null: it is empty, or no number. */
    inUnit: (rt: string): string | null => {
      const time = timeFor(program, rt, unit)
      if (time === undefined && rt.trim() !== "" && !Placeholder.is(rt) && left++ === 0) first = rt
      return time ?? null
    },
    warn: (): void => {
      if (left > 0)
        Messages.say(
          `chemstream: warning: ${counted(left, "retention time")} of ${Quote.value(column)} left empty, because no number: the first is ${Quote.value(first)}\n`
        )
    }
  }
}

/**
 * Returns a retention time in the unit that a program reads. Its own unit, as in `5.1 min`, counts before that of the column. Without a
 * known unit it is not converted. Undefined: it is no number.
 */
const timeFor = (program: Program, rt: string, unit: Unit | undefined): string | undefined => {
  const [, number, own] = /^(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)\s*(min|s)?[a-z]*\.?$/i.exec(rt.trim()) ?? []
  if (number === undefined) return undefined
  const target = units[program]
  const value = Number(number.replace(",", "."))
  const known = own?.toLowerCase() ?? unit
  if (known === undefined || target === undefined) return rt.trim()
  if (known === target) return String(value)
  return String(Number((target === "s" ? value * 60 : value / 60).toFixed(6)))
}
