/** Copies bytes, short pieces in a loop and long ones at once. */

// Below this length a loop is faster than a view and a call of `set`.
const LOOP_BYTES = 48

/** Copies `from[start, end)` to `out` at `at`. Returns the index after it. */
export const copyBytes = (
  from: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  at: number
): number => {
  if (end - start >= LOOP_BYTES) {
    out.set(from.subarray(start, end), at)
    return at + end - start
  }
  let o = at
  for (let i = start; i < end; i++) out[o++] = from[i] as number
  return o
}
