/**
 * Arranges a structure for drawing: equal components are written once with their number, components stand beside each other, and
 * the sign of a charge is on the side without a bond. RDKit draws equal ions over each other, and the sign always on the right.
 *
 * The result is a SMILES with an extension (CXSMILES) that has coordinates and labels of atoms.
 */
import type { MainModule, Mol } from "@rdkit/rdkit"
import { symbols } from "./elementSymbols.ts"
import { type Atom, type Graph, graphOf } from "./moleculeGraph.ts"
import { using } from "./rdkit.ts"

/** An arranged structure. */
export interface Arrangement {
  /** The structure as SMILES with its extension. */
  readonly text: string
  /** Whether to draw dots at radicals. The unpaired electrons of an ion such as Cu²⁺ have none. */
  readonly includeRadicals: boolean
}

/** Returns the arranged structure. Undefined if RDKit's own drawing needs no change. */
export const arrange = (library: MainModule, text: string, molecule: Mol): Arrangement | undefined => {
  // A mol block has coordinates of its own, and an extension has labels of its own.
  if (/[\n|]/.test(text) || !/[.+-]/.test(text)) return undefined
  const counts = new Map<string, number>()
  for (const one of molecule.get_smiles().split(".")) counts.set(one, (counts.get(one) ?? 0) + 1)
  const smiles = [...counts.keys()].join(".")
  return using(library.get_mol(smiles), (distinct) => {
    distinct.set_new_coords()
    const graph = graphOf(distinct)
    const components = componentsOf(graph, [...counts.values()])
    return {
      text: extensionOf(smiles, graph, components),
      includeRadicals: components.some(
        ({ atoms }) => atoms.length > 1 && atoms.some((at) => (graph.atoms[at]?.radicals ?? 0) > 0)
      )
    }
  })
}

/** A component with its place. Lengths are those of RDKit, in which a bond has 1.5. */
interface Component {
  readonly atoms: ReadonlyArray<number>
  readonly count: number
  readonly box: Box
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** The space between components, the width of a character of a label, and the part of a label beside its atom. */
const gap = 1
const character = 0.62
const overhang = 0.7

const extensionOf = (smiles: string, graph: Graph, components: ReadonlyArray<Component>): string => {
  const labels = new Map<number, string>()
  for (const { atoms, count } of components) {
    const [only = 0, second] = atoms
    if (second === undefined && count > 1) labels.set(only, `${count} ${ionLabel(graph.atoms[only])}`)
  }
  graph.atoms.forEach((atom, at) => {
    if (hasSignOnBond(atom, at, graph))
      labels.set(at, `<sup>${chargeText(atom.charge)}</sup>${hydrogenText(atom)}${symbolOf(atom)}`)
  })
  const places = graph.atoms.map(({ x, y }) => ({ x, y }))
  let dummies = ""
  for (const { dx, dy, component } of arrangementOf(components)) {
    const { atoms, box, count } = component
    for (const at of atoms) {
      const { x, y } = graph.atoms[at] as Atom
      places[at] = { x: x + dx, y: y + dy }
    }
    if (count > 1 && atoms.length > 1) {
      labels.set(places.length, String(count))
      places.push({ x: box.left + dx + character / 2, y: box.bottom + dy + box.height / 2 })
      dummies += ".[*]"
    }
  }
  const coordinates = places.map(({ x, y }) => `${x.toFixed(4)},${y.toFixed(4)},`).join(";")
  const properties = [...labels].map(([at, label]) => `:${at}._displayLabel.${label}`).join("")
  return `${smiles}${dummies} |(${coordinates})${properties === "" ? "" : `,atomProp${properties}`}|`
}

/** Returns the components, the largest first. The written order of atoms has one component after the other. */
const componentsOf = ({ atoms, bonds }: Graph, counts: ReadonlyArray<number>): ReadonlyArray<Component> => {
  // Joins the atoms of each bond under the lowest of their component (union-find).
  const roots = atoms.map((_, at) => at)
  const rootOf = (at: number): number => (roots[at] === at ? at : rootOf(roots[at] as number))
  for (const { from, to } of bonds) roots[rootOf(Math.max(from, to))] = rootOf(Math.min(from, to))
  const groups = Map.groupBy(
    atoms.map((_, at) => at),
    rootOf
  )
  return [...groups.values()]
    .map((members, at): Component => {
      const count = counts[at] ?? 1
      return {
        atoms: members,
        count,
        box: boxOf(
          members.map((member) => atoms[member] as Atom),
          count
        )
      }
    })
    .sort((a, b) => b.atoms.length - a.atoms.length)
}

const boxOf = (atoms: ReadonlyArray<Atom>, count: number): Box => {
  const xs = atoms.map(({ x }) => x)
  const ys = atoms.map(({ y }) => y)
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)]
  // The label of a component of one atom has its middle there.
  const beside = atoms.length > 1 ? overhang : (count > 1 ? 2.5 : 1.5) * character
  const number = count > 1 && atoms.length > 1 ? 2 * character : 0
  return {
    left: left - beside - number,
    bottom,
    width: right - left + 2 * beside + number,
    height: top - bottom
  }
}

