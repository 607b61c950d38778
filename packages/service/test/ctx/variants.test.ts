/** Every variant of the public service, with the effect of each value. */
import { Dialect } from "@chemstream/api"
import { Variants } from "@chemstream/service"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { run } from "../testService.ts"
import { a, b, publicServices, requestValue, unknown } from "./substances.ts"

const makeService = publicServices()

type Case = readonly [target: string, body: unknown, status: number, value: unknown, type?: string]

const synonyms = `/chemical/synonym/search/by-dtxsid/${a}`
const data = "/bioactivity/data/search/by-m4id"
const detail = "/chemical/detail/search/by-dtxsid/"
const equal = "/chemical/search/equal/"
const byMass = "/chemical/msready/search/by-mass/"
const aed = "/bioactivity/data/aed/search/by-dtxsid"
const tissue = `/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}`
const endpoint = "/bioactivity/data/summary/search/by-aeid"
const ids = (count: number) => Array.from({ length: count }, (_, n) => `DTXSID${n}`)

const cases: {
  readonly [N in Exclude<Variants.Name, "json" | "connection">]: Readonly<Record<string, ReadonlyArray<Case>>>
} = {
  synonyms: {
    "2026": [
      [synonyms, undefined, 200, { other: ["28106-82-3"], deleted: ["1107700"], beilstein: ["another name"] }]
    ],
    "2024": [
      [
        synonyms,
        undefined,
        200,
        {
          other: ["another name"],
          deletedCasrn: ["28106-82-3"],
          beilstein: ["1107700"],
          alternateCasrn: ["27360-89-0"],
          pcCode: "999"
        }
      ]
    ],
    repaired: [
      [
        synonyms,
        undefined,
        200,
        { other: ["another name"], deleted: ["28106-82-3"], beilstein: ["1107700"], pcCode: ["999"] }
      ]
    ]
  },
  data: {
    "2025": [[`${data}/10`, undefined, 200, [{ concMax: 100, mc3Param: { conc: [0.1, 1, 100] } }]]],
    "2024": [
      [
        `${data}/10`,
        undefined,
        200,
        [{ logcMax: 2, maxMedConc: 1, nmedGtbl: 4, tmpi: 9, mc3Param: { logc: [-1, 0, 2] } }]
      ],
      [
        `${data}/20`,
        undefined,
        200,
        [{ logcMax: 2, logcMin: -1, maxMedConc: 1, nmedGtbl: 1, mc3Param: { logc: [-1, 2] } }]
      ]
    ]
  },
  single: {
    array: [[`${data}/1`, undefined, 200, []]],
    object: [
      [`${data}/10`, undefined, 200, { m4id: 10 }],
      [`${data}/1`, undefined, 200, ""],
      [`${endpoint}/704`, undefined, 200, { aeid: 704 }],
      [`${endpoint}/1`, undefined, 200, ""]
    ]
  },
  aedPath: {
    slash: [
      [`${aed}/`, [a], 200, [{ dtxsid: a }]],
      [aed, [a], 404, { status: 404 }]
    ],
    none: [
      [`${aed}/`, [a], 404, { status: 404 }],
      [aed, [a], 200, [{ dtxsid: a }]]
    ],
    either: [
      [`${aed}/`, [a], 200, [{ dtxsid: a }]],
      [aed, [a], 200, [{ dtxsid: a }]]
    ]
  },
  id: {
    number: [[`${detail}${a}`, undefined, 200, { id: 20182 }]],
    text: [[`${detail}${a}`, undefined, 200, { id: "20182" }]]
  },
  misses: {
    "400": [[`${detail}${unknown}`, undefined, 400, { status: 400 }]],
    "404": [
      [
        `${detail}${unknown}`,
        undefined,
        404,
        { status: 404, detail: `dtxsid with value ${unknown} not found.` }
      ]
    ],
    empty: [
      [`${detail}${unknown}`, undefined, 200, ""],
      [`/chemical/synonym/search/by-dtxsid/${unknown}`, undefined, 200, ""]
    ]
  },
  errors: {
    mixed: [[`${data}/x`, undefined, 400, { error: "Bad Request" }]],
    problem: [
      [`${data}/x`, undefined, 400, { type: "about:blank", title: "Bad Request", instance: `${data}/x` }]
    ],
    plain: [[`${detail}${unknown}`, undefined, 400, { error: "Bad Request", path: `${detail}${unknown}` }]]
  },
  tooMany: {
    "2025": [
      [
        detail,
        ids(1001),
        400,
        { detail: "System supports only '1000' '1001' at one time, 'dtxsid' are submitted." }
      ],
      [detail, ids(1000), 200, []]
    ],
    documented: [
      [
        detail,
        ids(1001),
        400,
        {
          title: "Validation Error",
          detail: "System supports requests of '1000' DTXSIDs at one time, '1001' are submitted."
        }
      ]
    ],
    next: [[detail, ids(1001), 400, { violations: ["Batch exceeded maximum configured size (1000)"] }]]
  },
  dataLimit: {
    "500": [
      [
        `${data}/`,
        Array.from({ length: Dialect.bioactivityBatchLimit + 1 }, (_, n) => n),
        500,
        { status: 500 }
      ],
      [
        `${data}/`,
        Array.from({ length: Dialect.bioactivityBatchLimit }, (_, n) => n),
        200,
        [{ m4id: 10 }, { m4id: 20 }, { m4id: 30 }]
      ]
    ],
    none: [
      [`${data}/`, Array.from({ length: 300 }, (_, n) => n), 200, [{ m4id: 10 }, { m4id: 20 }, { m4id: 30 }]]
    ]
  },
  emptyBatch: {
    list: [[detail, [], 200, []]],
    refused: [[detail, [], 400, { status: 400 }]]
  },
  tissue: {
    list: [[tissue, undefined, 200, []]],
    refused: [[tissue, undefined, 400, { status: 400, error: "Bad Request" }]]
  },
  ppm: {
    cut: [[byMass, { masses: [228.1155], error: 2.7 }, 200, { "228.1155": [] }]],
    refused: [
      [byMass, { masses: [228.1155], error: 2.7 }, 400, { status: 400 }],
      [byMass, { masses: [228.1155], error: 3 }, 200, { "228.1155": [a] }]
    ]
  },
  echo: {
    normalised: [[equal, "bisphenol-a", 200, [{ searchValue: "BISPHENOL A" }], "text/plain"]],
    sent: [[equal, "bisphenol-a", 200, [{ searchValue: "bisphenol-a" }], "text/plain"]]
  },
  match: {
    best: [[equal, "another name", 200, [{ dtxsid: b }], "text/plain"]],
    worst: [[equal, "another name", 200, [{ dtxsid: a }], "text/plain"]]
  },
  listEnd: {
    restart: [["/chemical/all?next=2", undefined, 200, { next: 1, data: [] }]],
    stay: [["/chemical/all?next=2", undefined, 200, { next: 2, data: [] }]]
  }
}

