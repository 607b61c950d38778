/** Draws a structure with coordinates as lines of braille dots, 2 × 4 per character, with letters at atoms. */
import { symbols } from "./elementSymbols.ts"
import type { Atom, Graph } from "./moleculeGraph.ts"

/** The largest scale, in dots per ångström. At this scale a bond is four characters long. */
const largestScale = 7

/** The columns on each side that are reserved for letters: `NH3+`. */
const margin = 4

/** The bit of each dot of a braille character, by column and row (Unicode, braille patterns). */
const bits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80]
] as const

/** Draws a graph within `columns` and `rows`. Lines end without spaces. */
export const draw = (graph: Graph, size: { readonly columns: number; readonly rows: number }): string => {
  const columns = Math.max(size.columns, 2 * margin + 2)
  const rows = Math.max(size.rows, 3)
  const xs = graph.atoms.map(({ x }) => x)
  const ys = graph.atoms.map(({ y }) => y)
  const left = Math.min(...xs)
  const top = Math.max(...ys)
  const width = Math.max(...xs) - left
  const height = top - Math.min(...ys)
  const scale = Math.min(
    largestScale,
    ((columns - 2 * margin) * 2 - 2) / Math.max(width, 1e-9),
    ((rows - 1) * 4 - 2) / Math.max(height, 1e-9)
  )
  const places = graph.atoms.map(({ x, y }) => ({
    x: (x - left) * scale + 2 * margin,
    y: (top - y) * scale + 1
  }))
  const cells = new Cells()
  for (const { from, order, to } of graph.bonds) {
    const a = places[from]
    const b = places[to]
    if (a !== undefined && b !== undefined) cells.bond(a, b, order)
  }
  for (const [at, atom] of graph.atoms.entries()) {
    const place = places[at]
    if (place === undefined) continue
    const neighbours = graph.bonds.flatMap(({ from, to }) => (from === at ? [to] : to === at ? [from] : []))
    const isLeft =
      neighbours.length > 0 && neighbours.every((other) => (places[other]?.x ?? 0) > place.x + 0.5)
    const label = labelOf(atom, neighbours.length)
    if (label !== undefined) cells.letters(place, label, isLeft)
  }
  return cells.toString()
}

interface Label {
  readonly symbol: string
  readonly hydrogens: string
  readonly charge: string
}

/** Returns the letters of an atom. Undefined for a carbon, which its bonds show. */
const labelOf = ({ charge, hydrogens, isotope, number }: Atom, neighbours: number): Label | undefined => {
  if (number === 6 && neighbours > 0 && charge === 0 && isotope === 0) return undefined
  const chargeText = Math.abs(charge) > 1 ? `${Math.abs(charge)}` : ""
  return {
    symbol: `${isotope === 0 ? "" : isotope}${symbols[number] ?? "?"}`,
    hydrogens: hydrogens === 0 ? "" : hydrogens === 1 ? "H" : `H${hydrogens}`,
    charge: charge === 0 ? "" : `${chargeText}${charge > 0 ? "+" : "-"}`
  }
}

interface Place {
  readonly x: number
  readonly y: number
}

class Cells {
  readonly #dots = new Map<number, Map<number, number>>()
  readonly #letters = new Map<number, Map<number, string>>()

  bond(a: Place, b: Place, order: number): void {
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
    const perpendicular = { x: (a.y - b.y) / length, y: (b.x - a.x) / length }
    const offsets = order === 2 ? [-1, 1] : order === 3 ? [-2, 0, 2] : [0]
    for (const offset of offsets) {
      const shift = { x: perpendicular.x * offset, y: perpendicular.y * offset }
      const steps = Math.ceil(length * 2)
      for (let step = 0; step <= steps; step++) {
        const share = step / steps
        this.#dot(a.x + (b.x - a.x) * share + shift.x, a.y + (b.y - a.y) * share + shift.y)
      }
    }
  }

  letters(place: Place, { charge, hydrogens, symbol }: Label, isLeft: boolean): void {
    const text = isLeft ? `${hydrogens}${charge}${symbol}` : `${symbol}${hydrogens}${charge}`
    const column = Math.floor(Math.round(place.x) / 2)
    const row = Math.floor(Math.round(place.y) / 4)
    const first = Math.max(0, isLeft ? column - text.length + 1 : column)
    const cells = rowOf(this.#letters, row)
    for (const [at, letter] of [...text].entries()) cells.set(first + at, letter)
  }

  toString(): string {
    const rows = [...this.#dots.keys(), ...this.#letters.keys()]
    const lines: Array<string> = []
    for (let row = 0; row <= Math.max(...rows); row++) {
      const dots = this.#dots.get(row)
      const letters = this.#letters.get(row)
      const last = Math.max(-1, ...(dots?.keys() ?? []), ...(letters?.keys() ?? []))
      const cells = Array.from({ length: last + 1 }, (_, column) => {
        const pattern = dots?.get(column)
        return letters?.get(column) ?? (pattern === undefined ? " " : String.fromCharCode(0x2800 + pattern))
      })
      lines.push(cells.join(""))
    }
    const used = lines.filter((line) => line !== "")
    const indent = Math.min(...used.map((line) => line.length - line.trimStart().length))
    const from = lines.findIndex((line) => line !== "")
    return lines
      .slice(from)
      .map((line) => line.slice(indent))
      .join("\n")
  }

  #dot(x: number, y: number): void {
    const column = Math.max(0, Math.round(x))
    const row = Math.max(0, Math.round(y))
    const cells = rowOf(this.#dots, row >> 2)
    const bit = bits[(column & 1) as 0 | 1][(row & 3) as 0 | 1 | 2 | 3]
    cells.set(column >> 1, (cells.get(column >> 1) ?? 0) | bit)
  }
}

const rowOf = <A>(rows: Map<number, Map<number, A>>, row: number): Map<number, A> => {
  const existing = rows.get(row)
  if (existing !== undefined) return existing
  const created = new Map<number, A>()
  rows.set(row, created)
  return created
}
