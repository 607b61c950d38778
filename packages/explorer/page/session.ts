/**
 * The session of the page: the connection with the key of the tab, what the service has, and the hook with which components send requests.
 */
import type { ChemClient } from "@chemstream/client"
import type { Effect, Exit } from "effect"
import { createContext } from "preact"
import { useContext, useEffect, useState } from "preact/hooks"
import type { ServiceView } from "../src/ServiceView.ts"
import type { Connection } from "./connection.ts"
import type { Failure } from "./Failure.ts"

/** A connection, and the callback for a rejected key. */
export interface Session {
  readonly connection: Connection
  readonly onKeyRejected: () => void
}

/** What the service has. Undefined: not known, or not yet. */
export const ServiceContext = createContext<ServiceView | undefined>(undefined)

/** Returns what the service has. */
export const useService = (): ServiceView | undefined => useContext(ServiceContext)

/** The session of the page. */
export const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the session of the page. Only components below the key form have one. */
export const useSession = (): Session => useContext(SessionContext) as Session

/** The state of a request to the service. */
export type RequestState<A> =
  | { readonly state: "pending" }
  | { readonly state: "done"; readonly value: A }
  | { readonly state: "failed"; readonly failure: Failure; readonly retry: () => void }

/** Sends a request when the inputs change, and interrupts the request before it. */
export const useRequest = <A, E extends Failure>(
  request: (connection: Connection) => Effect.Effect<A, E, ChemClient.ChemClient>,
  inputs: ReadonlyArray<unknown>
): RequestState<A> => {
  const { connection, onKeyRejected } = useSession()
  const [state, setState] = useState<RequestState<A>>({ state: "pending" })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setState({ state: "pending" })
    connection.run(request(connection), stop.signal).then((exit) => {
      if (stop.signal.aborted) return
      if (exit._tag === "Success") return setState({ state: "done", value: exit.value })
      const failure = failureOf(exit)
      if (failure._tag === "Unauthorized") return onKeyRejected()
      setState({ state: "failed", failure, retry: () => setAttempt(attempt + 1) })
    })
    return () => stop.abort()
  }, [connection, attempt, ...inputs])
  return state
}

/** Returns the reason of a failed request. */
export const failureOf = (exit: Exit.Failure<unknown, unknown>): Failure => {
  for (const reason of exit.cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (typeof error === "object" && error !== null && "message" in error) return error as Failure
  }
  return { message: "The request was interrupted" }
}