const services = new Map<string, ReturnType<typeof makeService>>(
  Object.entries(cases).flatMap(([name, values]) =>
    Object.keys(values).map((value) => [`${name}=${value}`, makeService({ [name]: value })])
  )
)

describe("a variant of the public service", () => {
  it.each(
    Object.entries(cases).flatMap(([name, values]) =>
      Object.entries(values).flatMap(([value, requests]) =>
        requests.map(([target, body, status, expected, type]) => ({
          variant: `${name}=${value}`,
          target,
          body,
          status,
          expected,
          type
        }))
      )
    )
  )("$variant changes the response to $target", ({ body, expected, status, target, type, variant }) =>
    run(
      Effect.gen(function* () {
        const service = yield* services.get(variant) ?? Effect.die(variant)
        const response = yield* requestValue(service, target, body, type)
        expect(response.status).toBe(status)
        expect({ value: response.value }).toMatchObject({ value: expected })
      })
    )
  )

  it("is covered with each of its values", () => {
    const { connection: _, json: __, ...others } = Variants.variants
    expect(
      Object.fromEntries(Object.entries(cases).map(([name, values]) => [name, Object.keys(values).sort()]))
    ).toEqual(
      Object.fromEntries(Object.entries(others).map(([name, { values }]) => [name, [...values].sort()]))
    )
  })

  const compact = makeService({ json: "compact" })
  it("can leave out white space", () =>
    run(
      Effect.gen(function* () {
        const { text } = yield* requestValue(yield* compact, `${detail}${a}?projection=compact`)
        expect(text).toBe(`{"dtxsid":"${a}","casrn":"80-05-7","preferredName":"Bisphenol A"}`)
      })
    ))

  it("is parsed from NAME=VALUE", () => {
    expect(Variants.parse("synonyms=2024")).toEqual({ synonyms: "2024" })
    expect(["", "x=1", "synonyms", "synonyms=", "synonyms=1999", "toString=1"].map(Variants.parse)).toEqual(
      Array.from({ length: 6 }, () => undefined)
    )
  })
})
