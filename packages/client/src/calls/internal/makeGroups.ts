/**
 * Makes the calls of a client by group, e.g. `details`. `makeSingleAndBatchCalls`, `makeGetCalls` and `makePagedCalls` make them of
 * rows; `makeNameSearchCalls` and `makeMassCalls` make those that rows do not describe.
 */
import { Operation, type Row, Rows } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Effect } from "effect"
import type { Redact } from "../../errors/internal/redaction.ts"
import type { EndpointCalls, MakeCalls } from "../EndpointCalls.ts"
import type { Groups } from "../Groups.ts"
import type { MakeGet } from "./batchedGet.ts"
import type { CallOperation } from "./callOperation.ts"
import { refuse, rowKind } from "./checkArguments.ts"
import * as getCalls from "./makeGetCalls.ts"
import * as massCalls from "./makeMassCalls.ts"
import * as nameSearchCalls from "./makeNameSearchCalls.ts"
import * as pagedCalls from "./makePagedCalls.ts"
import * as singleAndBatchCalls from "./makeSingleAndBatchCalls.ts"

/** Makes the groups. `makeGet` makes the methods `get`, which collect single identifiers into batches. */
export const make = (callOperation: CallOperation, makeGet: MakeGet, redact: Redact): Groups => {
  const rowsOfGroups = Map.groupBy<string, Row.Row>(Rows.all, ({ name }) => Operation.groupOf(name))
  const special: Readonly<Record<string, object>> = {
    search: nameSearchCalls.make(callOperation, redact),
    msready: massCalls.make(callOperation)
  }
  const entries = [...rowsOfGroups].map(([group, rows]) => [
    group,
    {
      ...Object.assign({}, ...rows.map((row) => callsOf(callOperation, row))),
      ...getCalls.make(callOperation, makeGet, rows),
      ...special[group]
    }
  ])
  // The interfaces of the groups are generated from the same endpoints.
  return Object.fromEntries(entries) as Groups
}

const callsOf = (callOperation: CallOperation, row: Row.Row): object =>
  row.page === undefined ? singleAndBatchCalls.make(callOperation, row) : pagedCalls.make(callOperation, row)

/** Makes the calls of any endpoint. */
export const endpoint =
  (callOperation: CallOperation): MakeCalls =>
  (row) => {
    Options.refuseArguments({ row: Options.required(rowKind) }, [row])
    const single = singleAndBatchCalls.requestSingle(callOperation, row)
    const batch = singleAndBatchCalls.batchCall(callOperation, row)
    const calls = {
      get: (key: unknown, options?: Readonly<Record<string, unknown>>) => single([key], options),
      batch:
        batch ??
        (() => Effect.fromResult(refuse("endpoint with batches", row.name, "request one value at a time"))),
      pages: (key: unknown, options?: { readonly page?: number }) =>
        pagedCalls.callsOf(callOperation, row, [key]).pages(options)
    }
    return calls as unknown as EndpointCalls<typeof row>
  }
