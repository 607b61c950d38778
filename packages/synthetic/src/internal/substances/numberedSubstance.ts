/**
 * Makes the substance with a given number: its names, and a structure, a salt or neither.
 *
 * About 3 in 100 substances have no single structure; their structure fields are null. About 4 in 100 are a salt of
 * the substance before them, so that both have the same MS-ready form.
 */
import { Dtxcid, Dtxsid } from "@chemstream/api"
import { choose, type Random } from "../numbers/seededRandom.ts"
import { add, type Composition, parse } from "../structures/elementalComposition.ts"
import { type Structure, structure } from "../structures/numberedStructure.ts"
import * as names from "./inventedNames.ts"

/** The number of the first substance. It is in the fictitious range, above the bundled data. */
export const firstNumber = 100_000_001

/** The properties of a substance that all kinds of records share. */
export interface Substance {
  readonly index: number
  readonly number: number
  readonly dtxsid: string
  readonly dtxcid: string | null
  readonly casrn: string
  readonly preferredName: string
  /** Null if there is no structure. */
  readonly systematicName: string | null
  /** The systematic name as in an index, the parent first. Null for a salt. */
  readonly indexName: string | null
  readonly commonName: string
  readonly isMarkush: boolean
  /** Null if there is no single structure. */
  readonly structure: {
    readonly smiles: string
    readonly msReadySmiles: string
    readonly composition: Composition
    readonly components: number
    readonly features: ReadonlyArray<number>
  } | null
}

interface CounterIon {
  readonly name: string
  readonly smiles: string
  readonly composition: Composition
}

const acids: ReadonlyArray<CounterIon> = [
  { name: "hydrochloride", smiles: "Cl", composition: parse("HCl") },
  { name: "hydrobromide", smiles: "Br", composition: parse("HBr") },
  { name: "methanesulfonate", smiles: "CS(O)(=O)=O", composition: parse("CH4O3S") }
]

const metals: ReadonlyArray<CounterIon> = [
  { name: "sodium salt", smiles: "[Na+]", composition: parse("Na") },
  { name: "potassium salt", smiles: "[K+]", composition: parse("K") }
]

const proton = parse("H")

/** Returns the substance at `index`, from 0. It uses the first draws of `random`, and its records the later ones. */
export const substance = (seed: number, index: number, random: Random): Substance => {
  const number = firstNumber + index
  const kind = random.integerBelow(1000)
  const commonName = names.commonName(seed, index)
  const own = { index, number, dtxsid: Dtxsid.fromNumber(number), casrn: `NOCAS_${number}`, commonName }
  if (kind < 30) {
    const base = structure(seed, index).name
    return {
      ...own,
      dtxcid: null,
      preferredName: unstructuredName(random, base),
      systematicName: null,
      indexName: null,
      isMarkush: kind < 5,
      structure: null
    }
  }
  // Half of the structures have a group that can form a salt.
  const salt = kind < 110 && index > 0 ? saltOf(random, structure(seed, index - 1)) : undefined
  const described = salt ?? singleComponent(structure(seed, index))
  return {
    ...own,
    dtxcid: Dtxcid.fromNumber(number),
    preferredName:
      salt === undefined && random.integerBelow(5) < 2 ? commonName : names.capitalize(described.name),
    systematicName: described.name,
    indexName: described.indexName,
    isMarkush: false,
    structure: described
  }
}

type NamedStructure = NonNullable<Substance["structure"]> & {
  readonly name: string
  readonly indexName: string | null
}

const singleComponent = ({ composition, features, name, parent, smiles }: Structure): NamedStructure => ({
  name,
  indexName: names.indexNameOf(name, parent),
  smiles,
  msReadySmiles: smiles,
  composition,
  components: 1,
  features
})

const saltOf = (random: Random, parent: Structure): NamedStructure | undefined => {
  const { composition, features, ionised, name, smiles } = parent
  const shared = { indexName: null, msReadySmiles: smiles, components: 2, features }
  if (ionised !== undefined) {
    const metal = choose(random, metals)
    return {
      ...shared,
      name: `${name}, ${metal.name}`,
      smiles: `${metal.smiles}.${ionised}`,
      composition: add(add(composition, proton, -1), metal.composition)
    }
  }
  if (!parent.basic) return undefined
  const acid = choose(random, acids)
  return {
    ...shared,
    name: `${name} ${acid.name}`,
    smiles: `${acid.smiles}.${smiles}`,
    composition: add(composition, acid.composition)
  }
}

const unstructuredName = (random: Random, base: string): string => {
  const chain = 4 + 2 * random.integerBelow(5)
  return choose(random, [
    `Fatty acids, C${chain + 6}-${chain + 10}, reaction products with ${base}`,
    `${chain}:2/${chain + 2}:2 fluorotelomer ester of ${base}`,
    `Formaldehyde, polymer with ${base}`,
    `${names.capitalize(base)}, mixed isomers`
  ])
}
