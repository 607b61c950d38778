/**
 * Checks the outcomes and the ledger of a run against the laws that hold under every fault.
 *
 * Every identifier has one outcome. A record is surplus only if the scenario adds or damages records. A found record has the
 * service's own bytes. A known identifier is missing only if the scenario
 * removed its record. Nothing fails if the client makes more attempts than the scenario has faults.
 */
import type { ChemError } from "@chemstream/client"
import { Scenario } from "@chemstream/faults"
import { RawRecord } from "@chemstream/ndjson"
import { Ledger, type Outcome } from "@chemstream/stream"
import * as Job from "./LookupJob.ts"
import * as RecordService from "./RecordService.ts"

/** The result of a run. */
export interface RunResult {
  readonly scenario: Scenario.Scenario
  readonly job: Job.Job
  readonly outcomes: ReadonlyArray<Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>>
  readonly ledger: Ledger.Ledger
  /** The error that stopped the run. */
  readonly error: ChemError.ChemError | undefined
  /** The records that the proxy removed, as texts. */
  readonly omitted: ReadonlySet<string>
  /** Whether any request had no fault. */
  readonly isServed: boolean
}

/** Returns the breaches of the laws, one sentence each. */
export const breaches = (ran: RunResult): ReadonlyArray<string> => [
  ...breachesOfCount(ran),
  ...breachesOfEnd(ran),
  ...ran.outcomes.flatMap((outcome) => breachOf(ran, outcome))
]

const breachesOfCount = ({ error, job, ledger, outcomes }: RunResult): ReadonlyArray<string> => {
  const found: Array<string> = []
  const claim = (holds: boolean, sentence: string): void => {
    if (!holds) found.push(sentence)
  }
  for (const [tag, name] of [
    ["Found", "found"],
    ["Missing", "missing"],
    ["Failed", "failed"],
    ["Invalid", "invalid"],
    ["Surplus", "surplus"]
  ] as const) {
    const counted = count(outcomes, tag)
    claim(counted === ledger[name], `the ledger has ${name} ${ledger[name]}, the outcomes ${counted}`)
  }
  const lines = outcomes.flatMap((outcome) => (outcome._tag === "Surplus" ? [] : [outcome.line]))
  claim(new Set(lines).size === lines.length, "an identifier has two outcomes")
  if (job.lookup.ordered) {
    claim(
      lines.every((line, at) => at === 0 || line > (lines[at - 1] ?? 0)),
      "the outcomes are not in the order of the input"
    )
  }
  claim(ledger.inFlight === 0 && ledger.waiting === 0, "a call is still counted as in flight or waiting")
  if (error !== undefined) return found
  const repeated = job.texts.filter(
    (text, at) => job.texts.indexOf(text) !== at && !Job.isInvalid(text)
  ).length
  const duplicates = job.lookup.dedupe ? repeated : 0
  claim(ledger.read === job.texts.length, `read ${ledger.read} of ${job.texts.length}`)
  claim(Ledger.sum(ledger) === ledger.read, `accounted for ${Ledger.sum(ledger)} of ${ledger.read}`)
  claim(ledger.duplicates === duplicates, `counted ${ledger.duplicates} duplicates of ${duplicates}`)
  return found
}

const count = (outcomes: RunResult["outcomes"], tag: Outcome.Outcome<unknown, unknown>["_tag"]): number =>
  outcomes.filter((outcome) => outcome._tag === tag).length

/**
 * A run may stop early only if the service was unreachable at the start, or unavailable for longer than the run waits, or
 * if no request succeeded.
 */
const breachesOfEnd = ({ error, isServed, job, outcomes, scenario }: RunResult): ReadonlyArray<string> => {
  if (error === undefined) return []
  // The first batches failed before any response. Concurrent batches may have succeeded since.
  const isStart =
    outcomes.length - count(outcomes, "Invalid") - count(outcomes, "Surplus") <=
    job.lookup.concurrency * job.lookup.batchSize
  const isLate = scenario.startDelay !== 0 || scenario.nameDelay !== 0
  const mayBeUnreached = isStart || scenario.outages.length > 0 || isLate
  // A page as the first response comes from another server.
  const isPage = error._tag === "MalformedResponse" && error.page !== undefined
  const isUnreached =
    mayBeUnreached && (error._tag === "ConnectionFailed" || error._tag === "RequestTimeout" || isPage)
  const mustWait = isServed && job.lookup.availability.wait !== 0 && isOvercome(scenario, job)
  const isDown = error._tag === "ServiceUnavailable" && !mustWait
  return isUnreached || isDown ? [] : [`the run ended with ${error._tag}: ${error.message}`]
}

