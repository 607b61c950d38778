/** What the list and the feature table show of a run: its ledger and progress, the status of a row, a substance with its link. */
import type { ComponentChildren } from "preact"
import type { Column } from "../parts/DataTable.tsx"
import { Problem } from "../parts/StateMessages.tsx"
import { href } from "../routing.ts"
import type { Run } from "./useListRun.ts"

/** Returns the counts as an equation, including the rows without a result. */
export const ledgerOf = <Status extends string>(
  noun: string,
  statuses: ReadonlyArray<Status>,
  results: ReadonlyArray<{ readonly status: Status }>,
  total: number
): string => {
  const left = total - results.length
  const parts = statuses.map((status) => `${results.filter((one) => one.status === status).length} ${status}`)
  return `${total} ${noun} = ${[...parts, ...(left === 0 ? [] : [`${left} without a result`])].join(" + ")}`
}

interface ProgressProperties {
  readonly run: Run<unknown>
  readonly ledger: string
  readonly stop: () => void
  readonly children: ComponentChildren
}

/** The ledger of a run, its progress, and the results below. */
export const Progress = ({ children, ledger, run, stop }: ProgressProperties) => (
  <>
    <p role="status" class="ledger">
      {ledger}
    </p>
    {run.isFinished ? null : (
      <p class="tools">
        <progress aria-label="Rows with a result" max={run.total} value={run.results.length} />
        <button type="button" class="quiet" onClick={stop}>
          Stop
        </button>
      </p>
    )}
    {run.failure === undefined ? null : <Problem failure={run.failure} />}
    {children}
  </>
)

/** Returns the name of a file without its extension. */
export const stemOf = (name: string): string => name.replace(/\.\w+$/, "").replaceAll(/\W+/g, "-")

/** The column of the status of a row. */
export const statusColumn: Column<{ readonly status: string }> = {
  title: "Status",
  value: ({ status }) => status,
  show: ({ status }) => <span class={`status ${status}`}>{status}</span>
}

/** A substance in a cell, with the link to its view. */
export const SubstanceLink = ({ id, name }: { readonly id: string; readonly name: string | number }) => (
  <>
    <a href={href({ view: "substance", id })}>{name}</a> <span class="note whole">{id}</span>
  </>
)
