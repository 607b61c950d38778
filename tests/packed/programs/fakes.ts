/** A test of a program: records and faults in memory, and retries on the test clock. */
import { ChemClient } from "@chemstream/client"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const nameOf = (dtxsid: string) =>
  Effect.flatMap(ChemClient.ChemClient, (client) =>
    client.details.byDtxsid(dtxsid, { projection: "compact" })
  ).pipe(Effect.map(({ preferredName }) => preferredName))

const service = ChemClient.layerTest({
  records: { "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } } }
})
console.log(await nameOf("DTXSID7020182").pipe(Effect.provide(service), Effect.runPromise))
console.log(
  await Effect.flip(nameOf("DTXSID0020232")).pipe(
    Effect.map(({ _tag }) => _tag),
    Effect.provide(service),
    Effect.runPromise
  )
)

const program = Effect.gen(function* () {
  const fiber = yield* Effect.forkChild(nameOf("DTXSID7020182"), { startImmediately: true })
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(fiber)
})
let requests = 0
const flaky = ChemClient.layerTest({
  records: { "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } } },
  fault: () => (requests++ < 2 ? 500 : undefined)
})
console.log(
  await program.pipe(Effect.provide(flaky), Effect.provide(TestClock.layer()), Effect.runPromise),
  requests
)
