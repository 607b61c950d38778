/** Resolves many InChIKeys through a faulty proxy, and checks that each gets its own substance. */
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { FaultProxy, Scenario } from "@chemstream/faults"
import { Identifiers, Ledger, Resolve } from "@chemstream/stream"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect, it } from "vitest"

const count = process.env["CHEMSTREAM_TIER"] === "thorough" ? 50_000 : 2000

/** Returns the InChIKey of a number: 14 letters that spell it. */
const keyOf = (n: number): string => {
  const letters = Array.from(String(n).padStart(14, "0"), (digit) => String.fromCharCode(65 + Number(digit)))
  return `${letters.join("")}-UHFFFAOYSA-N`
}

/** Responds to an exact search in a batch: every tenth key is unknown. */
const answer = (keys: ReadonlyArray<string>): string =>
  JSON.stringify(
    keys.map((key) => {
      const number = Number(Array.from(key.slice(0, 14), (letter) => letter.charCodeAt(0) - 65).join(""))
      return number % 10 === 0
        ? { searchValue: key, searchMsgs: ["Found 0 results"], suggestions: null }
        : {
            searchValue: key,
            searchName: "InChIKey",
            rank: 13,
            dtxsid: `DTXSID${number}`,
            preferredName: key
          }
    })
  )

it(`gives each of ${count} InChIKeys its own result despite failures of the service`, {
  timeout: 600_000
}, async () => {
  const proxy = await FaultProxy.start({
    scenario: {
      ...Scenario.noFaults,
      seed: 7,
      rules: [
        { fault: { _tag: "Status", status: 503, body: "problem" }, share: 0.2, times: 1 },
        { fault: { _tag: "Status", status: 500, body: "problem" }, share: 0.1, times: 2 },
        { fault: { _tag: "Status", status: 429, body: "problem" }, share: 0.1, times: 1 }
      ]
    },
    // The search for a skeleton has no body.
    upstream: ({ body }) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(body.length === 0 ? "[]" : answer(JSON.parse(body.toString())))
    })
  })
  const ledger = Ledger.make()
  const keys = Array.from({ length: count }, (_, n) => keyOf(n))
  const wrong: Array<string> = []
  let line = 0
  await Effect.gen(function* () {
    const client = yield* ChemClient.make({
      baseUrl: proxy.url,
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.make({ attempts: 6, baseDelay: 1 }),
      // The service throttles requests at random, so no rate could be learned.
      limits: { adaptive: false }
    })
    yield* Identifiers.fromIterable(keys).pipe(
      Resolve.outcomes({ ledger }),
      Stream.runForEach(({ candidates, input, line: at, status }) =>
        Effect.sync(() => {
          const isRight =
            at === ++line &&
            input === keys[at - 1] &&
            (at % 10 === 1 ? status === "missing" : candidates[0]?.dtxsid === `DTXSID${at - 1}`)
          if (!isRight) wrong.push(`${at} ${input}: ${status} ${candidates[0]?.dtxsid}`)
        })
      ),
      Effect.provideService(ChemClient.ChemClient, client)
    )
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped, Effect.runPromise)
  const { faults } = proxy
  await proxy[Symbol.asyncDispose]()
  expect(wrong).toEqual([])
  expect(line).toBe(count)
  expect(ledger).toMatchObject({ read: count, missing: count / 10, failed: 0 })
  expect(faults).toBeGreaterThan(0)
})
