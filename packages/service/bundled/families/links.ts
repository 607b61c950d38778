/**
 * The example records of links, counts of references, substances by structure, and files. Links, PubChem numbers,
 * structures and files are those of real substances. Counts are made up.
 */
import { type DetailRecord, Extra, Files, type LinkRecords, Links } from "@chemstream/api"
import { type RDKit, withMolecule } from "../structure.ts"
import { bundled } from "./bundledSubstance.ts"
import { exampleA, madeUp } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

/** Well-known substances with a GHS classification in PubChem, an article in Wikipedia, and a PubChem number. */
const wellKnown: ReadonlyArray<readonly [preferredName: string, article: string, cid: number]> = [
  ["Benzene", "Benzene", 241],
  ["Toluene", "Toluene", 1140],
  ["Methanol", "Methanol", 887],
  ["Acetone", "Acetone", 180],
  ["Formaldehyde", "Formaldehyde", 712],
  ["Phenol", "Phenol", 996],
  ["Bisphenol A", "Bisphenol_A", 6623],
  ["p,p'-DDT", "DDT", 3036],
  ["Aspirin", "Aspirin", 2244],
  ["Caffeine", "Caffeine", 2519]
]

/** The substances with a molfile. The last one has an image too, which is ten times as long. */
const drawn = ["Benzene", "Bisphenol A"]

/** The width and height of an image in pixels. */
const imageSize = 600

/** The parts of an image that say nothing: names, and styles that are the default. */
const defaults =
  / class='[^']*'|(fill-rule:evenodd|stroke-linecap:butt|stroke-linejoin:miter|stroke-miterlimit:10|stroke-opacity:1);?/g

/** The SMILES of bisphenol A as public services write it. */
const bisphenolA = "CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1"

const links = (inchikeyOf: (dtxsid: string) => string): RecordsByRow => ({
  [Links.ghs.name]: wellKnown.map(([name]): LinkRecords.GhsLink => {
    const { dtxsid } = bundled(name)
    const page = `https://pubchem.ncbi.nlm.nih.gov/compound/${inchikeyOf(dtxsid)}`
    return { dtxsid, isSafetyData: true, safetyUrl: `${page}#section=GHS-Classification` }
  }),
  [Links.wikipedia.name]: wellKnown.map(
    ([name, article]): LinkRecords.WikipediaLink => ({
      dtxsid: bundled(name).dtxsid,
      safetyUrl: `https://en.wikipedia.org/wiki/${article}`
    })
  ),
  [Extra.byDtxsid.name]: [
    ...wellKnown.map(
      ([name, , cid]): LinkRecords.ExtraData => ({ dtxsid: bundled(name).dtxsid, dtxcid: cid })
    ),
    madeUp<LinkRecords.ExtraData>({
      dtxsid: exampleA.dtxsid,
      refs: 100,
      googlePatent: 20,
      literature: 70,
      pubmed: 10
    })
  ],
  [Extra.bySmiles.name]: [
    ...wellKnown.map(([name]) => bundled(name)),
    { ...bundled("Bisphenol A"), smiles: bisphenolA }
  ].map(({ casrn, dtxsid, preferredName, smiles }) => ({ smiles, dtxsid, casrn, preferredName }))
})

/** Draws structures, as images and as molfiles. */
const files = (rdkit: RDKit): RecordsByRow => {
  const drawings = drawn.map((name) => {
    const { dtxcid, dtxsid, smiles } = bundled(name)
    return withMolecule(rdkit, smiles, (molecule) => {
      molecule.set_new_coords()
      const svg = Buffer.from(molecule.get_svg(imageSize, imageSize).replaceAll(defaults, ""))
      const text = molecule.get_v3Kmolblock()
      return {
        keys: { dtxsid, dtxcid, gsid: String(Number(dtxsid.slice("DTXSID0".length))) },
        image: { mediaType: "image/svg+xml", size: svg.length, base64: svg.toString("base64") },
        mol: { mediaType: "text/plain", size: Buffer.byteLength(text), text }
      }
    })
  })
  const of = (kind: "image" | "mol", key: "dtxsid" | "dtxcid" | "gsid") =>
    drawings
      .slice(kind === "image" ? -1 : 0)
      .map(({ keys, ...content }) => ({ [key]: keys[key], ...content[kind] }))
  return {
    [Files.image.name]: of("image", "dtxsid"),
    [Files.imageByDtxcid.name]: of("image", "dtxcid"),
    [Files.imageByGsid.name]: of("image", "gsid"),
    [Files.mol.name]: of("mol", "dtxsid"),
    [Files.molByDtxcid.name]: of("mol", "dtxcid")
  }
}

/** Makes the example records of links, counts, structures and files by row. */
export const linksAndFiles = (
  rdkit: RDKit,
  details: ReadonlyArray<DetailRecord.DetailRecord>
): RecordsByRow => {
  const inchikeys = new Map(details.map(({ dtxsid, inchikey }) => [dtxsid, inchikey]))
  return { ...links((dtxsid) => inchikeys.get(dtxsid) ?? ""), ...files(rdkit) }
}
