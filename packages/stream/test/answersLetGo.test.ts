import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"

/** A process that looks 900 answers of 1 MB up and lets them go; it says how often V8 looked for what nobody uses. */
const collections = (): number =>
  Number(
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `
        import { constants, PerformanceObserver } from "node:perf_hooks"
        import { ChemClient } from "@chemstream/client"
        import { Details, Identifiers, Lookup } from "@chemstream/stream"
        import { Effect, Layer, Redacted, Stream } from "effect"
        import { HttpClient, HttpClientResponse } from "effect/http"

        const count = 90_000
        const record = '{"dtxsid":"DTXSID1000000","text":"' + "x".repeat(10_000) + '"}'
        const template = Buffer.from("[" + Array(100).fill(record).join(",") + "]")
        let collections = 0
        const observer = new PerformanceObserver((list) => {
          collections += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
        })
        observer.observe({ entryTypes: ["gc"] })
        const http = HttpClient.make((request) =>
          Effect.sync(() => {
            const body = Buffer.from(new Uint8Array(template).buffer)
            const ids = JSON.parse(Buffer.from(request.body.body).toString())
            for (const [n, id] of ids.entries()) body.latin1Write(id, 12 + n * (record.length + 1))
            const response = HttpClientResponse.fromWeb(request, new Response(null))
            return Object.defineProperties(response, {
              headers: { value: { "content-length": String(body.length) } },
              arrayBuffer: { value: Effect.succeed(body.buffer) }
            })
          }).pipe(Effect.delay("1 millis"))
        )
        const client = ChemClient.layer({ baseUrl: "http://service.invalid", apiKey: Redacted.make("key") }).pipe(
          Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
        )
        const ids = Array.from({ length: count }, (_, n) => "DTXSID" + (1_000_000 + n))
        let found = 0
        await Lookup.outcomes(Identifiers.fromIterable(ids), Details.byDtxsid({}), { batchSize: 100 }).pipe(
          Stream.runForEachArray((outcomes) =>
            Effect.sync(() => {
              found += outcomes.filter(({ _tag }) => _tag === "Found").length
            })
          ),
          Effect.provide(client),
          Effect.runPromise
        )
        if (found !== count) throw new Error(found + " found")
        await new Promise((resolve) => setImmediate(resolve))
        process.stdout.write(String(collections))
      `
      ],
      { cwd: import.meta.dirname, encoding: "utf8" }
    )
  )

it("has V8 look for what nobody uses any more as answers pass by", () => {
  // 33 or 34 times; 9 to 11 by itself.
  expect(collections()).toBeGreaterThan(20)
})
