// biome-ignore-all format: tables, one fragment a line.
/**
 * The fragments of structures: cores with three positions, substituents, linkers and aryl groups.
 *
 * Each fragment has a name, a SMILES and a composition; `numberedStructure.ts` joins them. `{a}`, `{b}`, `{c}` are the
 * positions. The composition of a core counts a hydrogen at each position; that of a group leaves its own bond
 * open.
 *
 * Cores use the ring numbers 1 to 3, substituents 4 and 5, aryl groups 6 and 7, so that ring numbers never clash.
 * There are no stereocentres and no metals, and charges only in nitro groups and salts. Every position of a core is
 * a carbon.
 */
import { type Composition, parse } from "./elementalComposition.ts"

/** A ring system or chain, and the locants of its three positions. */
export interface Core {
  readonly name: string
  readonly pieces: ReadonlyArray<string>
  readonly locants: readonly [number, number, number]
  readonly composition: Composition
}

/** A group at one position. `basic` groups accept an acid; `ionised` is the SMILES without the acidic proton. */
export interface Substituent {
  readonly name: string
  readonly smiles: string
  readonly composition: Composition
  readonly basic: boolean
  readonly ionised: string | undefined
}

/** Joins an aryl group to a core. In `name`, `*` stands for the name of the aryl group. */
export interface Linker {
  readonly name: string
  readonly smiles: string
  readonly composition: Composition
}

/** A ring system with one open bond and two positions. */
export interface Aryl {
  readonly name: string
  readonly pieces: ReadonlyArray<string>
  readonly locants: readonly [number, number]
  readonly composition: Composition
}

const pieces = (smiles: string): ReadonlyArray<string> => smiles.split(/\{[abc]\}/)

const core = (name: string, smiles: string, a: number, b: number, c: number, composition: string): Core => ({ name, pieces: pieces(smiles), locants: [a, b, c], composition: parse(composition) })

const group = (name: string, smiles: string, composition: string, kind?: "basic" | { readonly ionised: string }): Substituent => ({ name, smiles, composition: parse(composition), basic: kind === "basic", ionised: typeof kind === "object" ? kind.ionised : undefined })

const linker = (name: string, smiles: string, composition: string): Linker => ({ name, smiles, composition: parse(composition) })

const aryl = (name: string, smiles: string, a: number, b: number, composition: string): Aryl => ({ name, pieces: pieces(smiles), locants: [a, b], composition: parse(composition) })

export const cores: ReadonlyArray<Core> = [
  core("benzene", "c1{a}c{b}cc{c}cc1", 1, 2, 4, "C6H6"),
  core("pyridine", "n1c{a}c{b}cc{c}c1", 2, 3, 5, "C5H5N"),
  core("pyrimidine", "n1c{a}nc{b}c{c}c1", 2, 4, 5, "C4H4N2"),
  core("pyrazine", "n1c{a}c{b}nc{c}c1", 2, 3, 5, "C4H4N2"),
  core("pyridazine", "n1nc{a}c{b}c{c}c1", 3, 4, 5, "C4H4N2"),
  core("1,3,5-triazine", "n1c{a}nc{b}nc1{c}", 2, 4, 6, "C3H3N3"),
  core("thiophene", "s1c{a}c{b}c{c}c1", 2, 3, 4, "C4H4S"),
  core("furan", "o1c{a}c{b}c{c}c1", 2, 3, 4, "C4H4O"),
  core("1H-pyrrole", "[nH]1c{a}c{b}c{c}c1", 2, 3, 4, "C4H5N"),
  core("1H-imidazole", "[nH]1c{a}nc{b}c1{c}", 2, 4, 5, "C3H4N2"),
  core("1H-pyrazole", "[nH]1nc{a}c{b}c1{c}", 3, 4, 5, "C3H4N2"),
  core("naphthalene", "c1{a}c{b}ccc2c{c}cccc12", 1, 2, 5, "C10H8"),
  core("anthracene", "c1{a}c{b}ccc2cc3cc{c}ccc3cc12", 1, 2, 6, "C14H10"),
  core("quinoline", "n1c{a}c{b}cc2cc{c}ccc12", 2, 3, 6, "C9H7N"),
  core("isoquinoline", "c1{a}nc{b}cc2cc{c}ccc12", 1, 3, 6, "C9H7N"),
  core("quinazoline", "n1c{a}nc{b}c2cc{c}ccc12", 2, 4, 6, "C8H6N2"),
  core("quinoxaline", "n1c{a}c{b}nc2cc{c}ccc12", 2, 3, 6, "C8H6N2"),
  core("1H-indole", "[nH]1c{a}c{b}c2cc{c}ccc12", 2, 3, 5, "C8H7N"),
  core("1H-indazole", "[nH]1nc{a}c2cc{b}c{c}cc12", 3, 5, 6, "C7H6N2"),
  core("1H-benzimidazole", "[nH]1c{a}nc2cc{b}c{c}cc12", 2, 5, 6, "C7H6N2"),
  core("1-benzofuran", "o1c{a}c{b}c2cc{c}ccc12", 2, 3, 5, "C8H6O"),
  core("1-benzothiophene", "s1c{a}c{b}c2cc{c}ccc12", 2, 3, 5, "C8H6S"),
  core("1,3-benzothiazole", "s1c{a}nc2cc{b}c{c}cc12", 2, 5, 6, "C7H5NS"),
  core("1,3-benzoxazole", "o1c{a}nc2cc{b}c{c}cc12", 2, 5, 6, "C7H5NO"),
  core("2H-chromen-2-one", "O=c1oc2cc{c}ccc2c{b}c1{a}", 7, 4, 3, "C9H6O2"),
  core("anthracene-9,10-dione", "O=C1c2c{a}c{b}ccc2C(=O)c2cc{c}ccc12", 1, 2, 6, "C14H8O2"),
  core("cyclopentane", "C1{a}C{b}C{c}CC1", 1, 2, 3, "C5H10"),
  core("cyclohexane", "C1{a}C{b}CC{c}CC1", 1, 2, 4, "C6H12"),
  core("oxolane", "O1C{a}C{b}C{c}C1", 2, 3, 4, "C4H8O"),
  core("oxane", "O1C{a}C{b}C{c}CC1", 2, 3, 4, "C5H10O"),
  core("thiolane", "S1C{a}C{b}C{c}C1", 2, 3, 4, "C4H8S"),
  core("pyrrolidine", "N1C{a}C{b}C{c}C1", 2, 3, 4, "C4H9N"),
  core("piperidine", "N1C{a}C{b}C{c}CC1", 2, 3, 4, "C5H11N"),
  core("morpholine", "O1C{a}C{b}NCC1{c}", 2, 3, 6, "C4H9NO"),
  core("propane", "C{a}C{b}C{c}", 1, 2, 3, "C3H8"),
  core("butane", "C{a}C{b}CC{c}", 1, 2, 4, "C4H10"),
  core("pentane", "CC{a}C{b}C{c}C", 2, 3, 4, "C5H12"),
  core("heptane", "CCC{a}C{b}C{c}CC", 3, 4, 5, "C7H16")
]

