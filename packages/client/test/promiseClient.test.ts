import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient, ChemError, createClient, PromiseClient, ResponseCache } from "@chemstream/client"
import { createClient as createNodeClient } from "@chemstream/client/node"
import { Effect, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, key, settings, withService } from "./testClient.ts"

const record = `{"dtxsid":"${bisphenolA}","preferredName":"Bisphenol A","monoisotopicMass":228.1}`
const noRetries = { attempts: 1, baseDelay: 1, maxDelay: 1, maxElapsed: 1 }

const firstOf = async <A>(items: AsyncIterable<A>): Promise<A | undefined> => {
  for await (const item of items) return item
  return undefined
}

/** Tests the client of each entry against a scripted service. */
const testBothClients = (
  responders: ReadonlyArray<Scripted.Responder>,
  body: (client: PromiseClient.PromiseClient, service: Scripted.ScriptedService) => Promise<void>
) =>
  it.each([
    ["over fetch", createClient],
    ["over the transport of Node", createNodeClient]
  ])("%s", (_, create) =>
    withService(responders, (service) =>
      Effect.promise(async () => {
        await using client = await create({ baseUrl: service.url, apiKey: key, retry: noRetries })
        await body(client, service)
      })
    )
  )

describe("a promise client returns records", () => {
  testBothClients([Scripted.reply(200, record)], async (client, { requests }) => {
    const found = await client.details.byDtxsid(bisphenolA, { projection: "ntatoolkit" })
    expectTypeOf(found.monoisotopicMass).toEqualTypeOf<number | null | undefined>()
    expect(found).toMatchObject({ preferredName: "Bisphenol A" })
    expect(requests[0]).toMatchObject({
      url: `/chemical/detail/search/by-dtxsid/${bisphenolA}?projection=ntatoolkit`,
      headers: { "x-api-key": key }
    })
  })
})

describe("a promise client rejects with the same errors", () => {
  testBothClients([Scripted.problem(404, "none", { suggestions: ["x"] })], async (client) => {
    const error = await client.details.byDtxsid(bisphenolA).catch((error) => error)
    expect(error).toBeInstanceOf(ChemError.NotFound)
    expect(error).toMatchObject({ _tag: "NotFound", suggestions: ["x"], endpoint: "details.byDtxsid" })
    const malformed = await client.details.byDtxsid("50-00-0").catch((error) => error)
    expect(malformed).toMatchObject({ _tag: "InvalidIdentifier" })
  })
})

describe("a promise client iterates over pages, and requests only consumed pages", () => {
  const page = (from: number) =>
    Scripted.reply(
      200,
      JSON.stringify([
        { dtxsid: `DTXSID${from}`, dtxcid: null },
        { dtxsid: `DTXSID${from + 1}`, dtxcid: null }
      ])
    )
  testBothClients([page(1), page(3), Scripted.reply(200, "[]")], async (client, { requests }) => {
    const pages = client.details.all({ projection: "all-ids" })
    const ids: Array<unknown> = []
    for await (const found of pages) ids.push(found.dtxsid)
    expect(ids).toEqual(["DTXSID1", "DTXSID2", "DTXSID3", "DTXSID4"])
    expect(requests).toHaveLength(3)
    for await (const _ of client.details.all({ projection: "all-ids" })) break
    expect(requests).toHaveLength(4)
  })
})

describe("a promise client batches simultaneous get calls", () => {
  const responder: Scripted.Responder = (response, { body }) =>
    Scripted.reply(200, JSON.stringify(JSON.parse(body).map((dtxsid: string) => ({ dtxsid }))))(
      response,
      {} as never
    )
  testBothClients([responder], async (client, { requests }) => {
    const found = await Promise.all(
      [bisphenolA, "DTXSID3039242", bisphenolA].map((id) => client.details.get(id, { projection: "compact" }))
    )
    expect(found.map(({ dtxsid }) => dtxsid)).toEqual([bisphenolA, "DTXSID3039242", bisphenolA])
    expect(requests).toHaveLength(1)
  })
})

describe("a signal aborts the calls made with it, with its reason, and no others", () => {
  let onRequest = (): void => {}
  const once: Scripted.Responder = () => onRequest()
  testBothClients([once, once, Scripted.reply(200, record)], async (client, { requests }) => {
    const reason = new Error("the user left")
    const controller = new AbortController()
    const bound = client.with({ signal: controller.signal }).with({ signal: new AbortController().signal })
    const bothArrived = new Promise<void>((resolve) => {
      onRequest = () => {
        if (requests.length === 2) resolve()
      }
    })
    const call = bound.details.byDtxsid(bisphenolA).catch((error) => error)
    const pages = firstOf(bound.details.all()).catch((error) => error)
    await bothArrived
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect(await pages).toBe(reason)
    expect(await bound.details.byDtxsid(bisphenolA).catch((error) => error)).toBe(reason)
    expect(requests).toHaveLength(2)
    expect(await client.details.byDtxsid(bisphenolA)).toMatchObject({ dtxsid: bisphenolA })
  })
})

