import { Readable } from "node:stream"
import { createClient } from "@chemstream/client"
import { Chemstream, createChemstream, Details, Enrich, Ledger, type Progress } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { collect, type ManualService, record, start, startWithRecords } from "./streamService.ts"

const idOf = (index: number): string => `DTXSID${1_000_000 + index}`

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => idOf(index))

/** A service that knows all identifiers but the second. */
const startLacking = (): Promise<ManualService> =>
  start((ids) => ({
    status: 200,
    body: `[${ids
      .filter((id) => id !== idOf(1))
      .map(record)
      .join(",")}]`
  }))

const told = ({
  _tag,
  id,
  line
}: {
  _tag: string
  id: string | undefined
  line?: number | undefined
}): string => `${_tag} ${id} ${line}`

const endpoint = "details.byDtxsid"

describe("A run of createChemstream", () => {
  it("returns one outcome for each identifier, with records as objects, and its ledger adds up", async () => {
    await using service = await startLacking()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup([idOf(0), idOf(1), "?", idOf(0), idOf(2)], { endpoint, batchSize: 2 })
    const outcomes = await collect(run)
    expect(outcomes.map(told)).toEqual([
      `Found ${idOf(0)} 1`,
      `Missing ${idOf(1)} 2`,
      "Invalid ? 3",
      `Found ${idOf(2)} 5`
    ])
    expect(outcomes[0]).toMatchObject({ records: [{ dtxsid: idOf(0), mass: 1.1 }] })
    expect(run.ledger).toMatchObject({ read: 5, found: 2, missing: 1, invalid: 1, duplicates: 1 })
    expect(Ledger.sum(run.ledger)).toBe(run.ledger.read)
  })

  it("sends nothing until it is iterated, and each iteration is a new run", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(idsOf(3), { endpoint })
    await service.waitForQuiet()
    expect(service.requests).toEqual([])
    expect((await collect(run)).length).toBe(3)
    expect((await collect(run)).length).toBe(3)
    expect(service.requests.length).toBe(2)
    expect(run.ledger.read).toBe(3)
  })

  const text = `${idOf(0)}\n# a comment\n${idOf(2)}\n`
  const sources: ReadonlyArray<readonly [string, () => Chemstream.Ids<string> | Chemstream.Ids<Uint8Array>]> =
    [
      ["a set", () => new Set([idOf(0), idOf(2)])],
      [
        "an async iterable",
        async function* () {
          yield* [idOf(0), idOf(2)]
        }
      ],
      ["a Node stream of strings", () => Readable.from([idOf(0), idOf(2)])],
      ["a Node stream of bytes", () => Readable.from([Buffer.from(text)])],
      [
        "a web stream of strings",
        () => Readable.toWeb(Readable.from([idOf(0), idOf(2)])) as ReadableStream<string>
      ],
      ["a web stream of bytes", () => new Blob([text]).stream()]
    ]
  it.each(sources)("reads identifiers of %s", async (_, source) => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const outcomes = await collect(chemstream.lookup(source() as Chemstream.Ids<string>, { endpoint }))
    expect(outcomes.map(({ _tag, id }) => `${_tag} ${id}`)).toEqual([`Found ${idOf(0)}`, `Found ${idOf(2)}`])
  })

  it("returns the carried data of an item with its outcome", async () => {
    await using service = await startLacking()
    await using chemstream = await createChemstream(service.client)
    const rows = [{ peak: 7, id: idOf(0) }, { peak: 8, id: idOf(1) }, { peak: 9 }]
    const run = chemstream.lookup(rows, { endpoint, id: (row) => row.id, carried: (row) => row.peak })
    const outcomes = await collect(run)
    expect(outcomes.map(({ _tag, carried }) => [_tag, carried])).toEqual([
      ["Found", 7],
      ["Missing", 8],
      ["Invalid", 9]
    ])
  })

  it("returns found records, and passes other outcomes to onProblem", async () => {
    await using service = await startLacking()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(idsOf(3), { endpoint })
    const problems: Array<string> = []
    const records = await collect(run.records((problem) => problems.push(told(problem))))
    expect(records.map(({ dtxsid }) => dtxsid)).toEqual([idOf(0), idOf(2)])
    expect(problems).toEqual([`Missing ${idOf(1)} 2`])
    expect((await collect(run.records())).length).toBe(2)
  })

  it("throws a `Rejection`, whose tag says what to do", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const adviceOf = (error: Chemstream.Rejection): string => {
      switch (error._tag) {
        case "InvalidChunk":
          return "pass a list"
        case "InvalidOption":
          return `correct ${error.option}`
        default:
          return error.message
      }
    }
    const mistakes = [
      [["a"], { endpoint: "details.byDtxsit" }],
      [Promise.resolve([]), { endpoint }]
    ] as never as ReadonlyArray<Parameters<typeof chemstream.lookup>>
    const advice: Array<string> = []
    for (const [ids, options] of mistakes)
      await collect(chemstream.lookup(ids as never, options)).catch((error) => advice.push(adviceOf(error)))
    expect(advice).toEqual(["correct endpoint", "pass a list"])
  })

  it("looks up the identifiers before a failure of the input, and then throws it", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const broken = new Error("the table ends within a row")
    const rows = async function* () {
      yield* idsOf(3)
      throw broken
    }
    for (const ordered of [true, false]) {
      const run = chemstream.lookup(rows(), { endpoint, ordered })
      const records: Array<string> = []
      const failure = await (async () => {
        for await (const { dtxsid } of run.records()) records.push(dtxsid)
      })().catch((error: unknown) => error)
      expect(failure).toBe(broken)
      expect(records).toEqual(idsOf(3))
    }
  })

  it("looks up both parts of an enrichment for the identifiers before a failure of the input", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const broken = new Error("the table ends within a row")
    const rows = async function* () {
      yield* idsOf(3)
      throw broken
    }
    const compact = Details.byDtxsid({ projection: "compact" })
    const both = Enrich.lookup({ one: compact, other: Details.byDtxsid() })
    const found: Array<unknown> = []
    const failure = await (async () => {
      for await (const outcome of chemstream.lookup(rows(), { endpoint: both })) found.push(outcome._tag)
    })().catch((error: unknown) => error)
    expect(failure).toBe(broken)
    expect(found).toEqual(["Found", "Found", "Found"])
  })

  it("returns the records of a batch before the error of an onProblem", async () => {
    await using service = await startLacking()
    await using chemstream = await createChemstream(service.client)
    const unexpected = new Error("every identifier must exist")
    const records: Array<string> = []
    const failure = await (async () => {
      const run = chemstream.lookup(idsOf(3), { endpoint })
      for await (const { dtxsid } of run.records(() => Promise.reject(unexpected))) records.push(dtxsid)
    })().catch((error: unknown) => error)
    expect(failure).toBe(unexpected)
    expect(records).toEqual([idOf(0), idOf(2)])
  })

  it("returns found records as the lines that the service sent", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const lines = await collect(chemstream.lookup(idsOf(2), { endpoint }).lines())
    expect(Buffer.concat(lines).toString()).toBe(`${record(idOf(0))}\n${record(idOf(1))}\n`)
  })

  it("cancels the requests in flight when the loop is left", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(idsOf(3), { endpoint, batchSize: 1, concurrency: 3 })
    const left = (async () => {
      for await (const _ of run) break
    })()
    await service.waitForRequests(3)
    service.requests[0]?.respond()
    await left
    expect(await Promise.all(service.requests.map(({ closed }) => closed))).toEqual([
      "sent",
      "disconnected",
      "disconnected"
    ])
  })

  it("throws the reason of its signal, and cancels the requests in flight", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const stop = new AbortController()
    const run = chemstream.lookup(idsOf(2), { endpoint, batchSize: 1, signal: stop.signal })
    const ended = expect(collect(run)).rejects.toThrow("enough")
    await service.waitForRequests(2)
    stop.abort(new Error("enough"))
    await ended
    expect(await Promise.all(service.requests.map(({ closed }) => closed))).toEqual([
      "disconnected",
      "disconnected"
    ])
  })

  it("stops in order when its `stop` aborts: the outcomes of requests in flight come before the reason", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const stop = new AbortController()
    const run = chemstream.lookup(idsOf(4), { endpoint, batchSize: 1, concurrency: 2, stop: stop.signal })
    const seen: Array<string> = []
    const loop = async (): Promise<void> => {
      for await (const outcome of run) seen.push(outcome._tag)
    }
    const ended = expect(loop()).rejects.toThrow("enough")
    await service.waitForRequests(2)
    stop.abort(new Error("enough"))
    for (const request of service.requests) request.respond()
    await ended
    expect(seen).toEqual(["Found", "Found"])
    expect(service.requests).toHaveLength(2)
    await expect(collect(run)).rejects.toThrow("enough")
  })

  it("runs the loop no further when its signal aborts, although outcomes of the batch have arrived", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    for (const of of ["outcomes", "records"] as const) {
      const stop = new AbortController()
      const run = chemstream.lookup(idsOf(1000), { endpoint, signal: stop.signal })
      let seen = 0
      const loop = async (): Promise<void> => {
        for await (const _ of of === "outcomes" ? run : run.records()) {
          if (++seen === 10) stop.abort(new Error("enough"))
        }
      }
      await expect(loop()).rejects.toThrow("enough")
      expect(seen).toBe(10)
    }
  })

  it("runs the loop no further when the client closes", async () => {
    await using service = await startWithRecords()
    const chemstream = await createChemstream(service.client)
    let seen = 0
    const loop = async (): Promise<void> => {
      for await (const _ of chemstream.lookup(idsOf(1000), { endpoint })) {
        if (++seen === 10) await chemstream.close()
      }
    }
    await expect(loop()).rejects.toMatchObject({ _tag: "ClientClosed" })
    expect(seen).toBe(10)
    await expect(chemstream.client.details.byDtxsid(idOf(0))).rejects.toMatchObject({
      _tag: "ClientClosed",
      message: "the client is closed: make another one with createClient"
    })
  })

  it("reports its progress from the beginning to the end, with the length of an array", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const seen: Array<Progress.Snapshot> = []
    const progress = (snapshot: Progress.Snapshot): unknown => seen.push(snapshot)
    await collect(chemstream.lookup(idsOf(5), { endpoint, batchSize: 1, progress }))
    expect(seen[0]).toMatchObject({ done: 0, total: 5 })
    expect(seen.at(-1)).toMatchObject({ done: 5, total: 5 })
  })

  it("measures time and rate from its first snapshot, in each iteration anew", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    let seen: Array<Progress.Snapshot> = []
    let enough = (): void => {}
    const report = (snapshot: Progress.Snapshot): void => {
      if (seen.push(snapshot) === 4) enough()
    }
    const run = chemstream.lookup(idsOf(2), { endpoint, progress: { report, every: 5 } })
    for (const iteration of [1, 2]) {
      seen = []
      const reported = new Promise<void>((resolve) => {
        enough = resolve
      })
      const ended = collect(run)
      await Promise.all([service.waitForRequests(iteration), reported])
      service.requests[iteration - 1]?.respond()
      await ended
      expect(seen[0]).toMatchObject({ done: 0, elapsed: 0, rate: 0, remaining: undefined })
      // Three times 5 milliseconds, of which a timer may leave out one.
      expect(seen[3]?.elapsed).toBeGreaterThanOrEqual(12)
      expect(seen.map(({ elapsed }) => elapsed)).toEqual(
        seen.map(({ elapsed }) => elapsed).toSorted((one, other) => one - other)
      )
      const { elapsed = 0, rate } = seen.at(-1) ?? {}
      expect(seen.at(-1)).toMatchObject({ done: 2, remaining: 0 })
      expect(rate).toBeCloseTo(2000 / elapsed)
    }
  })

  it("reports at the end also if it fails, and throws its own error if that report throws, too", async () => {
    await using service = await start((ids) =>
      ids.includes(idOf(1)) ? { status: 401, body: "{}" } : { status: 200, body: `[${ids.map(record)}]` }
    )
    await using chemstream = await createChemstream(service.client)
    for (const isBroken of [false, true]) {
      const done: Array<number> = []
      const report = (snapshot: Progress.Snapshot): void => {
        done.push(snapshot.done)
        if (isBroken && done.length > 1) throw new Error("no terminal")
      }
      const options = {
        endpoint,
        batchSize: 1,
        concurrency: 1,
        progress: { report, every: "1 hour" }
      } as const
      await expect(collect(chemstream.lookup(idsOf(3), options))).rejects.toMatchObject({
        _tag: "Unauthorized"
      })
      expect(done).toEqual([0, 1])
    }
  })

  it.each([
    ["the length of an array", idsOf(3), {}, 3],
    ["the total in the options", idsOf(3), { total: 9 }, 9],
    ["none for another iterable", new Set(idsOf(3)), {}, undefined],
    ["the total in the options, for another iterable", new Set(idsOf(3)), { total: 3 }, 3]
  ])("reports as its total %s", async (_, ids, options, total) => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const totals = new Set<number | undefined>()
    const report = (snapshot: Progress.Snapshot): unknown => totals.add(snapshot.total)
    await collect(chemstream.lookup(ids, { endpoint, progress: { ...options, report } }))
    expect([...totals]).toEqual([total])
  })

  it.each([
    ["often", 'The option progress is "often". Give a function or an object with total, every, report.'],
    [{}, "The option progress.report is missing. Give a function."],
    [{ report: 5 }, "The option progress.report is 5. Give a function."]
  ])("refuses the progress %j, and says what it may be", async (progress, message) => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(idsOf(1), { endpoint, progress: progress as never })
    await expect(collect(run)).rejects.toMatchObject({ _tag: "InvalidOption", message })
    expect(service.requests).toEqual([])
  })

  it("fails with the error that the report of progress throws", async () => {
    await using service = await start()
    await using chemstream = await createChemstream(service.client)
    const progress = (): never => {
      throw new Error("no terminal")
    }
    await expect(collect(chemstream.lookup(idsOf(1), { endpoint, progress }))).rejects.toThrow("no terminal")
  })

  it("throws the error that stops it, after the outcomes before the error", async () => {
    await using service = await start((ids) =>
      ids.includes(idOf(1))
        ? { status: 401, body: "{}" }
        : { status: 200, body: `[${ids.map(record).join()}]` }
    )
    await using chemstream = await createChemstream(service.client)
    const seen: Array<string> = []
    const reading = async (): Promise<void> => {
      const run = chemstream.lookup(idsOf(3), { endpoint, batchSize: 1, concurrency: 1 })
      for await (const { _tag } of run) seen.push(_tag)
    }
    await expect(reading()).rejects.toMatchObject({ _tag: "Unauthorized" })
    expect(seen).toEqual(["Found"])
  })

  it("throws the error of its input", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const broken = async function* (): AsyncGenerator<string> {
      yield idOf(0)
      throw new Error("the disk is gone")
    }
    await expect(collect(chemstream.lookup(broken(), { endpoint }))).rejects.toThrow("the disk is gone")
  })

  it("refuses a single text, which would be read letter by letter", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const one = idOf(0) as unknown as ReadonlyArray<string>
    await expect(collect(chemstream.lookup(one, { endpoint }))).rejects.toMatchObject({
      _tag: "InvalidChunk"
    })
  })

  it("refuses an invalid option by its name, before any request", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(idsOf(1), { endpoint, concurrency: 0 })
    await expect(collect(run)).rejects.toMatchObject({ _tag: "InvalidOption", option: "concurrency" })
    expect(service.requests).toEqual([])
  })

  it.each<[string, object, object]>([
    [
      "an unknown endpoint",
      { endpoint: "details.byDTXSID" },
      { option: "endpoint", value: "details.byDTXSID", wanted: '"details.byDtxsid"' }
    ],
    ["a misspelt endpoint", { endpont: endpoint }, { option: "endpont", wanted: "endpoint" }],
    ["no endpoint", {}, { option: "endpoint", value: undefined }],
    ["an unknown option", { endpoint, projecton: "compact" }, { option: "projecton", wanted: "projection" }],
    [
      "an unknown projection",
      { endpoint, projection: "compakt" },
      { option: "projection", value: "compakt", wanted: '"compact"' }
    ],
    [
      "an option of another endpoint",
      { endpoint: "search.equal", projection: "compact" },
      { option: "projection" }
    ],
    [
      "an unknown option of a lookup",
      { endpoint: Details.byDtxsid(), batchsize: 2 },
      { option: "batchsize", wanted: "batchSize" }
    ],
    [
      "an unknown part of an option",
      { endpoint, availability: { wiat: 1 } },
      { option: "availability.wiat", wanted: "availability.wait" }
    ]
  ])("refuses %s by name, with the nearest one, before anything is sent", async (_, options, error) => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const expected = { _tag: "InvalidOption", ...error }
    const run = chemstream.lookup(idsOf(1), options as never)
    await expect(collect(run)).rejects.toMatchObject(expected)
    await expect(collect(run.lines())).rejects.toMatchObject(expected)
    expect(service.requests).toEqual([])
  })

  it("says which option is unknown, and which one was most likely meant", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const messageOf = (options: object): Promise<unknown> =>
      collect(chemstream.lookup(idsOf(1), options as never)).catch(({ message }) => message)
    expect(await messageOf({ endpoint, projecton: "compact" })).toBe(
      "The option projecton is unknown. Give projection."
    )
    expect(await messageOf({ endpoint, projection: "compakt" })).toBe(
      'The option projection is "compakt". Give "compact".'
    )
  })

  it("runs any lookup, e.g. several joined into one record", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const endpoint = Enrich.lookup({ details: Details.byDtxsid({ projection: "compact" }) })
    const records = await collect(chemstream.lookup([idOf(0)], { endpoint }).records())
    expect(records).toEqual([{ query: idOf(0), details: { dtxsid: idOf(0), mass: 1.1 } }])
  })

  it("uses an existing client", async () => {
    await using service = await startWithRecords()
    await using client = await createClient(service.client)
    const records = await collect(Chemstream.fromClient(client).lookup(idsOf(2), { endpoint }).records())
    expect(records.length).toBe(2)
  })
})
