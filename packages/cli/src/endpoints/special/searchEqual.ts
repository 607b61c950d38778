/** The options of `chemstream search equal`: whether words are looked up in batches. */
import { Search as SearchRows } from "@chemstream/api"
import { Search } from "@chemstream/stream"
import { Effect } from "effect"
import { switchFlag } from "../../flags/flagTypes.ts"
import type { CommandTask } from "../../run/lookupCommand.ts"

export const largestBatch = SearchRows.equal.batch.limit

export const own = {
  batch: switchFlag(
    "batch",
    "Look up many words in one request, and check that each hit belongs to its word [default: one word per request, because some deployments misalign the hits]"
  )
}

export const taskOf = ({ batch }: { readonly batch: boolean }): Effect.Effect<CommandTask> =>
  Effect.succeed({
    lookup: batch ? Search.equalBatch() : Search.equal(),
    field: "searchValue"
  })
