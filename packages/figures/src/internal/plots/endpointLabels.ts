/**
 * Labels marks with lines that lead to them. No label covers another label or its line.
 *
 * The labels are rows above the plot. All texts run to the side with more room. The mark on the other side has the top row,
 * so each line passes the lower texts on their free side.
 */
import { type Markup, markup } from "../text/markup.ts"
import { shorten, textWidth } from "../text/textWidth.ts"

/** A mark with its label, in pixels. */
export interface Label {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** Returns the height of the rows. */
export const heightOf = (count: number, em: number): number => (count === 0 ? 0 : (count * 1.25 + 0.5) * em)

/** Draws the labels. `left` and `right` bound the texts, and `top` is where their rows begin. */
export const drawLabels = (
  labels: ReadonlyArray<Label>,
  { em, left, right, top }: Readonly<Record<"em" | "left" | "right" | "top", number>>
): ReadonlyArray<Markup> => {
  const gap = 0.4 * em
  const leastRoom = (room: (label: Label) => number): number =>
    Math.min(...labels.map((label) => room(label) - textWidth(label.text, em)))
  const isRight = leastRoom(({ x }) => right - x) >= leastRoom(({ x }) => x - left)
  return labels
    .toSorted((a, b) => (isRight ? a.x - b.x : b.x - a.x))
    .map(({ text, x, y }, row) => {
      const baseline = top + (row + 0.85) * 1.25 * em
      const room = (isRight ? right - x : x - left) - gap
      return markup`<path d="M${x},${baseline - 0.7 * em} V${y}" stroke="#555555" stroke-width="0.6" fill="none"/><text x="${x + (isRight ? gap : -gap)}" y="${baseline}" font-size="${em}" text-anchor="${isRight ? "start" : "end"}">${shorten(text, room, em)}</text>
`
    })
}
