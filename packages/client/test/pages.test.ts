import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { settings, withClient, withService } from "./testClient.ts"

const page = (...ids: ReadonlyArray<string>): Scripted.Responder =>
  Scripted.reply(200, JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))))

describe("the stream of all pages", () => {
  it("ends at the empty page", () =>
    withService([page("a", "b"), page("c"), page()], (service) =>
      Effect.gen(function* () {
        const ids = yield* withClient(settings(service.url), ({ details }) =>
          details.all().pipe(
            Stream.map(({ dtxsid }) => dtxsid),
            Stream.runCollect
          )
        )
        expect(ids).toEqual(["a", "b", "c"])
        expect(service.requests.map(({ url }) => url)).toEqual([
          "/chemical/all?next=1",
          "/chemical/all?next=2",
          "/chemical/all?next=3"
        ])
      })
    ))

  it("starts at the requested page, with the requested projection", () =>
    withService([page("a"), page()], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url), ({ details }) =>
          Stream.runDrain(details.all({ page: 7, projection: "all-ids" }))
        )
        expect(service.requests.map(({ url }) => url)).toEqual([
          "/chemical/all?next=7&projection=all-ids",
          "/chemical/all?next=8&projection=all-ids"
        ])
      })
    ))

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])("refuses to start at page %d without a request", (start) =>
    withService([page()], (service) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          withClient(settings(service.url), ({ details }) => Stream.runDrain(details.all({ page: start })))
        )
        expect(String(error)).toContain("it must be a whole number from 1 to 2147483647")
        expect(service.requests).toEqual([])
      })
    )
  )

  it("requests the last page that there can be", () =>
    withService([page()], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url), ({ details }) =>
          Stream.runDrain(details.all({ page: 2 ** 31 - 1 }))
        )
        expect(service.requests.map(({ url }) => url)).toEqual([`/chemical/all?next=${2 ** 31 - 1}`])
      })
    ))

  it("requests a page when the page before it is consumed", () =>
    withService([page("a", "b"), page("c"), page()], (service) =>
      Effect.gen(function* () {
        const ids = yield* withClient(settings(service.url), ({ details }) =>
          details.all().pipe(Stream.take(2), Stream.runCollect)
        )
        expect(ids).toHaveLength(2)
        expect(service.requests).toHaveLength(1)
      })
    ))

  it("fails when a page fails, after the records before it", () =>
    withService([page("a"), Scripted.reply(500, "", {})], ({ url }) =>
      Effect.gen(function* () {
        const ids: Array<string> = []
        const error = yield* withClient(settings(url), ({ details }) =>
          details.all().pipe(
            Stream.runForEach(({ dtxsid }) => Effect.sync(() => ids.push(dtxsid))),
            Effect.flip
          )
        )
        expect(ids).toEqual(["a"])
        expect(error).toMatchObject({ _tag: "ServiceFailure", endpoint: "details.all" })
      })
    ))

  it("fails when the service repeats a page, and names the setting pageParameter", () =>
    withService([page("a", "b")], (service) =>
      Effect.gen(function* () {
        const result = yield* withClient(settings(service.url), ({ details }) =>
          Effect.result(Stream.runDrain(details.all()))
        )
        expect(result).toMatchObject({
          failure: {
            _tag: "MalformedResponse",
            endpoint: "details.all",
            attempts: 1,
            message: expect.stringContaining("pageParameter")
          }
        })
        expect(service.requests).toHaveLength(2)
      })
    ))
})

describe("the page parameter", () => {
  it("has the configured name", () =>
    withService([page()], (service) =>
      Effect.gen(function* () {
        yield* withClient(settings(service.url, { pageParameter: "pageNumber" }), ({ details }) =>
          Effect.all([details.page(2, { projection: "all-ids" }), details.page()])
        )
        expect(service.requests.map(({ url }) => url)).toEqual([
          "/chemical/all?pageNumber=2&projection=all-ids",
          "/chemical/all?pageNumber=1"
        ])
      })
    ))

  it.each(["", "a b", "a&b", "projection"])("cannot be %j", (pageParameter) =>
    Effect.gen(function* () {
      const result = yield* Effect.result(
        withClient(settings("http://127.0.0.1:9", { pageParameter }), () => Effect.void)
      )
      expect(Result.isFailure(result) && result.failure).toMatchObject({
        _tag: "InvalidOption",
        option: "pageParameter"
      })
    }).pipe(Effect.runPromise)
  )
})

describe("the stream of pages with a cursor", () => {
  const envelope = (next: number, ...ids: ReadonlyArray<number>): Scripted.Responder =>
    Scripted.reply(
      200,
      JSON.stringify({ size: 2, total: 9, next, data: ids.map((id) => ({ id, dtxsid: `s${id}` })) })
    )
  const read = (responders: ReadonlyArray<Scripted.Responder>) =>
    withService(responders, (service) =>
      Effect.gen(function* () {
        const ids = yield* withClient(settings(service.url, { dialect: "ctx" }), ({ details }) =>
          details.all().pipe(
            Stream.map(({ dtxsid }) => dtxsid),
            Stream.runCollect
          )
        )
        return { ids, requests: service.requests.map(({ url }) => url.replace("/chemical/all?", "")) }
      })
    )

  it("follows the cursor until the empty page, whose cursor is 1", async () => {
    expect(await read([envelope(20, 3, 20), envelope(25, 25), envelope(1)])).toEqual({
      ids: ["s3", "s20", "s25"],
      requests: ["next=0", "next=20", "next=25"]
    })
  })

  it("continues after the largest identifier when the cursor restarts too early", async () => {
    expect(await read([envelope(1, 20, 3), envelope(1, 25), envelope(1)])).toEqual({
      ids: ["s20", "s3", "s25"],
      requests: ["next=0", "next=20", "next=25"]
    })
  })

  it("ends after a page whose cursor does not grow", async () => {
    const noIds = Scripted.reply(200, JSON.stringify({ next: 1, data: [{ dtxsid: "s3" }] }))
    expect(await read([noIds])).toEqual({ ids: ["s3"], requests: ["next=0"] })
  })

  it("has records without the envelope in a call for one page", () =>
    withService([envelope(20, 3)], ({ url }) =>
      Effect.gen(function* () {
        const page = yield* withClient(settings(url), ({ details }) =>
          Effect.map(details.page(), ({ records }) => records)
        )
        expect(page).toEqual([{ id: 3, dtxsid: "s3" }])
      })
    ))
})
