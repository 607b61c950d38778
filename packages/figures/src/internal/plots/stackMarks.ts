/**
 * Stacks the marks of a plot that would cover each other, so that each one is seen. Lengths are in pixels.
 */

/** The rows of marks, from the top. */
export interface Stack {
  readonly radius: number
  /** The row of each mark, in the order of the positions. */
  readonly rows: ReadonlyArray<number>
  readonly rowCount: number
  /** The number of marks that found no free place. */
  readonly overlapping: number
}

/** Returns the distance between the middles of neighbouring marks. */
export const pitchOf = (radius: number): number => 2 * radius + 0.6

/** The smallest radius of a mark, in pixels. */
const smallestRadius = 1.2

/** Returns the rows of marks at positions in ascending order. The marks get smaller until all have a place. */
export const stack = (positions: ReadonlyArray<number>, height: number, largestRadius: number): Stack => {
  for (let radius = largestRadius; ; radius -= 0.2) {
    const stacked = stackOf(positions, height, radius)
    if (radius - 0.2 < smallestRadius || stacked.overlapping === 0) return stacked
  }
}

const stackOf = (positions: ReadonlyArray<number>, height: number, radius: number): Stack => {
  const pitch = pitchOf(radius)
  const mostRows = Math.max(1, Math.floor(height / pitch))
  const ends: Array<number> = []
  let overlapping = 0
  const rows = positions.map((position) => {
    // The first row with room, or else a new row. Without either, marks overlap in turn.
    const free = ends.findIndex((end) => position - end >= pitch)
    const row = free >= 0 ? free : ends.length < mostRows ? ends.length : overlapping++ % mostRows
    ends[row] = position
    return row
  })
  return { radius, rows, rowCount: Math.max(1, ends.length), overlapping }
}
