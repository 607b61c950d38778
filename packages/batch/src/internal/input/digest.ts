/**
 * Computes a running digest of a sequence of texts. It recognises an input, but gives no security.
 *
 * Two lanes of 32 bits (cyrb53 by bryc, public domain). The digest depends on the texts and their boundaries.
 */

/** A digest of the texts that were added. */
export interface Digest {
  readonly add: (text: string) => void
  /** Returns the digest of everything added so far, as 16 hexadecimal digits. */
  readonly value: () => string
}

/** Makes an empty digest. The numbers are those of cyrb53. */
export const digest = (): Digest => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  const mix = (code: number): void => {
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return {
    add: (text) => {
      for (let i = 0; i < text.length; i++) mix(text.charCodeAt(i))
      mix(0x10000)
    },
    value: () => hexadecimal(high) + hexadecimal(low)
  }
}

const hexadecimal = (lane: number): string => (lane >>> 0).toString(16).padStart(8, "0")
