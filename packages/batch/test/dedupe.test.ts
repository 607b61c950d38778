import { Batch, Ledger } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Runs keys through a service that finds each of them, and returns the requested ones. */
const requestsOf = async (keys: ReadonlyArray<string>) => {
  const asked: Array<string> = []
  const ledger = Ledger.make()
  const call = async (some: ReadonlyArray<string>) => {
    asked.push(...some)
    return { records: some.map((key) => ({ key, record: key })) }
  }
  await Effect.runPromise(Stream.runDrain(Batch.outcomes(Stream.fromIterable(keys), { call, ledger })))
  return { asked, ledger }
}

describe("dedupe", () => {
  it("requests each distinct key once, whatever characters it has", async () => {
    // Lone surrogates are keys of their own, and so are prefixes of other keys.
    const key = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.string({ unit: fc.constantFrom("a", "\u0000", "\ud800", "\udc00", "ÿ", "\ufffd"), maxLength: 3 })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 300 }), async (keys) => {
        const { asked, ledger } = await requestsOf(keys)
        expect(asked.toSorted()).toEqual([...new Set(keys)].toSorted())
        expect(ledger.duplicates).toBe(keys.length - new Set(keys).size)
      }),
      { numRuns: 200 }
    )
  })

  it("keeps 200,000 keys apart", async () => {
    const keys = Array.from({ length: 200_000 }, (_, at) => `DTXSID${at * 7919}`)
    const { asked, ledger } = await requestsOf([...keys, ...keys.slice(0, 1000)])
    expect(asked).toHaveLength(200_000)
    expect(ledger.duplicates).toBe(1000)
  })

  it("knows a key that ends at the end of the memory for keys", async () => {
    // The first memory has 65,536 bytes, of which these keys leave 45. Each key needs a byte more than its text.
    const most = Array.from({ length: 10_915 }, (_, at) => String(10_000 + at))
    for (let rest = 2; rest < 12; rest++) {
      const filling = [..."ABCDEFGHIJKLMNOPQRSTUV"].slice(0, Math.floor((45 - rest) / 2) - 1)
      const keys = [...most, ...filling, rest % 2 === 0 ? "zz" : "z", "€€", "€₤"]
      const { asked, ledger } = await requestsOf([...keys, ...keys.slice(-4)])
      expect(asked).toEqual(keys)
      expect(ledger.duplicates).toBe(4)
    }
  })

  it("decides by a function which items are duplicates, and requests equal keys of a batch once", async () => {
    const items = ["a row", "a", "b", "a row", "b", "b row"]
    const asked: Array<ReadonlyArray<string>> = []
    const ledger = Ledger.make()
    const outcomes = Batch.outcomes(Stream.fromIterable(items), {
      key: (item) => item.slice(0, 1),
      dedupe: (item) => !item.endsWith("row"),
      call: async (keys) => {
        asked.push(keys)
        return { records: keys.map((key) => ({ key, record: key })) }
      },
      ledger
    })
    const all = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(all.map(({ item }) => item)).toEqual(["a row", "b", "a row", "b row"])
    expect(asked).toEqual([["a", "b"]])
    expect(ledger).toMatchObject({ read: 6, found: 4, duplicates: 2 })
  })
})
