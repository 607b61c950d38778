/**
 * The limits of searches: the hits of a search, the hits of a batch of searches, the identifiers of a search by formula or mass, and the
 * misses that get suggestions. `http/httpOptions.ts` has the limits of requests.
 */

/** The defaults of a service that responds as the contract says. */
export const contract = { maxHits: 1000, maxIdentifiers: 100_000, searchThreads: 2 }

/** The defaults of a service with the dialect `ctx`. The public service returns all hits. */
export const ctx = { maxHits: 100_000, maxIdentifiers: 1_000_000 }

/** The largest number of hits in a batch. They take about 4 MB. */
export const maxBatchHits = 10_000

/** The number of misses of a batch that get suggestions, because each may take 10 ms. The others have `[null]`. */
export const maxSuggestedMisses = 10
