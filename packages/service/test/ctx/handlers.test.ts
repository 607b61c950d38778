/** The handlers of the public service: a known and an unknown value at each of its 33 endpoints. */
import { Dialect, Rows } from "@chemstream/api"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { endpointsOf } from "../../src/internal/http/endpointPaths.ts"
import { run } from "../testService.ts"
import { a, b, publicServices, requestValue, unknown } from "./substances.ts"

const makeService = publicServices()

const service = makeService()

const hit = { dtxsid: a, dtxcid: "DTXCID30182", casrn: "80-05-7", preferredName: "Bisphenol A" }
const miss = {
  type: "about:blank",
  title: "Bad Request",
  status: 400
}
const searchMiss = (kind: string, word: string, path: string) => ({
  ...miss,
  detail: `Searched by ${kind}: Found 0 results for '${word}'.`,
  instance: `/chemical/search/${path}/${word}`
})

const linear = {
  m4id: 10,
  concMax: 100,
  concMin: 0.1,
  maxMedConc: 10,
  maxMeanConc: null,
  nmedGtblPos: 4,
  nmedGtblNeg: null,
  mc3Param: { conc: [0.1, 1, 100], resp: [1, 2.5, 3] }
}
const ofB = { m4id: 30, concMax: null, mc3Param: null }
const aedOf = (dtxsid: string, aenm: string | null) => ({ dtxsid, aeid: 704, aenm })