interface Place {
  readonly component: Component
  readonly dx: number
  readonly dy: number
}

/** Puts the components into a row, or the others below the largest, whichever has the better shape. */
const arrangementOf = (components: ReadonlyArray<Component>): ReadonlyArray<Place> => {
  const [main, ...others] = components
  if (main === undefined || others.length === 0)
    return components.map((component) => ({ component, dx: 0, dy: 0 }))
  const rowWidth = (row: ReadonlyArray<Component>): number =>
    row.reduce((sum, { box }) => sum + box.width + gap, -gap)
  const highest = Math.max(...others.map(({ box }) => box.height))
  const shape = (width: number, height: number): number => Math.abs(Math.log(width / (height + 1) / 1.4))
  const inRow = shape(rowWidth(components), Math.max(main.box.height, highest))
  const below = shape(Math.max(main.box.width, rowWidth(others)), main.box.height + gap + highest)
  if (inRow <= below) return rowOf(components, 0, 0)
  return [
    ...rowOf([main], 0, 0),
    ...rowOf(others, main.box.width / 2 - rowWidth(others) / 2, -main.box.height / 2 - gap - highest / 2)
  ]
}

/** Places components from `left` on, with their middles at a height. */
const rowOf = (components: ReadonlyArray<Component>, left: number, middle: number): ReadonlyArray<Place> => {
  let x = left
  return components.map((component): Place => {
    const { box } = component
    const place = { component, dx: x - box.left, dy: middle - box.bottom - box.height / 2 }
    x += box.width + gap
    return place
  })
}

/** Whether the sign of a charge, which RDKit writes on the right, would be on the only bond of an atom. */
const hasSignOnBond = (
  { charge, hydrogens, isotope, number, x }: Atom,
  at: number,
  { atoms, bonds }: Graph
): boolean => {
  // With hydrogens, RDKit puts both on the free side, but it draws none at carbon.
  if (charge === 0 || isotope > 0 || (hydrogens > 0 && number !== 6)) return false
  const [bond, second] = bonds.filter(({ from, to }) => from === at || to === at)
  if (bond === undefined || second !== undefined) return false
  return (atoms[bond.from === at ? bond.to : bond.from] as Atom).x > x + 0.1
}

const symbolOf = ({ number }: Atom): string => symbols[number] ?? "*"

const chargeText = (charge: number): string =>
  `${Math.abs(charge) > 1 ? Math.abs(charge) : ""}${charge > 0 ? "+" : "-"}`

const hydrogenText = ({ hydrogens }: Atom): string =>
  hydrogens === 0 ? "" : hydrogens === 1 ? "H" : `H<sub>${hydrogens}</sub>`

/** Elements of the groups 16 and 17, before which hydrogen is written. */
const afterHydrogen = new Set([8, 9, 16, 17, 34, 35, 52, 53])

/** Returns the label of a component of one atom, e.g. `Na<sup>+</sup>` or `H<sub>2</sub>O`. */
const ionLabel = (atom: Atom | undefined): string => {
  if (atom === undefined) return ""
  const { charge, isotope, number } = atom
  const symbol = `${isotope > 0 ? `<sup>${isotope}</sup>` : ""}${symbolOf(atom)}`
  const hydrogen = hydrogenText(atom)
  const sign = charge === 0 ? "" : `<sup>${chargeText(charge)}</sup>`
  return `${afterHydrogen.has(number) ? hydrogen + symbol : symbol + hydrogen}${sign}`
}
