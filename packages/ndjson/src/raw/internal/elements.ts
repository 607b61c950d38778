/**
 * Chunks of a JSON array to what is made of its elements.
 */

import { atLeastOne } from "../../internal/bounds.ts"
import type { Feeder } from "../../streams/internal/feeder.ts"
import type { RawJsonError } from "../RawJsonError.ts"
import { type Elements, Scanner } from "./arrayScanner.ts"

/** The default of `maxElementBytes`: 64 MiB. */
export const MAX_ELEMENT_BYTES: number = 64 * 1024 * 1024

export interface ElementOptions {
  /** The longest element, in bytes; a longer one fails with `too-large`. Default 64 MiB. */
  readonly maxElementBytes?: number | undefined
}

/** A feeder of its own for each run. */
export const cutting = <Out>(
  elements: Elements<Out>,
  options: ElementOptions | undefined
): (() => Feeder<Uint8Array, Out, RawJsonError>) => {
  const max = atLeastOne("maxElementBytes", options?.maxElementBytes ?? MAX_ELEMENT_BYTES)
  return () => new Scanner(max, elements)
}
