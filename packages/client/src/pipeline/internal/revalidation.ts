/**
 * The answer the client already holds while it asks whether it still stands: sent as `If-None-Match`, and what a 304
 * means (RFC 9110, sections 13.1.2 and 15.4.5).
 */
import type { Outcome } from "@chemstream/batch"
import { Context } from "effect"

export interface Revalidation {
  readonly etag: string
  readonly body: Uint8Array
  readonly truncated?: Outcome.Truncation | undefined
}

/** Set around one call by `cache.ts`; read where the request gets its headers and where its answer is read. */
export const Revalidation: Context.Reference<Revalidation | undefined> = Context.Reference<
  Revalidation | undefined
>("@chemstream/client/internal/Revalidation", { defaultValue: () => undefined })
