/** A requester of the scope, which makes the requests of lookups: what its responses say about the service. */
import { ChemClient } from "@chemstream/client"
import { Details, Identifiers, Lookup } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { expect, it } from "vitest"
import { clientOf, ok } from "./lookupService.ts"

const ids = ["DTXSID7020182", "DTXSID0020232"]

/** Looks up identifiers with a requester. Returns the outcomes, the number of requests, and whether the service has responded. */
const lookUp = (requester: Lookup.Requester) =>
  Effect.gen(function* () {
    let requests = 0
    const client = yield* clientOf(({ body }) => {
      requests++
      return ok(JSON.stringify((body as ReadonlyArray<string>).map((dtxsid) => ({ dtxsid }))))
    })
    return yield* Effect.gen(function* () {
      const outcomes = yield* Stream.runCollect(
        Lookup.outcomes(Details.byDtxsid())(Identifiers.fromIterable(ids))
      )
      const { availability } = yield* ChemClient.ChemClient
      return {
        outcomes: outcomes.map(({ _tag }) => _tag),
        requests,
        hasResponded: availability.hasResponded()
      }
    }).pipe(Effect.provide(client), Effect.provideService(Lookup.Requester, requester))
  }).pipe(Effect.scoped, Effect.runPromise)

it("counts as a response of the service if it sends a request", async () => {
  expect(await lookUp((_, some, request) => request(some))).toEqual({
    outcomes: ["Found", "Found"],
    requests: 1,
    hasResponded: true
  })
})

it("is no response of the service if it knows all values", async () => {
  expect(await lookUp(() => Effect.succeed({ records: [] }))).toEqual({
    outcomes: ["Missing", "Missing"],
    requests: 0,
    hasResponded: false
  })
})
