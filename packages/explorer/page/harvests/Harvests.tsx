/** Shows the harvests of a database, and updates them: progress, workers, outcomes, failures by reason. */
import { Duration, Effect } from "effect"
import { useEffect, useState } from "preact/hooks"
import type { HarvestView } from "../../src/HarvestView.ts"
import type { Failure } from "../Failure.ts"
import { Empty, Loading, Problem } from "../parts/StateMessages.tsx"
import { failureOf, useSession } from "../session.ts"

/** The time between two requests. It polls because an event source cannot send the key. */
const interval: Duration.Input = "2 seconds"

/** The view of harvests. */
export const Harvests = () => {
  const { connection, onKeyRejected } = useSession()
  const [harvests, setHarvests] = useState<ReadonlyArray<HarvestView>>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    const stop = new AbortController()
    const load = Effect.matchEffect(connection.text("/explorer/harvests"), {
      onSuccess: (text) =>
        Effect.sync(() => {
          setFailure(undefined)
          setHarvests(JSON.parse(text))
        }),
      onFailure: (failure) =>
        Effect.sync(() =>
          failure._tag === "Unauthorized" ? onKeyRejected() : setFailure(withAdvice(failure))
        )
    })
    connection.run(Effect.forever(Effect.andThen(load, Effect.sleep(interval))), stop.signal).then((exit) => {
      if (exit._tag === "Failure" && !stop.signal.aborted) setFailure(failureOf(exit))
    })
    return () => stop.abort()
  }, [connection, onKeyRejected])
  return (
    <>
      <h1>Harvests</h1>
      {failure === undefined ? null : <Problem failure={failure} />}
      {harvests === undefined && failure === undefined ? <Loading /> : null}
      {harvests?.length === 0 ? <Empty title="The database has no harvests yet" /> : null}
      {harvests?.map((harvest) => (
        <Section key={harvest.name} {...harvest} />
      ))}
    </>
  )
}

/** Adds advice to the failure of a service without harvests. */
const withAdvice = (failure: Failure): Failure =>
  failure._tag === "NotFound"
    ? {
        message: "This service was started without harvests. Show them with: chemstream serve --harvests FILE"
      }
    : failure

const number = new Intl.NumberFormat("en")

const countOf = (count: number, noun: string): string =>
  `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`

const Section = (harvest: HarvestView) => {
  const { chunks, chunksDone, failures, name, reason, state, tally, workers } = harvest
  const counts = (["found", "missing", "failed", "duplicates", "invalid"] as const)
    .map((count) => `${number.format(tally[count])} ${count}`)
    .join(" + ")
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <p role="status">
        <strong class={`status ${state}`}>{state}</strong>
        {reason === null ? "" : `: ${reason}`}
      </p>
      <p>
        <progress aria-label={`Progress of ${name}`} max={Math.max(1, chunks)} value={chunksDone} />{" "}
        {progressOf(harvest)}
      </p>
      <p class="ledger">{`${number.format(tally.read)} read = ${counts}`}</p>
      <dl class="facts">
        <div>
          <dt>Source</dt>
          <dd>{harvest.source}</dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>{new Date(harvest.startedAt).toLocaleString()}</dd>
        </div>
        {failures.map(({ identifiers, reason }) => (
          <div key={reason}>
            <dt>Failed: {reason}</dt>
            <dd>{countOf(identifiers, "identifier")}</dd>
          </div>
        ))}
        {workers.map((worker) => (
          <div key={worker.name}>
            <dt>Worker {worker.name}</dt>
            <dd>
              {number.format(worker.chunks)} chunks, {number.format(Math.round(worker.rate))} identifiers a
              second
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const progressOf = ({ identifiers, rate, secondsLeft, state, tally }: HarvestView): string => {
  const parts = [`${number.format(tally.read)} of ${number.format(identifiers)} identifiers`]
  if (state === "running") parts.push(`${number.format(Math.round(rate))} a second`)
  if (secondsLeft !== null) parts.push(`${Duration.format(Duration.seconds(Math.ceil(secondsLeft)))} left`)
  return parts.join(", ")
}
