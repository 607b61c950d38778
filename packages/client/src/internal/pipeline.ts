/**
 * What a call goes through, outermost first: retries, then the attempt itself.
 *
 * The one place where the parts are put together.
 */
import { Effect } from "effect"
import type { RetryPolicy } from "../RetryPolicy.ts"
import { type Settings as AttemptSettings, attempt } from "./attempt.ts"
import type { Run } from "./call.ts"
import { retry } from "./retry.ts"

export interface Settings extends AttemptSettings {
  readonly retry: RetryPolicy
}

export const make =
  (settings: Settings): Run =>
  (call) =>
    Effect.map(
      retry(settings.retry, (number) => attempt(settings, call, number)),
      (answer) => answer.value
    )
