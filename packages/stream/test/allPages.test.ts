import { RawRecord } from "@chemstream/ndjson"
import { Details } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

/** Returns the pages of a scripted service, and the result of the run. */
const read = (respond: Respond, options?: Details.AllOptions, most = Number.POSITIVE_INFINITY) =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond)
    const pages: Array<Details.Page> = []
    const result = yield* Details.pages(options).pipe(
      Stream.take(most),
      Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
      Effect.result,
      Effect.provide(client)
    )
    return { pages, error: Result.isFailure(result) ? result.failure : undefined }
  }).pipe(Effect.scoped, Effect.runPromise)

const texts = (pages: ReadonlyArray<Details.Page>) =>
  pages.flatMap(({ records }) => records.map(RawRecord.toText))

/** A list of three pages. */
const list: Respond = ({ url }) => {
  const page = Number(new URL(url, "http://x").searchParams.get("next"))
  return ok(page > 3 ? "[]" : `[{"dtxsid":"${page}a"},{"dtxsid":"${page}b"}]`)
}

describe("Details.pages", () => {
  it("reads pages from the first one requested until an empty one", async () => {
    const urls: Array<string> = []
    const pages = await Effect.gen(function* () {
      const client = yield* clientOf(({ url }) => {
        urls.push(url)
        const page = new URL(url, "http://x").searchParams.get("next")
        return ok(page === "5" ? "[]" : `[{"id":"${page}1"},{"id":"${page}2"}]`)
      })
      return yield* Details.pages({ projection: "all-ids", page: 3 }).pipe(
        Stream.runCollect,
        Effect.provide(client)
      )
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(urls.map((url) => new URL(url, "http://x").searchParams.get("next"))).toEqual(["3", "4", "5"])
    expect(pages.map(({ page, records }) => [page, records.map(RawRecord.toText)])).toEqual([
      [3, ['{"id":"31"}', '{"id":"32"}']],
      [4, ['{"id":"41"}', '{"id":"42"}']]
    ])
  })

  it("resumes at the next page without a gap or a duplicate record", async () => {
    const whole = await read(list)
    expect(whole.pages.map(({ page }) => page)).toEqual([1, 2, 3])
    for (const most of [1, 2, 3]) {
      const first = await read(list, {}, most)
      const rest = await read(list, { page: (first.pages.at(-1)?.page ?? 0) + 1 })
      expect(texts([...first.pages, ...rest.pages])).toEqual(texts(whole.pages))
    }
  })

  it("resumes at the page that failed", async () => {
    const failing: Respond = (asked) =>
      asked.url.includes("next=2") ? { status: 500, body: "" } : list(asked)
    const first = await read(failing)
    expect(first.error).toMatchObject({ _tag: "ServiceFailure", attempts: 2 })
    const rest = await read(list, { page: (first.pages.at(-1)?.page ?? 0) + 1 })
    expect(texts([...first.pages, ...rest.pages])).toEqual(texts((await read(list)).pages))
  })

  it("fails when the service sends the same page again", async () => {
    let requests = 0
    const { error, pages } = await read(
      () => {
        requests++
        return ok('[{"dtxsid":"a"},{"dtxsid":"b"}]')
      },
      { page: 7 }
    )
    expect(pages.map(({ page }) => page)).toEqual([7])
    expect(requests).toBe(2)
    expect(error).toMatchObject({
      _tag: "MalformedResponse",
      endpoint: "details.all",
      attempts: 1,
      message: expect.stringContaining("page 8 begins with the same record as page 7")
    })
  })

  it("sends no request for an invalid page", async () => {
    let requests = 0
    for (const page of [0, -1, 1.5, Number.NaN]) {
      const { error, pages } = await read(
        () => {
          requests++
          return ok("[]")
        },
        { page }
      )
      expect(pages).toEqual([])
      expect(error).toMatchObject({ _tag: "InvalidIdentifier" })
    }
    expect(requests).toBe(0)
  })

  it("requests the projection by its name", async () => {
    const projections: Array<string | null> = []
    for (const projection of [undefined, "standard-2", "all-ids"] as const) {
      await read(
        ({ url }) => {
          projections.push(new URL(url, "http://x").searchParams.get("projection"))
          return ok("[]")
        },
        { projection }
      )
    }
    expect(projections).toEqual([null, null, "all-ids"])
  })
})

describe("Details.pages of a service with cursors", () => {
  const ids = [3, 20, 25, 31, 40]
  const cursors: Respond = ({ url }) => {
    const after = Number(new URL(url, "http://x").searchParams.get("next"))
    const data = ids.filter((id) => id > after).slice(0, 2)
    return ok(JSON.stringify({ size: 2, total: 9, next: data.at(-1) ?? 1, data: data.map((id) => ({ id })) }))
  }

  it("resumes at the cursor of the last page without a gap or a duplicate record", async () => {
    const whole = await read(cursors)
    expect(whole.error).toBeUndefined()
    expect(texts(whole.pages)).toEqual(ids.map((id) => `{"id":${id}}`))
    for (const most of [1, 2, 3]) {
      const first = await read(cursors, {}, most)
      const rest = await read(cursors, { page: first.pages.at(-1)?.next })
      expect(texts([...first.pages, ...rest.pages])).toEqual(texts(whole.pages))
    }
  })

  it.each(["", " ", "\n", "\uFEFF", "\uFEFF "])(
    "has its first record with %j before each body",
    async (before) => {
      const one: Respond = ({ url }) => {
        const after = Number(new URL(url, "http://x").searchParams.get("next"))
        const data = [1, 20].filter((id) => id > after).map((id) => ({ id }))
        return ok(before + JSON.stringify({ size: 2, total: 2, next: 20, data }))
      }
      expect(texts((await read(one)).pages)).toEqual(['{"id":1}', '{"id":20}'])
    }
  )

  it("fails when the body is an object without data", async () => {
    const { error } = await read(() => ok('{"next":1}'))
    expect(error).toMatchObject({ _tag: "MalformedResponse" })
  })
})
