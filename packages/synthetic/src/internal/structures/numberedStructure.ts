/**
 * Makes the structure with a given number: SMILES, name and composition, joined from `structureFragments.ts`.
 *
 * A number is read as digits, one for each fragment (`scatteredDigits.ts`). Different numbers give different names, and almost always
 * different structures. Of the low numbers, three of four are a core with up to three substituents; in the others, and in all higher
 * ones, an aryl group on a linker replaces the third. Some of its locants have a prime, as those of a second ring. Salts and
 * mixtures are made by `numberedSubstance.ts`.
 */

import { scatter } from "../numbers/scatteredDigits.ts"
import { mix } from "../numbers/seededRandom.ts"
import { add, type Composition } from "./elementalComposition.ts"
import {
  aryls,
  cores,
  hydrogen,
  labelledSubstituents,
  linkers,
  substituents as offered,
  type Substituent
} from "./structureFragments.ts"

/** A structure of one component. */
export interface Structure {
  readonly smiles: string
  /** Systematic, in lower case: substituents, then the parent. */
  readonly name: string
  /** The name of the core, the last part of the name. */
  readonly parent: string
  readonly composition: Composition
  /** Whether a group accepts an acid. */
  readonly basic: boolean
  /** The SMILES without the proton of one acid group, if there is one. */
  readonly ionised: string | undefined
  /** The fragments as small numbers, each kind from another hundred: the input of the fingerprint. */
  readonly features: ReadonlyArray<number>
}

// The first position of a core is never empty, so that every structure has a substituent.
const firstSubstituents = [...offered.slice(1), ...labelledSubstituents]

// Substituents without rings, for the positions of aryl groups.
const arylSubstituents = offered.filter(({ smiles }) => !smiles.includes("4"))

const plainRadices = [cores.length, firstSubstituents.length, offered.length, offered.length]

const plainStructureCount = plainRadices.reduce((product, radix) => product * radix, 1)

const linkedRadices = [
  cores.length,
  firstSubstituents.length,
  offered.length,
  linkers.length,
  aryls.length,
  // The first position of an aryl group is never empty: unsubstituted aryl groups are among the substituents.
  arylSubstituents.length - 1,
  arylSubstituents.length
]

/** The number of different structures. */
export const structureCount: number = linkedRadices.reduce((product, radix) => product * radix, 1)

/** Returns the structure of a number for a seed. The number must be below `structureCount`. */
export const structure = (seed: number, number: number): Structure => {
  // The last argument of `mix` tells apart the hashes that decide about one number: 2 here, and 3 below.
  const isPlain = number < plainStructureCount && mix(seed, number, 2) % 4 > 0
  const [core = 0, a = 0, b = 0, ...rest] = scatter(number, isPlain ? plainRadices : linkedRadices, seed)
  const third = isPlain
    ? { group: offered[rest[0] ?? 0] as Substituent, features: [300 + (rest[0] ?? 0)] }
    : withAryl(rest, mix(seed, number, 3) % 16 === 0 ? "′" : "")
  const { composition, locants, name, pieces } = cores[core] as (typeof cores)[number]
  const groups = [firstSubstituents[a] as Substituent, offered[b] as Substituent, third.group]
  const ionisable = groups.findIndex(({ ionised }) => ionised !== undefined)
  return {
    smiles: joinPieces(pieces, groups),
    name: systematicName(groups, locants, name),
    parent: name,
    composition: substitute(composition, groups),
    basic: groups.some(({ basic }) => basic),
    ionised: ionisable < 0 ? undefined : joinPieces(pieces, groups, ionisable),
    features: [core, 100 + a, 200 + b, ...third.features]
  }
}

const withAryl = (
  [linkerIndex = 0, arylIndex = 0, d = 0, e = 0]: ReadonlyArray<number>,
  prime: string
): { readonly group: Substituent; readonly features: ReadonlyArray<number> } => {
  const linker = linkers[linkerIndex] as (typeof linkers)[number]
  const aryl = aryls[arylIndex] as (typeof aryls)[number]
  const groups = [arylSubstituents[d + 1] as Substituent, arylSubstituents[e] as Substituent]
  const inner = systematicName(groups, aryl.locants, aryl.name, (locant) => `${locant}${prime}`)
  const ring = joinPieces(aryl.pieces, groups)
  return {
    group: {
      name: linker.name.replace("*", inner),
      smiles: linker.smiles + ring,
      composition: add(linker.composition, substitute(aryl.composition, groups)),
      basic: groups.some(({ basic }) => basic),
      ionised: undefined
    },
    features: [400 + linkerIndex, 420 + arylIndex, 500 + d, 600 + e]
  }
}

const joinPieces = (
  pieces: ReadonlyArray<string>,
  groups: ReadonlyArray<Substituent>,
  ionised = -1
): string =>
  pieces
    .map((piece, place) => {
      const group = groups[place - 1]
      const smiles = place - 1 === ionised ? group?.ionised : group?.smiles
      return smiles ? `(${smiles})${piece}` : piece
    })
    .join("")

const substitute = (unsubstituted: Composition, groups: ReadonlyArray<Substituent>): Composition =>
  groups.reduce(
    (composition, group) =>
      group === hydrogen ? composition : add(add(composition, hydrogen.composition, -1), group.composition),
    unsubstituted
  )

const multipliers = ["", "", "di", "tri"]

const multipliersOfGroups = ["", "", "bis", "tris"]

// Substituents in alphabetical order, equal ones together, as in a systematic name.
const systematicName = (
  groups: ReadonlyArray<Substituent>,
  locants: ReadonlyArray<number>,
  parent: string,
  formatLocant: (locant: number) => string = String
): string => {
  const substituted = groups.flatMap((group, place) =>
    group === hydrogen ? [] : [{ name: group.name, locant: locants[place] as number }]
  )
  const prefixes = [...Map.groupBy(substituted, ({ name }) => name)]
    .map(([name, places]) => ({ name, places, order: name.replace(/^[^a-zα-ω]*/, "") }))
    .sort((x, y) => (x.order < y.order ? -1 : 1))
    .map(({ name, places }) => {
      const times = (/^[([]/.test(name) ? multipliersOfGroups : multipliers)[places.length] ?? ""
      const at = places.map(({ locant }) => locant).sort((x, y) => x - y)
      return `${at.map(formatLocant).join(",")}-${times}${name}`
    })
  return `${prefixes.join("-")}${/^\d/.test(parent) ? "-" : ""}${parent}`
}
