import { SearchHit } from "@chemstream/api"
import { Enrich, Ledger, Lookup, Outcome, Search } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { ok, outcomesOf, type Respond } from "./lookupService.ts"

/** Responds to any search with one hit, and says of "phenol" that there are more. */
const capping: Respond = ({ body, url }) => {
  const [word = ""] = (body as ReadonlyArray<string> | undefined) ?? [
    decodeURIComponent(url.split("/").at(-1) ?? "")
  ]
  const response = ok(JSON.stringify([{ dtxsid: "DTXSID7020182", searchValue: word }]))
  return word === "phenol" ? { ...response, headers: { "x-total-capped": "true" } } : response
}

const lookups = {
  "as records": Search.contain(),
  "as values": Lookup.decode(Search.contain(), SearchHit.SearchHit),
  "by the batch call": Search.equalBatch(),
  "as a part of an enrichment": Enrich.lookup({ hits: Search.contain(), exact: Search.startWith() })
}

describe("a search whose hits the service truncates", () => {
  it.each(Object.entries(lookups))("is truncated, and counted: %s", async (_, lookup) => {
    const ledger = Ledger.make()
    const outcomes = await outcomesOf(capping, lookup as Lookup.Lookup<unknown>, ["phenol", "benzene"], {
      batchSize: 1,
      ledger
    })
    expect(outcomes).toMatchObject([{ _tag: "Found", id: "phenol", truncated: "capped" }, { _tag: "Found" }])
    expect(outcomes[1]).not.toHaveProperty("truncated")
    expect(ledger).toMatchObject({ read: 2, found: 2, truncated: 1 })
    expect(outcomes.map((outcome) => Outcome.describe(outcome))).toEqual([
      "found: phenol: 1 record, truncated",
      "found: benzene: 1 record"
    ])
  })
})