describe("a signal stops a loop before the next record of the page that has arrived", () => {
  const page = Scripted.reply(
    200,
    JSON.stringify(["1", "2", "3"].map((n) => ({ dtxsid: `DTXSID${n}`, dtxcid: null })))
  )
  testBothClients([page, page, page], async (client) => {
    const controller = new AbortController()
    const iterator = client.with({ signal: controller.signal }).details.all()[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ done: false })
    const reason = new Error("the user left")
    controller.abort(reason)
    expect(await iterator.next().catch((error) => error)).toBe(reason)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })
})

describe("a closed client aborts calls in flight and rejects new ones", () => {
  let onRequest = (): void => {}
  testBothClients([() => onRequest()], async (client, { requests }) => {
    const arrived = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    const call = client.details.byDtxsid(bisphenolA).catch((error) => error)
    await arrived
    await client.close()
    expect(await call).toMatchObject({
      _tag: "ClientClosed",
      message: "the client is closed: make another one with createClient"
    })
    await expect(client.details.byDtxsid(bisphenolA)).rejects.toThrow("the client is closed")
    expect(requests).toHaveLength(1)
  })
})

describe("a call that fails while its signal aborts", () => {
  it("rejects with its own error if it had failed, and an interruption without a signal is an error", async () => {
    const reason = new Error("the user left")
    for (const isAborted of [false, true]) {
      const controller = new AbortController()
      const mistake = new Error("a mistake of the test")
      const onRequest = (): void => {
        if (isAborted) controller.abort(reason)
        throw mistake
      }
      await using client = await PromiseClient.fromLayer(ChemClient.layerTest({ onRequest }))
      const call = client.with({ signal: controller.signal }).details.byDtxsid(bisphenolA)
      await expect(call).rejects.toBe(mistake)
    }
    const interrupting = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.interrupt)
    )
    const layer = ChemClient.layer(settings("http://127.0.0.1:9")).pipe(Layer.provide(interrupting))
    await using client = await PromiseClient.fromLayer(layer)
    await expect(client.details.byDtxsid(bisphenolA)).rejects.toBeInstanceOf(Error)
  })
})

describe("PromiseClient.fromLayer", () => {
  it("releases what the layer has acquired when the layer fails, and when the client closes", async () => {
    const events: Array<string> = []
    const acquired = Layer.effectDiscard(
      Effect.acquireRelease(
        Effect.sync(() => events.push("acquired")),
        () => Effect.sync(() => events.push("released"))
      )
    )
    const failure = new Error("no client")
    const failing = Layer.effect(ChemClient.ChemClient, Effect.fail(failure)).pipe(Layer.provide(acquired))
    await expect(PromiseClient.fromLayer(failing)).rejects.toBe(failure)
    expect(events).toEqual(["acquired", "released"])
    const client = await PromiseClient.fromLayer(Layer.provide(ChemClient.layerTest(), acquired))
    expect(events).toEqual(["acquired", "released", "acquired"])
    await client.close()
    expect(events).toEqual(["acquired", "released", "acquired", "released"])
  })
})

