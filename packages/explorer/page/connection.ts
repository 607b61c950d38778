/**
 * The connection to the service that served the page, with the key of the tab.
 *
 * Records come through `@chemstream/client`. The service draws and reads structures, because RDKit compiles
 * code, which the page does not allow.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Structures } from "@chemstream/stream"
import { Effect, type Exit, Layer, ManagedRuntime, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Failure } from "./Failure.ts"

/** The URL of the service, without a trailing slash. */
export const baseUrl: string = new URL(".", location.href.replace(/#.*/s, "")).href.replace(/\/$/, "")

/** The forms of a structure that the service draws or computes. */
export type StructureForm = "svg" | "inchi" | "inchikey" | "mass"

/** A connection to the service with a key. */
export interface Connection {
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, ChemClient.ChemClient>,
    signal?: AbortSignal
  ) => Promise<Exit.Exit<A, E | Failure>>
  /** Requests a form of a structure. */
  readonly structure: (of: string, as: StructureForm) => Effect.Effect<string, Failure>
  /** Requests a path and returns the body as text. */
  readonly text: (path: string) => Effect.Effect<string, Failure>
}

/** The time limit of one call, in milliseconds. */
const callTimeout = 15_000

/** The retries of a request for a structure. */
const structureRetry = { times: 5, schedule: Schedule.exponential("250 millis") }

/** Returns whether a retry may help after a response with this status. */
const isTransient = (status: number): boolean => status === 429 || status >= 500

/** A response that is not a success, or no response at all. */
class RequestFailed extends Error {
  readonly _tag: "NotFound" | "RequestFailed" | "Unauthorized"
  readonly isTransient: boolean

  constructor(message: string, status: number | undefined) {
    super(message)
    this._tag = status === 401 ? "Unauthorized" : status === 404 ? "NotFound" : "RequestFailed"
    this.isTransient = status === undefined || isTransient(status)
  }
}

/** Makes a connection with a key. */
export const connect = (key: string): Connection => {
  const text = (path: string): Effect.Effect<string, RequestFailed> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${baseUrl}${path}`, { headers: { "x-api-key": key }, signal })
        if (response.ok) return await response.text()
        const problem: unknown = await response.json().catch(() => undefined)
        const message = detailOf(problem) ?? `The service responded with ${response.status}`
        throw new RequestFailed(message, response.status)
      },
      catch: (cause) =>
        cause instanceof RequestFailed
          ? cause
          : new RequestFailed(`The service cannot be reached: ${cause}`, undefined)
    }).pipe(Effect.retry({ ...structureRetry, while: (failure) => failure.isTransient }))
  const structure: Connection["structure"] = (of, as) =>
    text(`/explorer/structure?${new URLSearchParams({ of, as })}`)
  // If the service fails, the structure is not known to be invalid, so the run stops.
  const read = (of: string, as: StructureForm) =>
    Effect.catchIf(
      structure(of, as),
      (failure) => failure instanceof RequestFailed && failure.isTransient,
      Effect.die
    )
  const structures: Structures.Structures = {
    inchi: (smiles) => read(smiles, "inchi"),
    inchikey: (of) => read(of, "inchikey"),
    mass: (smiles) => Effect.map(read(smiles, "mass"), Number)
  }
  const runtime = ManagedRuntime.make(
    Layer.merge(
      ChemClient.layer({
        baseUrl,
        apiKey: Redacted.make(key),
        dialect: "specification",
        retry: RetryPolicy.make({ attempts: 4, maxElapsed: callTimeout })
      }),
      Layer.succeed(Structures.Structures, structures)
    ).pipe(Layer.provide(FetchHttpClient.layer))
  )
  return {
    structure,
    text,
    run: (effect, signal) => runtime.runPromiseExit(effect, signal === undefined ? {} : { signal })
  }
}

const detailOf = (problem: unknown): string | undefined => {
  if (typeof problem !== "object" || problem === null || !("detail" in problem)) return undefined
  return typeof problem.detail === "string" ? problem.detail : undefined
}
