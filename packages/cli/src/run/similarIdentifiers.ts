/**
 * Finds the identifiers near a wrong one that exist. It sends requests to the service.
 *
 * A wrong check digit does not show which digit is wrong. Few of the numbers that differ in one digit, or in the order of two digits, are
 * assigned, so these are good suggestions.
 */
import { Casrn, Dtxcid, Dtxsid } from "@chemstream/api"
import type { ChemClient } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup, Search } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { type CommandFailure, callFailure, usageFailure } from "../CommandFailure.ts"

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
  casrn: Search.equalBatch(),
  dtxsid: Details.byDtxsid({ projection: "chemicalidentifier" }),
  dtxcid: Details.byDtxcid({ projection: "chemicalidentifier" })
}

/** Whether a kind has a check digit. */
export const isKind = (kind: string | null): kind is Kind => kind !== null && kind in lookups

/**
 * Finds the existing identifiers near each text. `wait` is the time to wait for an unavailable service, in
 * milliseconds.
 */
export const find = (
  kind: Kind,
  texts: ReadonlyArray<string>,
  wait: number
): Effect.Effect<ReadonlyMap<string, ReadonlyArray<Similar>>, CommandFailure, ChemClient.ChemClient> =>
  Effect.gen(function* () {
    const neighbours = new Map(texts.map((text) => [text, neighboursOf[kind](text)] as const))
    const all = [...new Set([...neighbours.values()].flat())]
    const outcomes = yield* Lookup.outcomes(
      Identifiers.fromIterable(all),
      lookups[kind] as Lookup.Lookup<RawRecord.RawRecord>,
      { availability: { wait } }
    ).pipe(
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
    return new Map(
      Array.from(neighbours, ([text, ids]) => [text, ids.flatMap((id) => known.get(id) ?? [])] as const)
    )
  })