describe("createClient", () => {
  it.each([createClient, createNodeClient])(
    "rejects unusable settings, without the key in the error",
    async (create) => {
      const error = await create({ baseUrl: "ftp://host", apiKey: key }).catch((error) => error)
      expect(error).toMatchObject({ _tag: "InvalidOption", option: "baseUrl" })
      expect(`${JSON.stringify(error)}${error.stack}`).not.toContain(key)
    }
  )

  it.each([createClient, createNodeClient])(
    "refuses a misspelt setting with the nearest one, and without its value",
    async (create) => {
      const refusal = (settings: object): Promise<unknown> =>
        create({ baseUrl: "http://127.0.0.1:1", apiKey: key, ...settings } as never).catch((error) => error)
      const misspelt = await refusal({ apiKey: undefined, apikey: key })
      expect(misspelt).toMatchObject({
        _tag: "InvalidOption",
        option: "apikey",
        message: "The option apikey is unknown. Give apiKey."
      })
      expect(JSON.stringify(misspelt)).not.toContain(key)
      for (const [settings, wanted] of [
        [{ timeouts: { header: 1 } }, "timeouts.headers"],
        [{ limits: { inflight: 1 } }, "limits.inFlight"],
        [{ retry: { attempts: 1, baseDelay: 1, maxDelay: 1, maxElapsd: 1 } }, "retry.maxElapsed"],
        [{ availability: { wiat: 1 } }, "availability.wait"],
        [{ batching: { windw: 1 } }, "batching.window"]
      ] as const)
        expect(await refusal(settings)).toMatchObject({ _tag: "InvalidOption", wanted })
    }
  )

  it("refuses a misspelt setting of the transport with the nearest one", async () => {
    const settings = { baseUrl: "http://127.0.0.1:1", apiKey: key, transport: { conections: 1 } }
    await expect(createNodeClient(settings as never)).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: "The option transport.conections is unknown. Give transport.connections."
    })
  })

  it.each([createClient, createNodeClient])("reads the environment if it has no settings", (create) =>
    withService([Scripted.reply(200, record)], ({ url, requests }) =>
      Effect.promise(async () => {
        onTestFinished(() => void vi.unstubAllEnvs())
        vi.stubEnv("CHEMSTREAM_BASE_URL", url)
        vi.stubEnv("CHEMSTREAM_API_KEY", undefined)
        expect(await create().catch((error) => error)).toMatchObject({
          _tag: "InvalidOption",
          message: "The option apiKey is missing. Give the API key of the service, or set CHEMSTREAM_API_KEY."
        })
        vi.stubEnv("CHEMSTREAM_API_KEY", key)
        vi.stubEnv("CHEMSTREAM_KEY_HEADER", "x-other-key")
        await using client = await create()
        await client.details.byDtxsid(bisphenolA)
        expect(requests[0]?.headers).toMatchObject({ "x-other-key": key })
      })
    )
  )

  it.each([createClient, createNodeClient])(
    "reads from the environment only settings that are absent",
    (create) =>
      withService([Scripted.reply(200, record)], ({ url, requests }) =>
        Effect.promise(async () => {
          onTestFinished(() => void vi.unstubAllEnvs())
          vi.stubEnv("CHEMSTREAM_BASE_URL", "http://127.0.0.1:1")
          vi.stubEnv("CHEMSTREAM_API_KEY", key)
          vi.stubEnv("CHEMSTREAM_KEY_HEADER", "x-other-key")
          await using client = await create({ baseUrl: url, apiKey: undefined })
          await client.details.byDtxsid(bisphenolA)
          expect(requests[0]?.headers).toMatchObject({ "x-other-key": key })
        })
      )
  )

  it("accepts a cache as a store, and on Node as a file", () =>
    withService([Scripted.reply(200, record)], ({ url, requests }) =>
      Effect.promise(async () => {
        await using client = await createNodeClient({
          baseUrl: url,
          apiKey: key,
          cache: { store: ResponseCache.memory() }
        })
        await client.details.byDtxsid(bisphenolA)
        await client.details.byDtxsid(bisphenolA)
        expect(requests).toHaveLength(1)
        const error = await createNodeClient({
          baseUrl: url,
          apiKey: key,
          cache: { file: "/nowhere/responses.cache" }
        }).catch((error) => error)
        expect(error).toMatchObject({ _tag: "CacheFailure" })
      })
    ))
})

describe("the settings of a client of Node", () => {
  it.each<[string, object, number]>([
    ["its defaults", {}, 1],
    ["a lifetime of 0", { ttl: 0 }, 2],
    ["a bound below the response", { maxBytes: 10 }, 2]
  ])("make a cache in a file with %s", (_, more, count) =>
    withService([Scripted.reply(200, record)], ({ url, requests }) =>
      Effect.promise(async () => {
        const folder = mkdtempSync(join(tmpdir(), "chemstream-client-"))
        onTestFinished(() => rmSync(folder, { recursive: true }))
        const cache = { file: join(folder, "responses.cache"), ...more }
        for (let n = 0; n < 2; n++) {
          await using client = await createNodeClient({ baseUrl: url, apiKey: key, cache })
          await client.details.byDtxsid(bisphenolA)
        }
        expect(requests).toHaveLength(count)
      })
    )
  )

  it.each<[string, object]>([
    ["cash", { cash: { file: "responses.cache" } }],
    ["cache.fiel", { cache: { fiel: "responses.cache" } }],
    ["cache.ttl", { cache: { file: "responses.cache", ttl: "soon" } }],
    ["transport.connectTimeout", { transport: { connectTimeout: "soon" } }],
    ["transport.conectTimeout", { transport: { conectTimeout: "1 second" } }]
  ])("are refused by their path before a file is opened: %s", async (option, wrong) => {
    const client = createNodeClient({ baseUrl: "http://127.0.0.1:1", apiKey: key, ...wrong } as never)
    await expect(client).rejects.toMatchObject({ _tag: "InvalidOption", option })
  })
})

describe("an iteration of a promise client", () => {
  testBothClients([Scripted.reply(200, "[]")], async (client) => {
    for (const isLeft of [false, true]) {
      const aborter = new AbortController()
      const values = client.with({ signal: aborter.signal }).iterate(Stream.make(1, 2, 3))
      const iterator = values[Symbol.asyncIterator]()
      expect(await iterator.next()).toEqual({ done: false, value: 1 })
      if (isLeft) expect(await iterator.return?.()).toMatchObject({ done: true })
      aborter.abort("enough")
      // The reason of the signal comes once, and not after the iteration was left.
      if (!isLeft) await expect(iterator.next()).rejects.toBe("enough")
      expect(await iterator.next()).toMatchObject({ done: true })
    }
  })
})
