// Tests the sources of a harvest: their identifiers with their lines, their descriptions, and the errors that name the place.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { Identifiers } from "@chemstream/stream"
import { Source } from "@chemstream/workflow"
import { Effect, Layer, Logger, Redacted, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { describe, expect, it, onTestFinished } from "vitest"

const inFolder = (name: string, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-source-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const read = <E>({ identifiers }: Source.Source<E>) => Effect.runPromise(Stream.runCollect(identifiers))

const errorOf = <E>({ identifiers }: Source.Source<E>) =>
  Effect.runPromise(Effect.flip(Stream.runDrain(identifiers)))

/** Reads a source of a service that responds to each path. Returns the identifiers or the error, and the log. */
const readFrom = async <E>(
  source: Source.Source<E, ChemClient.ChemClient>,
  respond: (url: URL) => Response
) => {
  const log: Array<unknown> = []
  const http = HttpClient.make((request, url) =>
    Effect.sync(() => HttpClientResponse.fromWeb(request, respond(url)))
  )
  const result = await Stream.runCollect(source.identifiers).pipe(
    Effect.match({
      onSuccess: (identifiers) => ({ identifiers, error: undefined }),
      onFailure: (error) => ({ identifiers: undefined, error })
    }),
    Effect.provide(
      ChemClient.layer({
        baseUrl: "http://service",
        apiKey: Redacted.make("a-key"),
        retry: RetryPolicy.make({ attempts: 1 })
      }).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, http)))
    ),
    Effect.provide(Logger.layer([Logger.make(({ message }) => log.push(message))])),
    Effect.runPromise
  )
  return { ...result, log: log.flat() }
}

describe("a source", () => {
  it("of a list or a file has the lines of its identifiers, and can be read again", async () => {
    const file = Source.file(inFolder("ids.txt", "# a comment\nA\n\n B \nA\n"))
    const list = Source.list(["A", "B"])
    expect(await read(list)).toEqual([
      { text: "A", line: 1 },
      { text: "B", line: 2 }
    ])
    expect(list).toMatchObject({ description: "a list of 2", isStable: true })
    for (const _ of [1, 2])
      expect((await read(file)).map(({ line, text }) => [line, text])).toEqual([
        [2, "A"],
        [4, "B"],
        [5, "A"]
      ])
    expect(file.isStable).toBe(true)
    expect([list.isListing, file.isListing]).toEqual([undefined, undefined])
  })

  it("of NDJSON has the texts and numbers of a field, and its description", async () => {
    const file = inFolder("ids.ndjson", '{"id":"A","n":1}\n{"n":2.0,"id":7}\n')
    expect(await read(Source.ndjson(file, "id"))).toEqual([
      { text: "A", line: 1 },
      { text: "7", line: 2 }
    ])
    expect(Source.ndjson(file, "id")).toMatchObject({ description: `id of ${file}`, isStable: true })
  })

  it.each(["{}", '{"id":null}', '{"id":["A"]}', '{"id":true}'])(
    "of NDJSON names the line of an object whose field has no text: %s",
    async (object) => {
      const file = inFolder("ids.ndjson", `{"id":"A"}\n${object}\n`)
      expect(await errorOf(Source.ndjson(file, "id"))).toMatchObject({
        _tag: "SourceError",
        source: "id",
        message: 'the object in line 2 has no text in the field "id"'
      })
    }
  )

  it("of a file that cannot be read names the file and the reason", async () => {
    const absent = join(inFolder("other.txt", ""), "absent.txt")
    const error = await errorOf(Source.file(absent))
    expect(error).toMatchObject({ _tag: "SourceError", source: absent })
    expect(error.message).toContain(`cannot read ${absent}: ENOTDIR`)
    expect((await errorOf(Source.ndjson(absent, "id"))).message).toContain(`cannot read ${absent}`)
  })

  it("of a stream cannot be read again", () => {
    expect(Source.stream("standard input", Identifiers.fromIterable(["A"]))).toMatchObject({
      description: "standard input",
      isStable: false
    })
  })
})

describe("a source of a search", () => {
  const hits = (...ids: ReadonlyArray<string>) =>
    new Response(JSON.stringify(ids.map((dtxsid) => ({ dtxsid, searchName: "Synonym", rank: 13 }))), {
      headers: { "content-type": "application/json" }
    })

  it("has the hits of each word in order, numbered through, and none of a word without hits", async () => {
    const source = Source.search("contain", ["phen", "xyzzy", "meth"])
    const { identifiers, log } = await readFrom(source, ({ pathname }) => {
      if (pathname.endsWith("/contain/phen")) return hits("DTXSID1", "DTXSID2")
      return pathname.endsWith("/contain/meth") ? hits("DTXSID3") : noHits()
    })
    expect(identifiers).toEqual([
      { text: "DTXSID1", line: 1 },
      { text: "DTXSID2", line: 2 },
      { text: "DTXSID3", line: 3 }
    ])
    expect(log).toEqual([])
    expect(source).toMatchObject({
      description: "a search: contain phen, xyzzy, meth",
      isStable: false,
      isListing: true
    })
  })

  const noHits = () =>
    new Response(
      JSON.stringify({
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        detail: "none",
        suggestions: []
      }),
      { status: 400, headers: { "content-type": "application/problem+json" } }
    )

  it.each(["contain", "startWith", "equal"] as const)("requests the path of %s", async (how) => {
    const paths: Array<string> = []
    await readFrom(Source.search(how, ["a b"]), ({ pathname }) => {
      paths.push(pathname)
      return hits("DTXSID1")
    })
    const path = { contain: "contain", startWith: "start-with", equal: "equal" }[how]
    expect(paths).toEqual([`/chemical/search/${path}/a%20b`])
  })

  it("warns of a search that is truncated, and has the hits that were sent", async () => {
    const { identifiers, log } = await readFrom(Source.search("contain", ["phen"]), () => {
      const response = hits("DTXSID1")
      response.headers.set("x-total-capped", "true")
      return response
    })
    expect(identifiers).toEqual([{ text: "DTXSID1", line: 1 }])
    expect(log).toContain("the search for phen is truncated: the service has more hits than it sent")
  })

  it("fails with the word of a search that failed", async () => {
    const { error } = await readFrom(Source.search("equal", ["one", "two"]), ({ pathname }) =>
      pathname.endsWith("/one")
        ? hits("DTXSID1")
        : new Response("[", { status: 200, headers: { "content-type": "application/json" } })
    )
    expect(error).toMatchObject({ _tag: "SourceError", source: "two" })
    expect((error as Source.SourceError).message).toMatch(/^the search for two failed: ./)
  })
})

it("the source of all chemicals has their DTXSIDs, page by page", async () => {
  const source = Source.all()
  const { identifiers } = await readFrom(source, ({ searchParams }) => {
    const ids = searchParams.get("next") === "1" ? ["DTXSID1", "DTXSID2"] : []
    return new Response(JSON.stringify(ids.map((dtxsid) => ({ dtxsid, dtxcid: null }))), {
      headers: { "content-type": "application/json" }
    })
  })
  expect(identifiers).toEqual([
    { text: "DTXSID1", line: 1 },
    { text: "DTXSID2", line: 2 }
  ])
  expect(source).toMatchObject({ description: "all chemicals", isStable: false, isListing: true })
})
