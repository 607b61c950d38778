import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { approvedKind } from "../src/sqlite/internal/search/nameGroups.ts"
import { kinds } from "../src/sqlite/internal/search/nameKinds.ts"
import { HitCollector, hitSeparator } from "../src/sqlite/internal/search/rankedHits.ts"

const hit = (dtxsid: string): string => `{"dtxsid":"${dtxsid}","preferredName":"µ${dtxsid}"}`

const bytesOf = (dtxsids: ReadonlyArray<string>): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(dtxsids.map(hit).join(String.fromCharCode(hitSeparator)))

// Collects hits in two parts, after hits of a better rank.
const found = (
  maxHits: number,
  better: ReadonlyArray<string>,
  parts: ReadonlyArray<ReadonlyArray<string>>
) => {
  const hits = new HitCollector({ kinds, maxHits })
  let substance = 0
  for (const dtxsid of better) hits.addHit(substance++, approvedKind - 1, hit(dtxsid))
  for (const dtxsids of parts) {
    if (dtxsids.length === 0 || hits.isFull) continue
    hits.addApproved(dtxsids.length, bytesOf(dtxsids))
  }
  const { isCapped, count, json } = hits.toFound()
  return { isCapped, count, text: new TextDecoder().decode(json) }
}

const expected = (
  maxHits: number,
  better: ReadonlyArray<string>,
  parts: ReadonlyArray<ReadonlyArray<string>>
) => {
  const approved = parts.flat().slice(0, Math.max(0, maxHits - better.length))
  const texts = [...better.slice(0, maxHits).map(hit).sort(), ...approved.map(hit).sort()]
  const isCapped = better.length + parts.flat().length > maxHits
  return { isCapped, count: texts.length, text: `[${texts.join(",")}]` }
}

const partsOf = (dtxsid: fc.Arbitrary<string>) =>
  fc.uniqueArray(dtxsid, { maxLength: 40 }).chain((all) =>
    fc.tuple(fc.nat(all.length), fc.nat(all.length)).map(([one, other]) => {
      const [first, second] = [Math.min(one, other), Math.max(one, other)]
      return { better: all.slice(0, first), parts: [all.slice(first, second), all.slice(second)] }
    })
  )

describe("hits by approved names", () => {
  it.each([
    // Short identifiers that end with zeros, and longer ones that continue with them.
    ["identifiers", fc.stringMatching(/^DTXSID[1-9]0[01]{1,10}$/)],
    ["identifiers of the longest form", fc.stringMatching(/^DTXSID90[0-9]{10}$/)],
    ["other texts", fc.stringMatching(/^(DTXSID|X)[0-9a]{1,14}$/)]
  ])("are sorted by text, up to the limit: %s", (_, dtxsid) => {
    fc.assert(
      fc.property(partsOf(dtxsid), fc.integer({ min: 1, max: 45 }), ({ better, parts }, maxHits) => {
        expect(found(maxHits, better, parts)).toEqual(expected(maxHits, better, parts))
      }),
      { numRuns: 200 }
    )
  })
})