/** The empty substituent. */
export const hydrogen: Substituent = group("", "", "H")

export const substituents: ReadonlyArray<Substituent> = [
  hydrogen,
  group("chloro", "Cl", "Cl"),
  group("bromo", "Br", "Br"),
  group("fluoro", "F", "F"),
  group("iodo", "I", "I"),
  group("methyl", "C", "CH3"),
  group("ethyl", "CC", "C2H5"),
  group("propyl", "CCC", "C3H7"),
  group("butyl", "CCCC", "C4H9"),
  group("(propan-2-yl)", "C(C)C", "C3H7"),
  group("tert-butyl", "C(C)(C)C", "C4H9"),
  group("octyl", "CCCCCCCC", "C8H17"),
  group("dodecyl", "CCCCCCCCCCCC", "C12H25"),
  group("cyclopropyl", "C4CC4", "C3H5"),
  group("cyclohexyl", "C4CCCCC4", "C6H11"),
  group("ethenyl", "C=C", "C2H3"),
  group("ethynyl", "C#C", "C2H"),
  group("(prop-2-en-1-yl)", "CC=C", "C3H5"),
  group("hydroxy", "O", "HO"),
  group("methoxy", "OC", "CH3O"),
  group("ethoxy", "OCC", "C2H5O"),
  group("[(propan-2-yl)oxy]", "OC(C)C", "C3H7O"),
  group("(octyloxy)", "OCCCCCCCC", "C8H17O"),
  group("(trifluoromethyl)", "C(F)(F)F", "CF3"),
  group("(difluoromethyl)", "C(F)F", "CHF2"),
  group("(trifluoromethoxy)", "OC(F)(F)F", "CF3O"),
  group("(heptafluoropropyl)", "C(F)(F)C(F)(F)C(F)(F)F", "C3F7"),
  group("(chloromethyl)", "CCl", "CH2Cl"),
  group("(2-chloroethyl)", "CCCl", "C2H4Cl"),
  group("(ω-bromobutyl)", "CCCCBr", "C4H8Br"),
  group("cyano", "C#N", "CN"),
  group("nitro", "[N+](=O)[O-]", "NO2"),
  group("amino", "N", "H2N", "basic"),
  group("(methylamino)", "NC", "CH4N", "basic"),
  group("(dimethylamino)", "N(C)C", "C2H6N", "basic"),
  group("(diethylamino)", "N(CC)CC", "C4H10N", "basic"),
  group("(aminomethyl)", "CN", "CH4N", "basic"),
  group("(2-aminoethyl)", "CCN", "C2H6N", "basic"),
  group("acetyl", "C(C)=O", "C2H3O"),
  group("formyl", "C=O", "CHO"),
  group("carboxy", "C(=O)O", "CHO2", { ionised: "C(=O)[O-]" }),
  group("(carboxymethyl)", "CC(=O)O", "C2H3O2", { ionised: "CC(=O)[O-]" }),
  group("sulfo", "S(=O)(=O)O", "HO3S", { ionised: "S(=O)(=O)[O-]" }),
  group("(methoxycarbonyl)", "C(=O)OC", "C2H3O2"),
  group("(ethoxycarbonyl)", "C(=O)OCC", "C3H5O2"),
  group("carbamoyl", "C(N)=O", "CH2NO"),
  group("acetamido", "NC(C)=O", "C2H4NO"),
  group("sulfamoyl", "S(N)(=O)=O", "H2NO2S"),
  group("(methanesulfonyl)", "S(C)(=O)=O", "CH3O2S"),
  group("(methylsulfanyl)", "SC", "CH3S"),
  group("sulfanyl", "S", "HS"),
  group("(hydroxymethyl)", "CO", "CH3O"),
  group("(2-hydroxyethyl)", "CCO", "C2H5O"),
  group("(β-hydroxypropyl)", "CC(C)O", "C3H7O"),
  group("(γ-oxobutyl)", "CCC(C)=O", "C4H7O"),
  group("(morpholin-4-yl)", "N4CCOCC4", "C4H8NO", "basic"),
  group("(piperidin-1-yl)", "N4CCCCC4", "C5H10N", "basic"),
  group("(pyrrolidin-1-yl)", "N4CCCC4", "C4H8N", "basic"),
  group("(4-methylpiperazin-1-yl)", "N4CCN(C)CC4", "C5H11N2", "basic"),
  group("phenyl", "c4ccccc4", "C6H5"),
  group("benzyl", "Cc4ccccc4", "C7H7"),
  group("(α-methylbenzyl)", "C(C)c4ccccc4", "C8H9"),
  group("phenoxy", "Oc4ccccc4", "C6H5O"),
  group("(benzyloxy)", "OCc4ccccc4", "C7H7O"),
  group("(thiophen-2-yl)", "c4cccs4", "C4H3S"),
  group("(furan-2-yl)", "c4ccco4", "C4H3O"),
  group("(pyridin-4-yl)", "c4ccncc4", "C5H4N"),
  group("(trimethylsilyl)", "[Si](C)(C)C", "C3H9Si"),
  group("(dimethoxyphosphoryl)", "P(=O)(OC)OC", "C2H6O3P")
]

