import { DatabaseSync } from "node:sqlite"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { schema } from "../src/sqlite/internal/database/schema.ts"
import * as documents from "../src/sqlite/internal/search/grams/documentSets.ts"
import { padding, type Writer } from "../src/sqlite/internal/search/grams/GramIndex.ts"
import { reader } from "../src/sqlite/internal/search/grams/gramReader.ts"
import { writer } from "../src/sqlite/internal/search/grams/gramWriter.ts"
import * as postings from "../src/sqlite/internal/search/grams/postingRows.ts"
import { groupNumbers } from "../src/sqlite/internal/search/nameGroups.ts"

const sorted = (numbers: Iterable<number>): ReadonlyArray<number> =>
  [...new Set(numbers)].sort((a, b) => a - b)

// Small sets are stored as lists, large ones as bit maps.
const numbers = fc.oneof(
  fc.array(fc.nat(documents.width - 1), { maxLength: 50 }),
  fc
    .tuple(fc.nat(9), fc.integer({ min: 2, max: 15 }))
    .map(([first, step]) =>
      Array.from({ length: Math.floor((documents.width - first) / step) }, (_, i) => first + i * step)
    )
)

const encoded = (group: Iterable<number>): Uint8Array => documents.encode(Uint16Array.from(sorted(group)))

const membersOf = (set: documents.Documents): ReadonlyArray<number> =>
  [...documents.parts(set, 1000)].flatMap((part) => [...part])

describe("a set of documents", () => {
  it("is unchanged after encoding and decoding, and has at most 8 KiB", () => {
    fc.assert(
      fc.property(numbers, (one) => {
        const bytes = encoded(one)
        expect(bytes.length).toBeLessThanOrEqual(8192)
        expect(membersOf(documents.decode(bytes))).toEqual(sorted(one))
      }),
      { numRuns: 50 }
    )
  })

  it("has the same intersections, unions and changes as a set of numbers", () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (a, b, c) => {
        const set = (group: Iterable<number>) => documents.decode(encoded(group))
        const inB = new Set(b)
        expect(membersOf(documents.intersect(set(a), set(b)))).toEqual(sorted(a.filter((n) => inB.has(n))))
        const map = documents.emptyMap()
        for (const added of [a, b]) documents.addTo(map, set(added))
        expect(membersOf(map)).toEqual(sorted([...a, ...b]))
        expect([
          ...documents.change(set(a), Uint16Array.from(sorted(b)), Uint16Array.from(sorted(c)))
        ]).toEqual(sorted([...a.filter((n) => !inB.has(n)), ...c]))
      }),
      { numRuns: 50 }
    )
  })

  it("yields its members in parts of at most the requested size", () => {
    for (const set of [[], [1, 2, 3], Array.from({ length: 6000 }, (_, i) => i * 2)]) {
      const parts = [...documents.parts(documents.decode(encoded(set)), 1000)]
      expect(parts.every((part) => part.length > 0 && part.length <= 1000)).toBe(true)
      expect(parts.flatMap((part) => [...part])).toEqual(set)
    }
  })
})

describe("the rows of the index", () => {
  it("have the sets of all stripes, are numbered by their last stripe, and are short unless a set is long", () => {
    const sets = fc.uniqueArray(
      fc.record({ stripe: fc.nat(65_535), bytes: fc.constantFrom(2, 20, 1500, 8192) }),
      {
        selector: ({ stripe }) => stripe,
        maxLength: 20
      }
    )
    fc.assert(
      fc.property(sets, (group) => {
        const all = group
          .map(({ bytes, stripe }) => ({ stripe, set: new Uint8Array(bytes).fill(stripe & 255) }))
          .sort((a, b) => a.stripe - b.stripe)
        const rows = [...postings.toRows(all)]
        expect(rows.flatMap(({ row }) => postings.fromRow(row))).toEqual(all)
        for (const { last, row } of rows) {
          const sets = postings.fromRow(row)
          expect(sets.at(-1)?.stripe).toBe(last)
          expect(sets.length === 1 || row.length <= 4000).toBe(true)
          const reader = new postings.RowReader(row)
          for (const { set, stripe } of all) {
            const isHeld = sets.some((one) => one.stripe === stripe)
            expect(reader.setOf(stripe)).toEqual(isHeld ? set : undefined)
          }
        }
      }),
      { numRuns: 100 }
    )
  })
})

const database = (): DatabaseSync => {
  const database = new DatabaseSync(":memory:")
  database.exec(schema)
  return database
}

const finish = (index: Writer): void => {
  for (const _ of index.finish());
}

// Texts by substance, in several stripes.
const texts = fc.dictionary(
  fc.nat(200_000).map(String),
  fc.stringMatching(/^[abé𝛼\n]{0,9}$/u).map((text) => text + padding),
  { maxKeys: 30 }
)

