/**
 * Finds the identifiers near a wrong one that exist. It sends requests to the service.
 *
 * A wrong check digit does not show which digit is wrong. Few of the numbers that differ in one digit, or in the order of two digits
 * (`Casrn.neighbours`), are assigned, so these are good suggestions.
 */
import { Casrn, Dtxcid, Dtxsid } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup, Plan, Search } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, callFailure, usageFailure } from "../CommandFailure.ts"
import * as RunPlan from "./runPlan.ts"

/** The kinds of identifiers with a check digit. */
export type Kind = "casrn" | "dtxsid" | "dtxcid"

/** An identifier that exists. */
export interface Similar {
  readonly id: string
  readonly preferredName: string | null
}

const neighboursOf: { readonly [K in Kind]: (text: string) => ReadonlyArray<string> } = {
  casrn: (text) => Result.match(Casrn.parse(text), { onFailure: () => [], onSuccess: Casrn.neighbours }),
  dtxsid: (text) => Result.match(Dtxsid.parse(text), { onFailure: () => [], onSuccess: Dtxsid.neighbours }),
  dtxcid: (text) => Result.match(Dtxcid.parse(text), { onFailure: () => [], onSuccess: Dtxcid.neighbours })
}

const lookups = {
  casrn: Search.equalBatch,
  dtxsid: () => Details.byDtxsid({ projection: "chemicalidentifier" }),
  dtxcid: () => Details.byDtxcid({ projection: "chemicalidentifier" })
}

/** A text with a wrong check digit. */
export interface Wrong {
  readonly kind: Kind
  readonly text: string
}

/** Whether a kind has a check digit. */
export const isKind = (kind: string | null): kind is Kind => kind !== null && kind in lookups

/** The results for texts, by text. A run keeps them, so that equal texts cost one request. */
export type Results = Map<string, ReadonlyArray<Similar>>

/** A run remembers this many texts. */
const mostKnown = 10_000

/**
 * Adds the existing identifiers near each text that has no result yet. `wait` is the time to wait for an unavailable service, in
 * milliseconds.
 */
export const find = (
  wrong: ReadonlyArray<Wrong>,
  results: Results,
  wait: number
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    for (const text of results.keys()) if (results.size > mostKnown) results.delete(text)
    const unknown = wrong.filter(({ text }) => !results.has(text))
    for (const [kind, own] of Map.groupBy(unknown, (one) => one.kind)) {
      const neighbours = new Map(own.map(({ text }) => [text, neighboursOf[kind](text)] as const))
      const known = yield* findAll(kind, [...neighbours.values()].flat(), wait)
      for (const [text, ids] of neighbours)
        results.set(
          text,
          ids.flatMap((id) => known.get(id) ?? [])
        )
    }
  })

/** Returns the requests of a run over texts. */
export const plan = (
  wrong: ReadonlyArray<Wrong>
): Effect.Effect<RunPlan.Requests, CommandFailure, ChemClient.ChemClient> =>
  Effect.map(
    Effect.forEach(
      Map.groupBy(wrong, ({ kind }) => kind),
      ([kind, own]) =>
        RunPlan.planOf(
          Identifiers.fromIterable(own.flatMap(({ text }) => neighboursOf[kind](text))),
          lookupOf(kind)
        )
    ),
    Plan.sum
  )

const lookupOf = (kind: Kind): Lookup.Lookup<RawRecord.RawRecord> =>
  lookups[kind]() as Lookup.Lookup<RawRecord.RawRecord>

/** Requests identifiers, and returns those that exist. */
const findAll = (
  kind: Kind,
  ids: ReadonlyArray<string>,
  wait: number
): Effect.Effect<ReadonlyMap<string, Similar>, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const outcomes = yield* Lookup.outcomes(Identifiers.fromIterable(ids), lookupOf(kind), {
      availability: { wait }
    }).pipe(
      Stream.runCollect,
      Effect.mapError((error) =>
        error._tag === "InvalidOption" ? usageFailure(error.message) : callFailure(error)
      )
    )
    const known = new Map<string, Similar>()
    for (const outcome of outcomes) {
      if (outcome._tag === "Failed") return yield* Effect.fail(callFailure(outcome.error))
      if (outcome._tag !== "Found") continue
      const record = JSON.parse(RawRecord.toText(outcome.records[0] as RawRecord.RawRecord))
      known.set(outcome.id, { id: outcome.id, preferredName: record.preferredName ?? null })
    }
    return known
  })
