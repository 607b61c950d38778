import { Reconcile } from "@chemstream/batch"
import { describe, expect, it } from "vitest"

describe("Reconcile.byKey", () => {
  it("matches by key in any order, and separates unrequested and repeated records", () => {
    const unrequested = { _tag: "Surplus", reason: "unrequested", key: "x", record: 1 }
    const repeated = { _tag: "Surplus", reason: "repeated", key: "a", record: 3 }
    const answer = ["c", "x", "a", "a"].map((key, record) => ({ key, record }))
    expect(Reconcile.byKey(["a", "b", "c"], answer, "one")).toEqual({
      records: new Map([
        ["c", [0]],
        ["a", [2]]
      ]),
      surplus: [unrequested, repeated]
    })
    expect(Reconcile.byKey(["a", "b", "c"], answer, "many")).toEqual({
      records: new Map([
        ["c", [0]],
        ["a", [2, 3]]
      ]),
      surplus: [unrequested]
    })
  })
})
