/** Runs the lookups of a tool call. It returns one entry for each identifier, and reports progress on request. */
import type { InvalidIdentifier } from "@chemstream/api"
import { BodyReader, type ChemClient, type ChemError, type InvalidOption } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Identifiers, Ledger, Listing, Lookup, type Outcome, Progress } from "@chemstream/stream"
import { Effect, Result, Schedule, Schema, Stream } from "effect"
import { McpSchema, type McpServer } from "effect/ai"
import { adviceFor } from "../CommandFailure.ts"
import { missingMeaning } from "../output/missingMeaning.ts"
import type { Source } from "./endpointTools.ts"
import { type CallOutcomes, type Entry, type ToolError, toolFailure } from "./toolResults.ts"

/** How long a call waits for an unavailable service. It is shorter than the time that assistants wait for a tool. */
export const availability: Lookup.Options["availability"] = { wait: "30 seconds" }

/** The notifications of the server. */
export type Notifications = McpServer.McpServer["Service"]["notifications"]

/** Looks up identifiers. An identifier fails if its record does not fit the contract. */
export const lookUp = (
  identifiers: ReadonlyArray<string>,
  lookup: Lookup.Lookup<RawRecord.RawRecord>,
  notifications: Notifications
): Effect.Effect<CallOutcomes, ToolError, ChemClient.ChemClient | McpSchema.McpRequestContext> =>
  Effect.suspend(() => {
    const ledger = Ledger.make()
    const schema = (lookup.schema ?? Schema.Unknown) as Schema.ConstraintDecoder<unknown>
    return Identifiers.fromIterable(identifiers).pipe(
      Lookup.outcomes(Lookup.decode(lookup, schema), { ledger, availability }),
      Stream.runCollect,
      Effect.mapError(callError),
      Effect.map((outcomes) => ({
        entries: outcomes.flatMap((outcome) =>
          outcome._tag === "Surplus" ? [] : [entryOf(outcome, lookup.endpoint)]
        ),
        duplicates: ledger.duplicates,
        surplus: outcomes.filter(({ _tag }) => _tag === "Surplus").length
      })),
      withProgress(ledger, identifiers.length, notifications)
    )
  })

/** Reads a catalogue. Fails if a record does not fit the contract, or if there are identifiers. */
export const readCatalogue = (
  { catalogue, projection, view }: Extract<Source, { readonly catalogue: unknown }>,
  identifiers: ReadonlyArray<string>
): Effect.Effect<CallOutcomes, ToolError, ChemClient.ChemClient> => {
  if (identifiers.length > 0) return toolFailure(`view=${view} takes no identifiers.`)
  const decode = BodyReader.json(Listing.schemaOf(catalogue, projection) as Schema.ConstraintDecoder<unknown>)
  return Listing.of(catalogue)
    .all({ projection })
    .pipe(
      Stream.mapEffect((record) =>
        Result.match(decode(record.bytes.subarray(record.start, record.end)), {
          onSuccess: Effect.succeed,
          onFailure: ({ path, reason }) => toolFailure(`${catalogue.name}: ${path}: ${reason}`)
        })
      ),
      Stream.runCollect,
      Effect.mapError((error) => (error._tag === "ToolError" ? error : callError(error))),
      Effect.map((listed) => ({ entries: [], listed, duplicates: 0, surplus: 0 }))
    )
}

const entryOf = (
  outcome: Exclude<Outcome.Outcome<unknown, ChemError.ChemError>, Outcome.Surplus>,
  endpoint: string
): Entry => {
  const identifier = outcome.given ?? outcome.id
  switch (outcome._tag) {
    case "Found":
      return {
        identifier,
        status: "found",
        records: outcome.records,
        isTruncated: outcome.truncated !== undefined
      }
    case "Missing": {
      const similar = outcome.suggestions?.slice(0, 5) ?? []
      return {
        identifier,
        status: "missing",
        reason: `${missingMeaning(endpoint, outcome.id)}${similar.length === 0 ? "" : `; similar names: ${similar.join(", ")}`}`,
        records: []
      }
    }
    case "Failed":
      return { identifier, status: "failed", reason: outcome.error.message, records: [] }
    case "Invalid":
      return { identifier, status: "invalid", reason: outcome.error.message, records: [] }
  }
}

/** Returns the error of a tool call that stopped early. */
export const callError = (
  error: ChemError.ChemError | InvalidIdentifier.InvalidIdentifier | InvalidOption.InvalidOption
): ToolError => {
  const isOfCall = error._tag !== "InvalidOption" && error._tag !== "InvalidIdentifier"
  return toolFailure(isOfCall ? `${error.message}${adviceFor(error)}` : error.message)
}

/** Reports the progress of a run every second, if the assistant asked for it. */
export const withProgress =
  (ledger: Ledger.Ledger, total: number, notifications: Notifications) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | McpSchema.McpRequestContext> =>
    Effect.gen(function* () {
      const { requestMetadata } = yield* McpSchema.McpRequestContext
      const token = requestMetadata?.["progressToken"]
      if (typeof token !== "string" && typeof token !== "number") return yield* run
      const observe = Progress.observer(ledger, total)
      let lastDone = 0
      const report = Effect.flatMap(observe, ({ done, inFlight }) => {
        if (done <= lastDone) return Effect.void
        lastDone = done
        return Effect.ignore(
          notifications["notifications/progress"]({
            progressToken: token,
            progress: done,
            total,
            message: `${done} of ${total} identifiers, ${inFlight} requests in flight`
          })
        )
      })
      const reporting = Effect.andThen(Effect.repeat(report, Schedule.spaced("1 second")), Effect.never)
      return yield* Effect.tap(Effect.raceFirst(run, reporting), () => report)
    })
