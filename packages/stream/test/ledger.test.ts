// Tests the counts of a run: where they begin, which there are, and what an observer of calls adds.
import { ChemError } from "@chemstream/client"
import { Ledger } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

describe("Ledger.make", () => {
  it("has every count at 0, and no state among the counts", () => {
    const ledger = Ledger.make()
    expect(Ledger.countNames.map((name) => [name, ledger[name]])).toEqual(
      Ledger.countNames.map((name) => [name, 0])
    )
    expect(Ledger.countNames).toEqual(
      expect.arrayContaining([
        "read",
        "found",
        "requests",
        "singleWords",
        "singleMasses",
        "responses",
        "bytes"
      ])
    )
    const states = Object.keys(ledger).filter((name) => !(Ledger.countNames as Array<string>).includes(name))
    expect(states.toSorted()).toEqual(["batchSize", "batchSizes", "drift", "inFlight", "slowest", "waiting"])
    expect(Ledger.make().drift).not.toBe(ledger.drift)
  })
})

describe("Ledger.observer", () => {
  it("counts requests, retries, responses and their bytes", () => {
    const ledger = Ledger.make()
    const { onBody, onRequest, onRetry } = Ledger.observer(ledger)
    for (const _ of [1, 2, 3]) onRequest("details.byDtxsid")
    onRetry(ChemError.malformed("details.byDtxsid", 1, "it is cut"), 5)
    onBody("details.byDtxsid", 10, 200)
    onBody("details.byDtxsid", 0, 500)
    expect(ledger).toMatchObject({ requests: 3, retries: 1, responses: 2, bytes: 10, found: 0 })
  })
})
