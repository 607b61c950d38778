/** A service on a free port over a stub of a store. Not a test itself. */
import { type Service, Store } from "@chemstream/service"
import { Effect, Option, Redacted, type Scope } from "effect"
import * as application from "../src/internal/http/requestPipeline.ts"
import { serve } from "../src/internal/server/nodeServer.ts"
import { key } from "./testService.ts"

/** Makes a store with these queries. `detailRecord` follows from `detail`. Any other query is a defect. */
export const storeOf = (queries: Partial<Store.Queries>): Store.Store["Service"] =>
  Store.Store.of(
    new Proxy(withRecord(queries), {
      get: (target, name) =>
        name in target
          ? target[name as keyof Store.Queries]
          : () => Effect.die(new Error(`the test's store has no ${String(name)}`))
    }) as Store.Queries
  )

const withRecord = ({ detail, ...others }: Partial<Store.Queries>): Partial<Store.Queries> =>
  detail === undefined
    ? others
    : {
        detail,
        detailRecord: (dtxsid) =>
          Effect.map(
            detail(dtxsid),
            Option.map(({ record }) => record)
          ),
        ...others
      }

/** Starts a service over such a store. */
export const stubService = (
  queries: Partial<Store.Queries>,
  options: Partial<Omit<Service.Options, "database">> = {}
): Effect.Effect<Service.Service["Service"], never, Scope.Scope> =>
  application.make({ keys: [Redacted.make(key)], ...options }).pipe(
    Effect.provideService(Store.Store, storeOf(queries)),
    Effect.flatMap((app) => serve(app, { ...options, host: "127.0.0.1", port: 0 })),
    Effect.map(({ host, port }) => ({
      host,
      port,
      url: `http://${host}:${port}`,
      metricsUrl: `http://${host}:${port}`
    })),
    Effect.orDie
  )

/** The identifier of the chemical of `queriesWith`. */
export const knownId = "DTXSID7020182"

/** Makes the queries of a store with one detail record. */
export const queriesWith = (record: string): Partial<Store.Queries> => {
  const stored = { record: new TextEncoder().encode(record), others: null }
  return {
    detail: (dtxsid) => Effect.succeed(dtxsid === knownId ? Option.some(stored) : Option.none()),
    details: (dtxsids) => Effect.succeed(dtxsids.includes(knownId) ? [stored] : []),
    detailArray: (dtxsids) =>
      Effect.succeed(new TextEncoder().encode(dtxsids.includes(knownId) ? `[${record}]` : "[]"))
  }
}
