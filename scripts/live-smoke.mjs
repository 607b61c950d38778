// Sends twelve harmless requests to a service with your key, and prints the expected and the actual results. It is not part
// of the tests. Run it by hand to see whether the public service still behaves like the dialect.
//
//   CHEMSTREAM_API_KEY=… node scripts/live-smoke.mjs [BASE_URL] [ctx|specification]
//
// Default: the public service. The second argument defaults to ctx for hosts below epa.gov, else specification. Exit code
// 1: something differs; 2: no key. The key is never printed.

const { CHEMSTREAM_API_KEY: key = "" } = process.env
const [baseUrl = "https://comptox.epa.gov/ctx-api", named] = process.argv.slice(2)
const { hostname } = new URL(baseUrl)
const dialect = named ?? (/(^|\.)epa\.gov\.?$/i.test(hostname) ? "ctx" : "specification")
if (key === "" || !["ctx", "specification"].includes(dialect)) {
  console.error("usage: CHEMSTREAM_API_KEY=… node scripts/live-smoke.mjs [BASE_URL] [ctx|specification]")
  process.exit(2)
}
const isCtx = dialect === "ctx"

// The public service gets one request per second.
const pause = /^(127\.|localhost$|\[::1\]$)/.test(hostname) ? 0 : 1000
const substance = "DTXSID7020182"
const unknown = "DTXSID5032381"
/** @typedef {{ type: string, body: string }} Body */

/** @type {(value: unknown) => Body} */
const json = (value) => ({ type: "application/json", body: JSON.stringify(value) })

/** @type {(value: unknown) => string} */
const kind = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)
/** @type {(value: any) => number} */
const fields = (value) => Object.keys(value ?? {}).length
/** @type {(value: unknown) => string} */
const listOf = (value) => (Array.isArray(value) && value.length > 0 ? "a list" : `${kind(value)} ${value}`)
const detail = "/chemical/detail/search/by-dtxsid/"

// Name, path, expected results of the public service and of the service of this project, actual result, and body.
/** @type {Array<[string, string, [string, string], (seen: { status: number, value: any }) => string, Body?]>} */
const requests = [
  [
    "a detail record",
    `${detail}${substance}`,
    ["200, 73 fields, id number", "200, fields, id string"],
    ({ status, value }) => `${status}, ${isCtx ? `${fields(value)} ` : ""}fields, id ${kind(value?.id)}`
  ],
  [
    "an unknown substance",
    `${detail}${unknown}`,
    ["400, not found", "404, not found"],
    ({ status, value }) =>
      `${status}, ${/not found|no chemical/i.test(value?.detail) ? "not found" : value?.detail}`
  ],
  [
    "two records in a batch",
    `${detail}?projection=compact`,
    ["200, 2 records, 3 fields", "200, 2 records, 8 fields"],
    ({ status, value }) => `${status}, ${value?.length} records, ${fields(value?.[0])} fields`,
    json([substance, "DTXSID3039242"])
  ],
  [
    "a page of all chemicals",
    isCtx ? "/chemical/all?next=0&projection=all-ids" : "/chemical/all?next=1&projection=all-ids",
    ["200, object of size, total, next, data", "200, a list"],
    ({ status, value }) =>
      `${status}, ${Array.isArray(value) ? listOf(value) : `object of ${Object.keys(value ?? {}).join(", ")}`}`
  ],
  [
    "a name",
    "/chemical/search/equal/bisphenol%20a",
    [`200, ${substance}`, `200, ${substance}`],
    ({ status, value }) => `${status}, ${value?.[0]?.dtxsid}`
  ],
  [
    "two names in a batch",
    "/chemical/search/equal/",
    ["200, 2 records", "200, 2 records"],
    ({ status, value }) => `${status}, ${value?.length} records`,
    isCtx ? { type: "text/plain", body: `bisphenol a\n${unknown}` } : json(["bisphenol a", unknown])
  ],
  [
    "names that start so",
    `/chemical/search/start-with/bisphenol%20a${isCtx ? "?top=0" : ""}`,
    ["200, a list", "200, a list"],
    ({ status, value }) => `${status}, ${listOf(value)}`
  ],
  [
    "a range of masses",
    "/chemical/msready/search/by-mass/228.11/228.12",
    ["200, a list", "200, a list"],
    ({ status, value }) => `${status}, ${listOf(value)}`
  ],
  [
    "a batch of masses",
    "/chemical/msready/search/by-mass/",
    ["200, 228.115 has a list", "200, 228.115 has a list"],
    ({ status, value }) => `${status}, 228.115 has ${listOf(value?.["228.115"])}`,
    json({ masses: [228.115], error: isCtx ? 5 : 0.005 })
  ],
  [
    "synonyms",
    `/chemical/synonym/search/by-dtxsid/${substance}`,
    ["200, with alternate and deleted", "200, with alternateCasrn and deletedCasrn"],
    ({ status, value }) =>
      `${status}, with ${Object.keys(value ?? {})
        .filter((name) => /^(alternate|deleted)/.test(name))
        .sort()
        .join(" and ")}`
  ],
  [
    "an unknown data record",
    "/bioactivity/data/search/by-m4id/1",
    ["200, array of 0", "404, problem"],
    ({ status, value }) => `${status}, ${Array.isArray(value) ? `array of ${value.length}` : "problem"}`
  ],
  [
    "exposure data in a batch",
    `/bioactivity/data/aed/search/by-dtxsid${isCtx ? "/" : ""}`,
    ["200, array", "200, array"],
    ({ status, value }) => `${status}, ${kind(value)}`,
    json([substance])
  ]
]

/** @type {(path: string, body: Body | undefined) => Promise<Response>} */
const send = (path, body) =>
  fetch(`${baseUrl.replace(/\/$/, "")}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      "x-api-key": key,
      ...(body !== undefined && { "content-type": body.type })
    },
    body: body?.body ?? null
  })

/** @type {(path: string, body: Body | undefined) => Promise<{ status: number, value: any }>} */
const request = async (path, body) => {
  // After a miss, the public service closes the connection without notice, perhaps during the next request.
  const response = await send(path, body).catch(() => send(path, body))
  const text = await response.text()
  try {
    return { status: response.status, value: JSON.parse(text) }
  } catch {
    return { status: response.status, value: undefined }
  }
}

/** @type {Array<[string, string, string, string]>} */
const rows = [["request", "expected", "seen", ""]]
for (const [n, [name, path, [ofCtx, ofContract], summarize, body]] of requests.entries()) {
  if (n > 0) await new Promise((resolve) => setTimeout(resolve, pause))
  const expected = isCtx ? ofCtx : ofContract
  let seen
  try {
    seen = summarize(await request(path, body))
  } catch (thrown) {
    const error = /** @type {any} */ (thrown)
    seen = error.cause?.code ?? error.message
  }
  // A response may contain the key.
  rows.push([name, expected, String(seen).replaceAll(key, "…"), seen === expected ? "same" : "DIFFERS"])
}

const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
console.log(`${baseUrl} as ${dialect}`)
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
process.exitCode = rows.some((row) => row[3] === "DIFFERS") ? 1 : 0