/** By endpoint: a request (a path, or a path and a body) with its response, for known and for unknown values. */
type Request = readonly [path: string, body?: unknown, type?: string]
const rows: Readonly<Record<string, ReadonlyArray<readonly [Request, unknown, number?]>>> = {
  "details.byDtxsid": [
    [
      [`/chemical/detail/search/by-dtxsid/${a}`],
      { ...hit, id: 20182, toxcastSelect: "236/981", pubchemCount: 7 }
    ],
    [
      [`/chemical/detail/search/by-dtxsid/${b}?projection=compact`],
      { dtxsid: b, casrn: "541-25-3", preferredName: "Lewisite" }
    ],
    [
      [`/chemical/detail/search/by-dtxsid/${unknown}`],
      {
        ...miss,
        detail: `dtxsid with value ${unknown} not found.`,
        instance: `/chemical/detail/search/by-dtxsid/${unknown}`
      },
      400
    ],
    [[`/chemical/detail/search/by-dtxsid/bpa`], { detail: "dtxsid with value bpa not found." }, 400],
    [
      [`/chemical/detail/search/by-dtxsid/${a}?projection=x`],
      { detail: "Failed to convert 'projection' with value: 'x'" },
      400
    ],
    [[`/chemical/detail/search/by-dtxsid/${a}?projection=ccdassaydetails`], { status: 400 }, 400]
  ],
  "details.byDtxsidBatch": [
    [
      ["/chemical/detail/search/by-dtxsid/?projection=compact", [a, unknown, b, a]],
      [{ dtxsid: b }, { dtxsid: a }]
    ],
    [["/chemical/detail/search/by-dtxsid/", [unknown, "DTXCID30182"]], []],
    [["/chemical/detail/search/by-dtxsid/", "[1"], { detail: "Failed to read request" }, 400]
  ],
  "details.byDtxcid": [
    [["/chemical/detail/search/by-dtxcid/DTXCID30182"], hit],
    [["/chemical/detail/search/by-dtxcid/DTXCID1"], { detail: "dtxcid with value DTXCID1 not found." }, 400]
  ],
  "details.byDtxcidBatch": [
    [
      ["/chemical/detail/search/by-dtxcid/", ["DTXCID30182", "DTXCID8034245", "x"]],
      [{ dtxsid: b }, { dtxsid: a }]
    ],
    [["/chemical/detail/search/by-dtxcid/", [a]], []]
  ],
  "details.all": [
    [
      ["/chemical/all?next=0"],
      {
        size: 1000,
        total: 3,
        next: 2,
        data: [
          { id: 1, dtxsid: a },
          { id: 2, dtxsid: b }
        ]
      }
    ],
    [["/chemical/all?projeciton=x"], { next: 2, data: [{ id: 2, averageMass: null }] }],
    [["/chemical/all?next=2"], { size: 1000, total: 3, next: 1, data: [] }]
  ],
  "search.equal": [
    [
      ["/chemical/search/equal/bisphenol%20a"],
      [{ ...hit, searchName: "Approved Name", searchValue: "Bisphenol A", rank: 9 }]
    ],
    [["/chemical/search/equal/80057"], [{ ...hit, searchName: "CASRN", rank: 5 }]],
    [["/chemical/search/equal/IISBACLAFKSPIT-UHFFFAOYSA-N"], [{ ...hit, searchName: "InChIKey", rank: 13 }]],
    [["/chemical/search/equal/gvfds"], searchMiss("Synonym", "gvfds", "equal"), 400],
    [
      ["/chemical/search/equal/80-05-8"],
      { detail: "Searched by CASRN: Found 0 results for '80-05-8'.\nCAS number fails checksum." },
      400
    ],
    [[`/chemical/search/equal/${a}?projection=dtxsidonly`], [{ dtxsid: a }]],
    [
      [`/chemical/search/equal/${a}?projection=x`],
      { detail: `Searched by DTX Substance Id: Found 0 results for '${a}'.` },
      400
    ]
  ],
  "search.startWith": [
    [
      ["/chemical/search/start-with/bisphenol"],
      [
        { dtxsid: a, rank: 9 },
        { dtxsid: b, rank: 11 }
      ]
    ],
    [["/chemical/search/start-with/bisphenol?top=1"], [{ dtxsid: a }]],
    [
      ["/chemical/search/start-with/DTXSID702018"],
      searchMiss("DTX Substance Id", "DTXSID702018", "start-with"),
      400
    ],
    [["/chemical/search/start-with/b?top=x"], { detail: "Failed to convert 'top' with value: 'x'" }, 400]
  ],
  "search.contain": [
    [["/chemical/search/contain/lewis"], [{ dtxsid: b, searchName: "Approved Name" }]],
    [["/chemical/search/contain/bisphenol?top=1"], [{ dtxsid: a }]],
    // A part of an InChIKey that is too short, and its first thirteen characters.
    [["/chemical/search/contain/AFKSPIT"], searchMiss("Synonym", "AFKSPIT", "contain"), 400],
    [["/chemical/search/contain/IISBACLAFKSPI"], [{ dtxsid: a, searchName: "InChIKey" }]]
  ],
  "search.equalBatch": [
    [
      ["/chemical/search/equal/", `${a}\n\nbisphenol-a\r\n${unknown}\n\n`, "text/plain"],
      [
        { dtxsid: a, searchValue: a, isDuplicate: false, searchMsgs: null, suggestions: null },
        { dtxsid: null, searchValue: "" },
        { dtxsid: a, searchValue: "BISPHENOL A", isDuplicate: true },
        {
          dtxsid: null,
          searchValue: unknown,
          searchMsgs: [`Searched by DTX Substance Id: Found 0 results for '${unknown}'.`],
          isDuplicate: false
        }
      ]
    ],
    // An array is not parsed: its line is the value.
    [["/chemical/search/equal/", [a, b]], [{ dtxsid: null, searchValue: `["${a}","${b}"]` }]],
    [["/chemical/search/equal/", ""], { status: 400 }, 400]
  ],
  "search.byExactFormula": [
    [["/chemical/search/by-exact-formula/C15H16O2"], [a, null]],
    [["/chemical/search/by-exact-formula/C9"], []],
    [["/chemical/search/by-exact-formula/no%20formula"], []]
  ],
  "search.byMsreadyFormula": [
    [["/chemical/search/by-msready-formula/C15H16O2"], [a]],
    [["/chemical/search/by-msready-formula/C9"], []]
  ],
  "search.countByExactFormula": [
    [["/chemical/count/by-exact-formula/C15H16O2?projection=count"], 1],
    [["/chemical/count/by-exact-formula/xx"], 0]
  ],
  "search.countByMsreadyFormula": [
    [["/chemical/count/by-msready-formula/C15H16O2"], 1],
    [["/chemical/count/by-msready-formula/C9"], 0]
  ],
  "msready.byDtxcid": [
    [["/chemical/msready/search/by-dtxcid/DTXCID30182"], [a]],
    [["/chemical/msready/search/by-dtxcid/x"], []]
  ],
  "msready.byDtxcidBatch": [
    [["/chemical/msready/search/by-dtxcid/", ["DTXCID30182", "DTXCID30182", "DTXCID1"]], [a]],
    [["/chemical/msready/search/by-dtxcid/", ["DTXCID1"]], []]
  ],
  "msready.byFormula": [
    [["/chemical/msready/search/by-formula/C15H16O2"], [a]],
    [["/chemical/msready/search/by-formula/C9"], []]
  ],
  "msready.byMass": [
    [["/chemical/msready/search/by-mass/228.1/228.2"], [a]],
    [["/chemical/msready/search/by-mass/2/1"], []],
    [["/chemical/msready/search/by-mass/x/1"], { detail: "Failed to convert 'start' with value: 'x'" }, 400]
  ],
  "msready.byMassBatch": [
    [
      ["/chemical/msready/search/by-mass/", { masses: [228, 228.115, 10000000, 228.0], error: 5 }],
      { "228.0": [], "228.115": [a], "1.0E7": [] }
    ],
    // A tolerance in dalton is truncated to 0 ppm.
    [["/chemical/msready/search/by-mass/", { masses: [228.115], error: 0.005 }], { "228.115": [] }],
    [
      ["/chemical/msready/search/by-mass/", { masses: [1] }],
      { violations: { error: "error value couldn't be null" } },
      400
    ],
    [
      ["/chemical/msready/search/by-mass/", { error: 5 }],
      { violations: { masses: "Array of Masses couldn't be empty" } },
      400
    ]
  ],
  "synonyms.byDtxsid": [
    [
      [`/chemical/synonym/search/by-dtxsid/${a}`],
      {
        dtxsid: a,
        valid: ["Bisphenol A"],
        good: ["BPA of 80 %", "Bisphenol-A"],
        other: ["28106-82-3"],
        deleted: ["1107700"],
        beilstein: ["another name"],
        alternate: ["27360-89-0"],
        pcCode: ["999"]
      }
    ],
    [
      [`/chemical/synonym/search/by-dtxsid/${b}?projection=ccd-synonyms`],
      [
        { synonym: "Bisphenol and Lewisite", quality: "good_synonym" },
        { synonym: "another name", quality: "good_synonym" }
      ]
    ],
    [
      [`/chemical/synonym/search/by-dtxsid/${unknown}`],
      { detail: `DTXSID with value ${unknown} not found.` },
      400
    ],
    [[`/chemical/synonym/search/by-dtxsid/${unknown}?projection=ccd-synonyms`], []]
  ],
  "synonyms.byDtxsidBatch": [
    [
      ["/chemical/synonym/search/by-dtxsid/", [a, b, unknown]],
      [{ dtxsid: b, pcCode: null }, { dtxsid: a }]
    ],
    [["/chemical/synonym/search/by-dtxsid/", [unknown]], []]
  ],
  "bioactivity.summaryByTissue": [
    [
      [`/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}&tissue=liver`],
      [
        { continuousHitCall: 0.97 },
        { continuousHitCall: 0.95, ac50: 1.5, intendedTargetFamily: "cytochrome" }
      ]
    ],
    [[`/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}&tissue=Liver`], []],
    [[`/bioactivity/data/summary/search/by-tissue/?dtxsid=${a}`], []]
  ],
  "bioactivity.summaryByDtxsid": [
    [[`/bioactivity/data/summary/search/by-dtxsid/${a}`], [{ dtxsid: a, activeMc: 2, totalMc: 2 }]],
    [[`/bioactivity/data/summary/search/by-dtxsid/${unknown}`], []]
  ],
  "bioactivity.summaryByAeid": [
    [
      ["/bioactivity/data/summary/search/by-aeid/704"],
      [{ aeid: 704, activeMc: 1, totalMc: 2, activeSc: 0, totalSc: 0 }]
    ],
    [["/bioactivity/data/summary/search/by-aeid/1"], []],
    [
      ["/bioactivity/data/summary/search/by-aeid/x"],
      { status: 400, error: "Bad Request", path: "/bioactivity/data/summary/search/by-aeid/x" },
      400
    ]
  ],
  "bioactivity.bySpid": [
    [[`/bioactivity/data/search/by-spid/${encodeURIComponent("S1")}`], [linear]],
    [["/bioactivity/data/search/by-spid/x"], []]
  ],
  "bioactivity.byM4id": [
    [["/bioactivity/data/search/by-m4id/10"], [linear]],
    [["/bioactivity/data/search/by-m4id/1"], []],
    [["/bioactivity/data/search/by-m4id/1e9"], { status: 400, error: "Bad Request" }, 400]
  ],
  "bioactivity.byDtxsid": [
    [
      [`/bioactivity/data/search/by-dtxsid/${a}`],
      [linear, { m4id: 20, concMax: 100, maxMedConc: 10, nmedGtblNeg: 0 }]
    ],
    [
      [`/bioactivity/data/search/by-dtxsid/${a}?projection=${Dialect.plotProjection}`],
      [
        { aeid: "704", hitc: 0.95, ac50: 1.5, topOverCutoff: 2.5 },
        { aeid: "9", hitc: 0.97, ac50: null, topOverCutoff: null }
      ]
    ],
    [[`/bioactivity/data/search/by-dtxsid/${a}?projection=assay-summary-plot`], [linear, { m4id: 20 }]],
    [[`/bioactivity/data/search/by-dtxsid/${unknown}`], []]
  ],
  "bioactivity.byAeid": [
    [["/bioactivity/data/search/by-aeid/704"], [linear, ofB]],
    [["/bioactivity/data/search/by-aeid/1"], []]
  ],
  "bioactivity.aedByDtxsid": [
    [[`/bioactivity/data/aed/search/by-dtxsid/${a}`], [{ ...aedOf(a, null), aedVal: [0.5, null] }]],
    [[`/bioactivity/data/aed/search/by-dtxsid/${unknown}`], []]
  ],
  "bioactivity.bySpidBatch": [
    [
      ["/bioactivity/data/search/by-spid/", ["S1", "S/3 %", "S1", "x"]],
      [ofB, linear]
    ],
    [["/bioactivity/data/search/by-spid/", [a]], []]
  ],
  "bioactivity.byM4idBatch": [
    [
      ["/bioactivity/data/search/by-m4id/", [30, "10", 1]],
      [linear, ofB]
    ],
    [["/bioactivity/data/search/by-m4id/", [10, a]], { status: 500, error: "Internal Server Error" }, 500]
  ],
  "bioactivity.byDtxsidBatch": [
    [
      ["/bioactivity/data/search/by-dtxsid/", [a, b]],
      [ofB, linear, { m4id: 20 }]
    ],
    [["/bioactivity/data/search/by-dtxsid/", [unknown]], []]
  ],
  "bioactivity.byAeidBatch": [
    [
      ["/bioactivity/data/search/by-aeid/", ["704", 9]],
      [{ m4id: 20 }, linear, ofB]
    ],
    [
      ["/bioactivity/data/search/by-aeid/", [a]],
      { status: 500, path: "/bioactivity/data/search/by-aeid/" },
      500
    ]
  ],
  "bioactivity.aedByDtxsidBatch": [
    [
      ["/bioactivity/data/aed/search/by-dtxsid/", [a, b, unknown]],
      [aedOf(b, "ATG_x"), aedOf(a, "ATG_x")]
    ],
    [["/bioactivity/data/aed/search/by-dtxsid/", [unknown]], []]
  ]
}

describe("the public service", () => {
  it("is covered at every endpoint of the contract", () => {
    expect(Object.keys(rows).sort()).toEqual(
      endpointsOf(Rows.contract)
        .map(({ name }) => name)
        .sort()
    )
  })

  it.each(
    Object.entries(rows).flatMap(([endpoint, cases]) =>
      cases.map(([request, value, status = 200]) => ({ endpoint, request, value, status }))
    )
  )("$endpoint responds to $request like the public service", ({ request, status, value }) =>
    run(
      Effect.gen(function* () {
        const response = yield* requestValue(yield* service, ...request)
        expect(response.status).toBe(status)
        // An object may have more fields, but an array not more elements.
        expect({ value: response.value }).toMatchObject({ value })
      })
    )
  )
})
