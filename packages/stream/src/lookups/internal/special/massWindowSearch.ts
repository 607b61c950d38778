/**
 * Searches for windows of mass in a run: in batches, and one by one where a batch cannot have a window or the service
 * refuses batches.
 */

import type { Outcome } from "@chemstream/batch"
import { ChemClient, type ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { Inspection } from "../inspection.ts"
import * as Part from "../lookupPart.ts"
import * as WindowBatch from "./massWindowBatch.ts"
import * as RefusedBatches from "./refusedBatches.ts"

/** The substances of a window, or the error of its search. */
export type Found = ReadonlyArray<string> | ChemError.ChemError

/** Whether a search succeeded. */
export const isList = (found: Found): found is ReadonlyArray<string> => Array.isArray(found)

/** The results of a search, by window. Surplus records belong to none. */
export interface Results {
  readonly of: (window: string) => Found
  readonly surplus: ReadonlyArray<Outcome.Surplus>
}

/** The searches of a run. They share batch sizes, and what is known about the service. */
export interface WindowSearch {
  readonly group: Part.Group
  /**
   * Searches for windows, written as `byMassRange` takes them. Fails if the service could not be reached, and with
   * errors that stop the run.
   */
  readonly search: (
    windows: ReadonlyArray<string>,
    inspection: Inspection
  ) => Effect.Effect<Results, ChemError.ChemError, ChemClient.ChemClient>
}

/** Starts the searches of a run, with parts of a group. */
export const make = (group: Part.Group): WindowSearch => {
  let parts: { readonly alone: Part.Part; readonly batches: Part.Part } | undefined
  const search: WindowSearch["search"] = Effect.fnUntraced(function* (windows, inspection) {
    const { dialect } = yield* ChemClient.ChemClient
    const { run = {} } = inspection
    // Started at the first search, because only then is the dialect known.
    parts ??= {
      alone: Part.start(group, "masses", WindowBatch.byMassRange(), run),
      batches: Part.start(group, "masses", inBatches(dialect), run)
    }
    const { alone, batches } = parts
    const results = new Map<string, Part.PartResult>()
    /** The windows of a batch share its tolerance, so those of other batches are not added. */
    const request = (part: Part.Part, sets: ReadonlyArray<ReadonlyArray<string>>) => {
      const requests = sets.map((ids) => ({ part, ids, isUrgent: true }))
      return Effect.map(Part.request(group, requests, inspection, run.onFailure), (found) => {
        for (const [at, result] of found.entries())
          for (const window of sets[at] ?? []) results.set(window, result)
      })
    }
    yield* request(batches, WindowBatch.groupsOf(windows, dialect))
    const others = windows.filter((window) => !results.has(window))
    yield* request(alone, [others])
    const all = [...new Set(results.values())]
    const failure = Part.failureOfAll(all)
    if (failure !== undefined) return yield* Effect.fail(failure)
    return {
      of: (window) => {
        const { errors, records } = (results.get(window) as Part.PartResult).settled
        return errors.get(window) ?? (records.get(window) ?? []).flatMap(dtxsidOf)
      },
      surplus: all.flatMap(({ settled }) => settled.surplus)
    }
  })
  return { group, search }
}

/** Requests batches until the service refuses them. A batch of one window is a range. */
const inBatches = (
  dialect: Parameters<typeof WindowBatch.byDialect>[0]
): ReturnType<typeof WindowBatch.byDialect> =>
  RefusedBatches.unlessRefused({
    batch: WindowBatch.byDialect(dialect),
    single: WindowBatch.byMassRange(),
    oneIsSingle: true,
    noun: "mass",
    nouns: "masses",
    mayRefuse: (error) => RefusedBatches.isRefusal(error) || hasOtherUnit(error),
    // No window is malformed, so a rejection is not about the windows.
    isAboutSize: RefusedBatches.isRefusal
  })

/** Whether the service reads the whole ppm as dalton. Ranges are exact in both dialects. */
const hasOtherUnit = (error: ChemError.ChemError): boolean =>
  error._tag === "MalformedResponse" && error.dialect === "specification"

const dtxsidOf = (record: RawRecord.RawRecord): ReadonlyArray<string> => {
  const dtxsid = RawRecord.value(record, "dtxsid")
  return typeof dtxsid === "string" ? [dtxsid] : []
}
