/**
 * The cached response that a request revalidates: its `ETag` is sent as `If-None-Match`, and a 304 confirms it (RFC
 * 9110, sections 13.1.2 and 15.4.5).
 */
import type { Outcome } from "@chemstream/batch"
import { Context } from "effect"

/** The cached response: its `ETag`, e.g. `"33a64df5"`, and its body. */
export interface Revalidation {
  readonly etag: string
  readonly body: Uint8Array
  readonly truncated?: Outcome.Truncation | undefined
}

/** `cachedCalls.ts` sets it for one call. The request gets its headers from it, and `attempt.ts` the body after a 304. */
export const Revalidation: Context.Reference<Revalidation | undefined> = Context.Reference<
  Revalidation | undefined
>("@chemstream/client/internal/Revalidation", { defaultValue: () => undefined })
