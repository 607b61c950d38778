/** Runs of batch calls that echo their identifiers, for tests of `BatchCalls`. */
import { InvalidIdentifier } from "@chemstream/api"
import type { Batch } from "@chemstream/batch"
import { BatchCalls, Identifiers, Ledger, type Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"

export class Refusal extends Error {
  readonly verdict: Batch.Verdict
  constructor(verdict: Batch.Verdict) {
    super("refused")
    this.verdict = verdict
  }
}

export type Run = BatchCalls.Settings<string, Refusal, never>

export const parse = (text: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  text.startsWith("!")
    ? Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "ID",
          value: text,
          reason: "malformed",
          message: "no ID"
        })
      )
    : Result.succeed(text)

export const echo = (ids: ReadonlyArray<string>): Effect.Effect<Batch.CallResult<string, Refusal>> =>
  Effect.succeed({ records: ids.map((id) => ({ key: id, record: `record of ${id}` })) })

export const settings = (more: Partial<Run> = {}): Run => ({
  parse,
  call: echo,
  classify: (error) => error.verdict,
  size: 3,
  concurrency: 2,
  ordered: true,
  dedupe: true,
  ledger: Ledger.make(),
  ...more
})

export const run = (texts: ReadonlyArray<string>, run: Run) =>
  Effect.runPromise(
    BatchCalls.batches(Identifiers.fromIterable(texts), run).pipe(
      Stream.map((batch) => batch.outcomes),
      Stream.flattenIterable,
      Stream.runCollect
    )
  )

export const short = (outcome: Outcome.Outcome<string, Refusal | Batch.OwnError>): string =>
  `${outcome._tag} ${outcome.id} ${outcome.line}`
