/**
 * The service that served the page, asked with the key of the tab.
 *
 * Records come through `@chemstream/client`; structures are drawn and read by the service, because RDKit compiles code,
 * which the page does not allow.
 */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Structures } from "@chemstream/stream"
import { Effect, type Exit, Layer, ManagedRuntime, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { createContext } from "preact"
import { useContext, useEffect, useState } from "preact/hooks"

/** The URL of the service, without a slash at its end. */
export const baseUrl: string = new URL(".", location.href.replace(/#.*/s, "")).href.replace(/\/$/, "")

/** What is drawn or computed of a structure. */
export type StructureForm = "svg" | "inchi" | "inchikey" | "mass"

/** A failure in words. */
export interface Failure {
  readonly _tag?: string
  readonly message: string
}

/** The service with a key. */
export interface Connection {
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, ChemClient.ChemClient>,
    signal?: AbortSignal
  ) => Promise<Exit.Exit<A, E | Failure>>
  /** What the service draws or computes of a structure. */
  readonly structure: (of: string, as: StructureForm) => Effect.Effect<string, Failure>
  /** A response of the service as text. */
  readonly text: (path: string) => Effect.Effect<string, Failure>
}

/** How long a person waits for one call, in milliseconds. */
const patience = 15_000

/** How often a request for a structure is sent again at most, and after which times. */
const repeats = { times: 5, schedule: Schedule.exponential("250 millis") }

/** A refusal of the service that a repetition may mend. */
const isPassing = (status: number): boolean => status === 429 || status >= 500

/** A response that is no success, or none at all. */
class Refused extends Error {
  readonly _tag: "NotFound" | "Refused" | "Unauthorized"
  readonly isPassing: boolean

  constructor(message: string, status: number | undefined) {
    super(message)
    this._tag = status === 401 ? "Unauthorized" : status === 404 ? "NotFound" : "Refused"
    this.isPassing = status === undefined || isPassing(status)
  }
}

/** A connection with a key. */
export const connect = (key: string): Connection => {
  const text = (path: string): Effect.Effect<string, Refused> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${baseUrl}${path}`, { headers: { "x-api-key": key }, signal })
        if (response.ok) return await response.text()
        const problem: unknown = await response.json().catch(() => undefined)
        const message = detailOf(problem) ?? `The service responded with ${response.status}`
        throw new Refused(message, response.status)
      },
      catch: (cause) =>
        cause instanceof Refused ? cause : new Refused(`The service cannot be reached: ${cause}`, undefined)
    }).pipe(Effect.retry({ ...repeats, while: (refused) => refused.isPassing }))
  const structure: Connection["structure"] = (of, as) =>
    text(`/explorer/structure?${new URLSearchParams({ of, as })}`)
  // A structure that could not be asked about is not invalid: the run ends.
  const read = (of: string, as: StructureForm) =>
    Effect.catchIf(
      structure(of, as),
      (failure) => failure instanceof Refused && failure.isPassing,
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
        retry: RetryPolicy.make({ attempts: 4, maxElapsed: patience })
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

/** The connection, and what to do when the service refuses its key. */
export interface Session {
  readonly connection: Connection
  readonly refused: () => void
}

/** The session of the page. */
export const SessionContext = createContext<Session | undefined>(undefined)

/** The session of the page; there is one below the form for the key. */
export const useSession = (): Session => useContext(SessionContext) as Session

/** What came of a question to the service. */
export type Asked<A> =
  | { readonly state: "waiting" }
  | { readonly state: "answered"; readonly value: A }
  | { readonly state: "failed"; readonly failure: Failure }

/** Asks the service when the inputs change; a question that is not wanted any more is interrupted. */
export const useAsked = <A, E extends Failure>(
  question: (connection: Connection) => Effect.Effect<A, E, ChemClient.ChemClient>,
  inputs: ReadonlyArray<unknown>
): Asked<A> => {
  const { connection, refused } = useSession()
  const [asked, setAsked] = useState<Asked<A>>({ state: "waiting" })
  useEffect(() => {
    const stop = new AbortController()
    setAsked({ state: "waiting" })
    connection.run(question(connection), stop.signal).then((exit) => {
      if (stop.signal.aborted) return
      if (exit._tag === "Success") return setAsked({ state: "answered", value: exit.value })
      const failure = failureOf(exit)
      if (failure._tag === "Unauthorized") return refused()
      setAsked({ state: "failed", failure })
    })
    return () => stop.abort()
  }, [connection, ...inputs])
  return asked
}

/** Why a question failed. */
export const failureOf = (exit: Exit.Failure<unknown, unknown>): Failure => {
  for (const reason of exit.cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (typeof error === "object" && error !== null && "message" in error) return error as Failure
  }
  return { message: "The question was interrupted" }
}
