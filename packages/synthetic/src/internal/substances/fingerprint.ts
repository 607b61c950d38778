/**
 * Generates structural fingerprints with the size and density of real ones.
 *
 * Substances with a common fragment have common bits. The bits have no other meaning.
 */
import { mix } from "../numbers/seededRandom.ts"

/** The number of bits. */
const length = 729

/** The number of bits that a fragment sets. */
const bitsOfFragment = 6

// Nine bits at a time, from a table: the fingerprint is two thirds of a record.
const groupSize = 9

/** The text of each group of bits, by the bits as a number. */
const texts = Array.from({ length: 1 << groupSize }, (_, bits) =>
  Array.from({ length: groupSize }, (_, place) => (bits >> place) & 1).join("\t")
)

/** Returns the fingerprint of some features: 0 and 1, separated by tabs. */
export const fingerprint = (features: ReadonlyArray<number>): string => {
  const groups = new Uint16Array(length / groupSize)
  for (const feature of features) {
    for (let n = 0; n < bitsOfFragment; n++) {
      const bit = mix(feature, n) % length
      const group = Math.floor(bit / groupSize)
      groups[group] = (groups[group] as number) | (1 << (bit % groupSize))
    }
  }
  let text = texts[groups[0] as number] as string
  for (let n = 1; n < groups.length; n++) text += `\t${texts[groups[n] as number]}`
  return text
}
