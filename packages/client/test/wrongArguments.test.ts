/** What functions on errors, pages and policies say about a wrong argument. */
import {
  CallObserver,
  ChemError,
  MsReadyResponse,
  Pages,
  RetryPolicy,
  SearchResponse
} from "@chemstream/client"
import { Effect } from "effect"
import { expect, it } from "vitest"

const error = new ChemError.ServiceFailure({
  endpoint: "details.byDtxsid",
  attempts: 1,
  status: 503,
  message: ""
})
const state = { attempt: 1, elapsed: 0, random: 0.5 }

it.each<[string, () => unknown]>([
  ["The option attemps is unknown. Give attempts.", () => RetryPolicy.make({ attemps: 3 } as never)],
  [
    "The option baseDelay is -1.",
    () => RetryPolicy.nextDelay({ ...RetryPolicy.never, baseDelay: -1 }, error, state)
  ],
  [
    "The option elapsed is missing.",
    () => RetryPolicy.nextDelay(RetryPolicy.never, error, { attempt: 1 } as never)
  ],
  ["The argument error is an object.", () => ChemError.verdict({ _tag: "NotFound" } as never, true)],
  ["The argument count is 1.5.", () => ChemError.unidentified("details.byDtxsid", 1, 1.5)],
  [
    'The option unit is "Dalton". Give "dalton".',
    () => MsReadyResponse.byMass([228], { unit: "Dalton" as never })
  ],
  ['The argument dtxcids is "DTXCID30182".', () => MsReadyResponse.byDtxcid("DTXCID30182" as never)],
  ["The argument idOf is missing.", () => Pages.ofObject({}, [], undefined as never)],
  ["The option request is missing.", () => Pages.all({ endpoint: "lists.all", toText: String } as never)],
  ["The argument fieldOf is missing.", () => SearchResponse.verify(["a"], [{}], undefined as never)],
  ["The argument observers is missing. Give an observer.", () => CallObserver.all([undefined] as never)],
  [
    "The argument the result of use is missing. Give an effect.",
    () => Effect.runSync(CallObserver.withRequestCount((() => undefined) as never))
  ]
])("%s", (message, call) => {
  expect(call).toThrow(
    expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(message) })
  )
})