const inOrder = (group: Readonly<Record<string, string>>): ReadonlyArray<readonly [number, string]> =>
  Object.entries(group)
    .map(([substance, text]) => [Number(substance), text] as const)
    .sort((a, b) => a[0] - b[0])

describe("the index of grams", () => {
  it.each([
    ["identifiers", groupNumbers.identifiers, 3],
    ["names", groupNumbers.valid, 4]
  ])("finds among %s the documents with all grams of a text, also after changes", (_, group, size) => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.array(fc.stringMatching(/^[abé𝛼]{1,6}$/u), { minLength: 1, maxLength: 5 }),
        (first, second, words) => {
          const file = database()
          const index = writer(file)
          index.begin()
          for (const [substance, text] of inOrder(first)) index.put(group, substance, undefined, text)
          finish(index)
          index.begin()
          const all = { ...first, ...second }
          for (const [substance] of inOrder(all))
            index.put(group, substance, first[substance], second[substance])
          // Another group must not change this one.
          index.put(groupNumbers.other, 7, undefined, `aaaabbbb${padding}`)
          finish(index)
          const read = reader(file)
          for (const word of words) {
            const parts = gramsOf(word, size)
            // May include a few documents without some gram, which the reader did not check. Never misses a
            // document.
            const found = [...read.find(group, word)].flat()
            expect(found).toEqual(sorted(found))
            const documentsWith = inOrder(second).filter(([, text]) =>
              parts.every((part) => text.includes(part))
            )
            expect(found).toEqual(expect.arrayContaining(documentsWith.map(([substance]) => substance)))
            if (parts.length === 1) expect(found.length).toBe(documentsWith.length)
          }
          file.close()
        }
      ),
      { numRuns: 100 }
    )
  })

  it("changes sets that are in several rows, and adds stripes before and after them", () => {
    const file = database()
    const index = writer(file)
    const text = `abcd${padding}`
    const members = new Set<number>()
    const change = (removed: ReadonlyArray<number>, added: ReadonlyArray<number>): void => {
      index.begin()
      for (const substance of [...removed, ...added].sort((a, b) => a - b)) {
        const isGone = members.delete(substance)
        if (!isGone) members.add(substance)
        index.put(groupNumbers.valid, substance, isGone ? text : undefined, isGone ? undefined : text)
      }
      finish(index)
      expect([...reader(file).find(groupNumbers.valid, "abcd")].flat()).toEqual(sorted(members))
    }
    const inStripe = (stripe: number, n: number): ReadonlyArray<number> =>
      Array.from({ length: n }, (_, i) => stripe * documents.width + 3 * i)
    change([], [...inStripe(2, 2500), ...inStripe(4, 5000), ...inStripe(5, 10), ...inStripe(9, 10)])
    expect(file.prepare("SELECT count(*) > 2 AS several FROM postings").get()).toEqual({ several: 1 })
    change(inStripe(4, 5000).slice(9), [...inStripe(0, 5), ...inStripe(3, 2500), ...inStripe(12, 2500)])
    change([...inStripe(2, 2500), ...inStripe(9, 10)], [...inStripe(13, 1), ...inStripe(20, 1)])
    change([...members], [])
    expect(file.prepare("SELECT count(*) AS n FROM postings").get()).toEqual({ n: 0 })
  })

  it("keeps nothing of removed documents", () => {
    const file = database()
    const index = writer(file)
    index.begin()
    const text = `abcdef${padding}`
    for (const substance of [1, 70_000]) index.put(groupNumbers.valid, substance, undefined, text)
    finish(index)
    for (const substance of [1, 70_000]) index.put(groupNumbers.valid, substance, text, undefined)
    finish(index)
    expect(file.prepare("SELECT count(*) AS n FROM postings").get()).toEqual({ n: 0 })
  })

  it("discards the changes of a transaction that is rolled back", () => {
    const file = database()
    const index = writer(file)
    file.exec("BEGIN")
    index.begin()
    index.put(groupNumbers.valid, 1, undefined, `abcd${padding}`)
    finish(index)
    index.put(groupNumbers.valid, 2, undefined, `abcd${padding}`)
    file.exec("ROLLBACK")
    index.begin()
    index.put(groupNumbers.valid, 3, undefined, `xabcd${padding}`)
    finish(index)
    expect([...reader(file).find(groupNumbers.valid, "abcd")].flat()).toEqual([3])
    expect([...reader(file).find(groupNumbers.valid, "xabc")].flat()).toEqual([3])
  })
})

// The grams of a text. For a text shorter than a gram: the text.
const gramsOf = (text: string, size: number): ReadonlyArray<string> => {
  const characters = [...text]
  if (characters.length < size) return [text]
  return Array.from({ length: characters.length - size + 1 }, (_, i) =>
    characters.slice(i, i + size).join("")
  )
}
