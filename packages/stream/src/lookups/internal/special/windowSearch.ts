/**
 * Searches for windows of mass in a run: in batches, and one by one where a batch cannot have a window or the service
 * refuses batches.
 */

import type { Outcome } from "@chemstream/batch"
import { ChemClient, ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { Inspection } from "../inspection.ts"
import * as Part from "../part.ts"
import * as WindowBatch from "./windowBatch.ts"

/** The substances of a window, or the error of its search. */
export type Found = ReadonlyArray<string> | ChemError.ChemError

/** Whether a search succeeded. */
export const isList = (found: Found): found is ReadonlyArray<string> => Array.isArray(found)

/** The results of a search. */
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
  const refusal: Refusal = { error: undefined }
  let parts: { readonly alone: Part.Part; readonly batches: Part.Part } | undefined
  const search: WindowSearch["search"] = Effect.fnUntraced(function* (windows, inspection) {
    const { dialect } = yield* ChemClient.ChemClient
    const { run = {} } = inspection
    parts ??= {
      alone: Part.start(group, "masses", WindowBatch.byMassRange(), run),
      batches: Part.start(group, "masses", unlessRefused(dialect, refusal), run)
    }
    const { alone, batches } = parts
    const groups = refusal.error === undefined ? WindowBatch.groupsOf(windows, dialect) : []
    const results = new Map<string, Part.PartResult>()
    /** The windows of a batch share its tolerance, so those of other batches are not added. */
    const request = (part: Part.Part, sets: ReadonlyArray<ReadonlyArray<string>>) => {
      const requests = sets.map((ids) => ({ part, ids, isUrgent: true }))
      return Effect.map(Part.request(group, requests, inspection, run.onFailure), (found) => {
        for (const [at, result] of found.entries())
          for (const window of sets[at] ?? [])
            if (!isRefused(result.settled.errors.get(window), refusal)) results.set(window, result)
      })
    }
    yield* request(batches, groups)
    const others = windows.filter((window) => !results.has(window))
    yield* request(alone, [others])
    const all = [...new Set(results.values())]
    const [unreachable] = all
    if (unreachable?.failure !== undefined && all.every(({ failure }) => failure !== undefined))
      return yield* Effect.fail(unreachable.failure)
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

/** The refusal of batches by the service, once it is certain. */
interface Refusal {
  error: ChemError.ChemError | undefined
}

const isRefused = (error: ChemError.ChemError | undefined, refusal: Refusal): boolean =>
  error !== undefined && error === refusal.error

type BatchLookup = ReturnType<typeof WindowBatch.byDialect>

/**
 * Requests batches until the service refuses them: all windows of a refused batch have the error of the refusal. A
 * batch of one window is a range.
 */
const unlessRefused = (
  dialect: Parameters<typeof WindowBatch.byDialect>[0],
  refusal: Refusal
): BatchLookup => {
  const batch = WindowBatch.byDialect(dialect)
  const range = WindowBatch.byMassRange()
  const refused = (ids: ReadonlyArray<string>, error: ChemError.ChemError) =>
    new Map(ids.map((id) => [id, error] as const))
  return {
    ...batch,
    requestBatch: (ids, inspection) => {
      const [first = "", ...others] = ids
      if (others.length === 0) return range.requestBatch(ids, inspection)
      if (refusal.error !== undefined)
        return Effect.succeed({ records: [], errors: refused(ids, refusal.error) })
      return Effect.catch(batch.requestBatch(ids, inspection), (error) => {
        const meaning = meaningOf(error)
        if (meaning === "failed") return Effect.fail(error)
        if (meaning === "smaller" && ids.length > 2) return Effect.fail(tooLarge(error, ids.length))
        // A range tells a service without batches from one that fails.
        return Effect.matchEffect(range.requestBatch([first], inspection), {
          onFailure: () => Effect.fail(error),
          onSuccess: (result) =>
            Effect.gen(function* () {
              if (refusal.error === undefined) {
                refusal.error = error
                yield* Effect.logWarning(
                  "the service refuses batches of masses, so each mass is a request of its own",
                  error.message
                )
              }
              return { ...result, errors: refused(others, refusal.error) }
            })
        })
      })
    }
  }
}

/** The path or its method does not exist, or a gateway forbids the request. */
const refusals = new Set<number | undefined>([403, 404, 405])

/**
 * Returns the meaning of a failed batch of windows: the service refuses all batches or may accept a smaller one, or
 * something else failed. No window is malformed, so a rejection is not about the windows.
 */
const meaningOf = (error: ChemError.ChemError): "refused" | "smaller" | "failed" => {
  switch (error._tag) {
    case "BatchTooLarge":
      return "smaller"
    case "ServiceFailure":
      return error.status === 500 ? "smaller" : error.status === 501 ? "refused" : "failed"
    case "NotFound":
      return "refused"
    case "MalformedResponse":
      // The service reads the whole ppm as dalton. Ranges are exact in both dialects.
      return error.dialect === "specification" ? "refused" : "failed"
    case "InvalidRequest":
      if (error.dialect !== undefined) return "failed"
      return error.status === 400 ? "smaller" : refusals.has(error.status) ? "refused" : "failed"
    default:
      return "failed"
  }
}

const tooLarge = (error: ChemError.ChemError, batchSize: number): ChemError.BatchTooLarge => {
  const { attempts, endpoint, message } = error
  return new ChemError.BatchTooLarge({ endpoint, attempts, message, batchSize })
}

const dtxsidOf = (record: RawRecord.RawRecord): ReadonlyArray<string> => {
  const dtxsid = RawRecord.value(record, "dtxsid")
  return typeof dtxsid === "string" ? [dtxsid] : []
}
