/** Collects the settled part of the input and the counts of its outcomes, for the next save. */
import { ResumePoint } from "@chemstream/batch"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import * as Ledger from "../../runs/Ledger.ts"
import type { State } from "./checkpointFile.ts"

/** Makes the recorder of a run, which continues from the state of an earlier one. */
export const recorder = (earlier: State | undefined) => {
  const settled = restoreLedger(earlier)
  let spans: ReadonlyArray<ResumePoint.Span> = earlier?.spans ?? []
  let digest = earlier?.digest ?? ""
  return {
    add: (batch: SettledBatch<unknown, unknown>): void => {
      const before = spans.at(-1)?.to ?? 0
      spans = ResumePoint.merge(spans, batch.spans)
      if ((spans.at(-1)?.to ?? 0) > before) digest = batch.digest
      for (const { from, to } of batch.spans) settled.read += to - from
      Ledger.enter(settled, batch)
    },
    resumePoint: (): ResumePoint.ResumePoint => ({ spans, digest }),
    counts: (ledger: Ledger.Counts): State["counts"] => countsOf(ledger, settled)
  }
}

/** Makes a ledger with the counts of an earlier run. */
export const restoreLedger = (state: State | undefined): Ledger.Ledger => {
  const ledger = Ledger.make()
  for (const name of Ledger.countNames) ledger[name] = state?.counts[name] ?? 0
  return ledger
}

/** The counts of the outcomes, which only recorded batches change. */
const outcomeCounts = [
  ...(["read", "found", "missing", "failed", "duplicates", "invalid"] as const),
  ...(["records", "surplus", "suspicious", "truncated", "ambiguous", "conflict"] as const)
]

/** Returns the counts to save: of the recorded outcomes, and of all requests of the run. */
const countsOf = (ledger: Ledger.Counts, settled: Ledger.Counts): State["counts"] => ({
  ...Object.fromEntries(Ledger.countNames.map((name) => [name, ledger[name]])),
  ...Object.fromEntries(outcomeCounts.map((name) => [name, settled[name]]))
})
