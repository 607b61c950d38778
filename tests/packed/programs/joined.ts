/** Joined records have the types of their lookups, and an abort stops a run at once. */
import { Bioactivity, createChemstream, Details, Enrich } from "@chemstream/stream"
import { serve } from "./serve.ts"

const { url, stop } = await serve((ids) => ({
  body: ids.map((dtxsid) => ({ dtxsid, preferredName: `Substance ${dtxsid}`, aeid: 3 }))
}))
const settings = { baseUrl: url, apiKey: "key", retry: 1 }

const chemstream = await createChemstream(settings)
const joined = Enrich.lookup({
  details: Details.byDtxsid({ projection: "compact" }),
  activity: Bioactivity.byDtxsid()
})
for await (const record of chemstream.lookup(["DTXSID7020182"], { endpoint: joined }).records()) {
  const name: string | null | undefined = record.details?.preferredName
  console.log(name, record.activity?.length)
}

const controller = new AbortController()
const ids = Array.from({ length: 5000 }, (_, n) => `DTXSID${String(1_000_000 + n)}`)
let seen = 0
try {
  for await (const outcome of chemstream.lookup(ids, {
    endpoint: "details.byDtxsid",
    projection: "compact",
    signal: controller.signal
  })) {
    if (outcome._tag === "Found") seen += outcome.records[0]?.preferredName === undefined ? 0 : 1
    if (seen === 10) controller.abort(new Error("enough"))
  }
} catch (error) {
  console.log(String(error), seen)
}
await chemstream.close()
stop()
