import dns from "node:dns"
import { FaultProxy, LateName, Scenario } from "@chemstream/faults"
import { Effect, Exit, Scope } from "effect"
import { expect, it } from "vitest"

const upstream: FaultProxy.Upstream = () => ({ status: 200, headers: {}, body: Buffer.from("here") })

const forward = (url: string): Promise<string> =>
  fetch(url).then(
    (response) => response.text(),
    (error: { readonly cause: NodeJS.ErrnoException }) => error.cause.code ?? ""
  )

it("a late name does not resolve at first, and then resolves to loopback", async () => {
  await using proxy = await FaultProxy.start({ scenario: Scenario.noFaults, upstream })
  const scope = Effect.runSync(Scope.make())
  const late = Effect.runSync(Scope.provide(LateName.make(600_000), scope))
  const known = Effect.runSync(Scope.provide(LateName.make(0), scope))
  const url = (name: string): string => proxy.url.replace("127.0.0.1", name)
  expect(late).not.toBe(known)
  expect(await forward(url(late))).toBe("EAI_AGAIN")
  expect(await forward(url(known))).toBe("here")
  const address = await new Promise((resolve, reject) =>
    dns.lookup(known, (error, found, family) => (error ? reject(error) : resolve([found, family])))
  )
  expect(address).toEqual(["127.0.0.1", 4])
  await Effect.runPromise(Scope.close(scope, Exit.void))
  expect(proxy.requests).toBe(1)
})

it("a late name does not affect other names, and restores the resolver", async () => {
  const before = dns.lookup
  await Effect.gen(function* () {
    yield* LateName.make(600_000)
    expect(dns.lookup).not.toBe(before)
    const found = yield* Effect.promise(
      () => new Promise((resolve) => dns.lookup("127.0.0.1", { all: true }, (_, all) => resolve(all)))
    )
    expect(found).toEqual([{ address: "127.0.0.1", family: 4 }])
  }).pipe(Effect.scoped, Effect.runPromise)
  expect(dns.lookup).toBe(before)
})