const breachOf = (
  ran: RunResult,
  outcome: Outcome.Outcome<RawRecord.RawRecord, ChemError.ChemError>
): ReadonlyArray<string> => {
  const { job, omitted, scenario } = ran
  if (outcome._tag === "Surplus") {
    const text = RawRecord.toText(outcome.record as RawRecord.RawRecord)
    return isInserted(scenario, text) ? [] : [`a requested record is surplus: ${text}`]
  }
  const own = RecordService.records(job.kind, outcome.id)
  const breach = (sentence: string): ReadonlyArray<string> => [
    `line ${outcome.line}, ${outcome.id}: ${sentence}`
  ]
  switch (outcome._tag) {
    case "Invalid":
      return Job.isInvalid(outcome.id) ? [] : breach("a well-formed identifier is invalid")
    case "Missing":
      return own.length === 0 || own.every((record) => omitted.has(record))
        ? []
        : breach("it is missing, but the service has it")
    case "Failed":
      return isOvercome(scenario, job) &&
        !mayBeDoubted(ran, own) &&
        !mayBeLate(scenario, outcome.error) &&
        !mayBeUnread(ran, outcome.error)
        ? breach(`it failed with ${outcome.error._tag}: ${outcome.error.message}`)
        : []
    case "Found": {
      const texts = outcome.records.map(RawRecord.toText)
      const wrong = texts.find((text) => !own.includes(text) && !isExcused(ran, text, own))
      if (wrong !== undefined) return breach(`a record differs from the service's: ${wrong}`)
      const lost = own.find((record) => !texts.includes(record) && !omitted.has(record))
      return lost === undefined || scenario.rules.some(({ fault }) => fault._tag === "Corruption")
        ? []
        : breach(`a record is lost: ${lost}`)
    }
  }
}

/**
 * Returns whether the client makes more attempts than an identifier has faults. The requests of its batch and of the parts of
 * its batch count as its attempts. Equal concurrent requests share their faults.
 */
const isOvercome = (scenario: Scenario.Scenario, { lookup, retry, texts }: Job.Job): boolean => {
  const depth = Math.ceil(Math.log2(Math.min(lookup.batchSize, texts.length)))
  return lookup.dedupe && Scenario.maxFailures(scenario) + depth < retry.attempts
}

/** Returns whether a busy machine may have exceeded the short timeout of a silent service. */
const mayBeLate = ({ rules }: Scenario.Scenario, error: ChemError.ChemError): boolean =>
  error._tag === "RequestTimeout" && rules.some(({ fault }) => fault._tag === "Silence")

/** Returns whether a damaged problem document looks like a gateway page, which does not tell whether the identifier is known. */
const mayBeUnread = ({ scenario }: RunResult, error: ChemError.ChemError): boolean =>
  error._tag === "NotFound" &&
  error.gateway === true &&
  scenario.rules.some(({ fault }) => fault._tag === "Corruption" || fault._tag === "Truncation")

/** Returns whether an identifier may fail because a record without an identifier may be its own. */
const mayBeDoubted = ({ job, scenario }: RunResult, own: ReadonlyArray<string>): boolean =>
  scenario.rules.some(
    ({ fault }) =>
      (fault._tag === "Surplus" && own.length === 0) ||
      (fault._tag === "Surplus" && scenario.rules.some((other) => other.fault._tag === "Omission")) ||
      (fault._tag === "Corruption" && job.lookup.validate !== "strict")
  )

/** Returns whether a record may belong to no identifier. */
const isInserted = ({ rules }: Scenario.Scenario, text: string): boolean =>
  rules.some(
    ({ fault }) =>
      fault._tag === "Duplication" ||
      fault._tag === "Corruption" ||
      (fault._tag === "Surplus" && fault.records.includes(text))
  )

const isExcused = ({ job, scenario }: RunResult, text: string, own: ReadonlyArray<string>): boolean =>
  scenario.rules.some(
    ({ fault }) =>
      // A request for one identifier gets all records of its response.
      (fault._tag === "Surplus" && job.kind === "search" && fault.records.includes(text)) ||
      // Only strict validation checks the inside of values.
      (fault._tag === "Corruption" &&
        job.lookup.validate !== "strict" &&
        own.some((one) => isCorruptionOf(one, text)))
  )

/**
 * Returns whether a text is a record with control characters written over it. It has the length of the record, or less if
 * they hit half of a character. It is longer if they hit a quote: then the next records are read as a part of it.
 */
const isCorruptionOf = (record: string, text: string): boolean => {
  const [one, other] = [Buffer.from(record), Buffer.from(text)]
  return text.includes("\u0007") && (one.length <= other.length || text.includes("\uFFFD"))
}
