/**
 * The answer the client already holds while it asks whether it still stands: sent as `If-None-Match`, and what a 304
 * means (RFC 9110, sections 13.1.2 and 15.4.5).
 */
import type { Outcome } from "@chemstream/batch"
import { Context } from "effect"

export interface Held {
  readonly etag: string
  readonly body: Uint8Array
  readonly truncated?: Outcome.Truncation | undefined
}

/** Set around one call by `cached.ts`; read where the request gets its headers and where its answer is read. */
export const Held: Context.Reference<Held | undefined> = Context.Reference<Held | undefined>(
  "@chemstream/client/internal/Held",
  { defaultValue: () => undefined }
)
