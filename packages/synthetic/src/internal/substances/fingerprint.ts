/**
 * Structural fingerprints that are made up: substances with a fragment in common have bits in common, and nothing else
 * is meant by a bit. In size and density as public deployments have them.
 */
import { mix } from "../numbers/random.ts"

/** The number of bits. */
const length = 729

/** How many bits a fragment sets. */
const bitsOfFragment = 6

// Nine bits at a time, from a table: the text is two thirds of a record.
const groupSize = 9

const texts = Array.from({ length: 1 << groupSize }, (_, bits) =>
  Array.from({ length: groupSize }, (_, place) => (bits >> place) & 1).join("\t")
)

/** The fingerprint of some features: tab-separated 0 and 1. */
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
