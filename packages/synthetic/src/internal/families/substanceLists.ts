/**
 * Generates lists of substances. Each batch of substances has lists of its own, so that a data set of any size needs no more
 * memory. A last batch that is not full has shorter lists than in a larger data set.
 */
import type { ListRecords } from "@chemstream/api"
import type { Random } from "../numbers/seededRandom.ts"
import { source } from "./generatedSource.ts"

/** The kinds of lists of a batch, with the share of its substances. */
const kinds = [
  { type: "other", share: 0.6 },
  { type: "federal", share: 0.3 },
  { type: "state", share: 0.1 },
  { type: "international", share: 0.03 }
]

/** The lists of a batch of substances. */
export interface Lists {
  /** Adds a substance to some of the lists. */
  readonly add: (random: Random, dtxsid: string) => void
  /** Returns the lists that have members. */
  readonly records: () => ReadonlyArray<ListRecords.ListWithMembers>
}

/** Makes the lists of the batch with a number, from 0. */
export const make = (batch: number): Lists => {
  const members = kinds.map((): Array<string> => [])
  return {
    add: (random, dtxsid) => {
      for (const [n, { share }] of kinds.entries()) if (random.unit() < share) members[n]?.push(dtxsid)
    },
    records: () =>
      kinds.flatMap(({ type }, n) => {
        const dtxsids = members[n] ?? []
        if (dtxsids.length === 0) return []
        return [
          {
            id: batch * kinds.length + n,
            listName: `GEN_${type.toUpperCase()}_${batch + 1}`,
            label: `Generated: ${type} list ${batch + 1}`,
            type,
            shortDescription: "A list of substances that do not exist",
            longDescription: `A list of substances that do not exist. Source: <b>${source}</b>`,
            chemicalCount: dtxsids.length,
            updatedAt: "2026-01-01T00:00:00Z",
            dtxsids
          }
        ]
      })
  }
}