/** Groups with an isotope, only for the first position of a core. */
export const labelledSubstituents: ReadonlyArray<Substituent> = [
  group("[(²H₃)methyl]", "C([2H])([2H])[2H]", "CD3"),
  group("[(¹³C)methyl]", "[13CH3]", "^CH3")
]

export const linkers: ReadonlyArray<Linker> = [
  linker("(*)", "", ""),
  linker("[(*)methyl]", "C", "CH2"),
  linker("[2-(*)ethyl]", "CC", "C2H4"),
  linker("[2-(*)ethenyl]", "C=C", "C2H2"),
  linker("[(*)oxy]", "O", "O"),
  linker("[(*)methoxy]", "OC", "CH2O"),
  linker("[(*)sulfanyl]", "S", "S"),
  linker("[(*)amino]", "N", "HN"),
  linker("[(*)carbonyl]", "C(=O)", "CO"),
  linker("[(*)sulfonyl]", "S(=O)(=O)", "O2S"),
  linker("[(*)carbamoyl]", "C(=O)N", "CHNO"),
  linker("[(*)carboxamido]", "NC(=O)", "CHNO"),
  linker("[(*)sulfamoyl]", "S(=O)(=O)N", "HNO2S"),
  linker("[(*)diazenyl]", "N=N", "N2")
]

export const aryls: ReadonlyArray<Aryl> = [
  aryl("phenyl", "c6c{a}cc{b}cc6", 2, 4, "C6H5"),
  aryl("pyridin-2-yl", "c6c{a}cc{b}cn6", 3, 5, "C5H4N"),
  aryl("pyridin-3-yl", "c6c{a}ncc{b}c6", 2, 5, "C5H4N"),
  aryl("pyrimidin-2-yl", "c6nc{a}cc{b}n6", 4, 6, "C4H3N2"),
  aryl("thiophen-2-yl", "c6sc{a}c{b}c6", 5, 4, "C4H3S"),
  aryl("furan-2-yl", "c6oc{a}c{b}c6", 5, 4, "C4H3O"),
  aryl("naphthalen-1-yl", "c6c{a}ccc7c{b}cccc67", 2, 5, "C10H7"),
  aryl("quinolin-4-yl", "c6c{a}cnc7cc{b}ccc67", 3, 7, "C9H6N"),
  aryl("1H-indol-3-yl", "c6c{a}[nH]c7cc{b}ccc67", 2, 6, "C8H6N"),
  aryl("cyclohexyl", "C6C{a}CC{b}CC6", 2, 4, "C6H11")
]
