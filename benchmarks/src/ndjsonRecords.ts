/**
 * Makes the records of the NDJSON benchmark: details of about 3 kB, and records of about 100 bytes. They are the same in every run.
 *
 * One in 81 has a character beyond Latin-1, a prime in its name, as often as in the details of the public service.
 */

/** Records with the name of their size. */
export interface Sample {
  readonly name: string
  readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Makes records of about 3 kB. */
export const large = (count: number): Sample => {
  const random = numbers()
  const records = Array.from({ length: count }, (_, n) => ({
    id: String(1_000_000 + n),
    dtxsid: `DTXSID${70_000_000 + n}`,
    dtxcid: n % 7 === 0 ? null : `DTXCID${6_000_000 + n}`,
    casrn: `${121 + n}-14-2`,
    preferredName: `2,4-Dinitrotoluene no. ${n}`,
    iupacName: n % 81 === 40 ? "4,4′-Methylenedianiline" : "1-Methyl-2,4-dinitrobenzene",
    molFormula: "C7H6N2O4",
    monoisotopicMass: Math.round(random() * 5e11) / 1e9,
    smiles: "CC1=C(C=C(C=C1)[N+]([O-])=O)[N+]([O-])=O",
    qsarReadySmiles: "CC1=C(C=C(C=C1)[N+]([O-])=O)[N+]([O-])=O",
    msReadySmiles: "CC1=C(C=C(C=C1)[N+]([O-])=O)[N+]([O-])=O",
    inchikey: "RMBFBMJGBANMMK-UHFFFAOYSA-N",
    inchiString: "InChI=1S/C7H6N2O4/c1-5-2-3-6(8(10)11)4-7(5)9(12)13/h2-4H,1H3\n",
    qcLevel: 1,
    qcLevelDesc: "Level 1: Expert curated, highest confidence in accuracy and consistency of identifiers",
    qcNotes: null,
    isotope: 0,
    isMarkush: false,
    multicomponent: 0,
    compoundId: 529 + n,
    genericSubstanceId: 20_529 + n,
    hasStructureImage: 1,
    activeAssays: Math.floor(random() * 100),
    totalAssays: 601,
    percentAssays: random() < 0.1 ? null : Math.floor(random() * 100),
    assaySelect: "21/601",
    extdbCount: Math.floor(random() * 500),
    extdbCid: 8461 + n,
    pubmedCount: Math.floor(random() * 500),
    sourcesCount: Math.floor(random() * 200),
    cpdataCount: 38,
    relatedStructureCount: 11,
    relatedSubstanceCount: 11,
    encyclopediaArticle: n % 3 === 0 ? "2,4-Dinitrotoluene" : null,
    irisLink: "524",
    pprtvLink: null,
    descriptorStringTsv: Array.from({ length: 650 }, () => (random() < 0.03 ? "1" : "0")).join("\t")
  }))
  return { name: "3 kB", records }
}

/** Makes records of about 100 bytes. */
export const small = (count: number): Sample => {
  const random = numbers()
  const records = Array.from({ length: count }, (_, n) => ({
    dtxsid: `DTXSID${70_000_000 + n}`,
    name: n % 81 === 40 ? `4,4′-substance ${n}` : `substance ${n}`,
    mass: Math.round(random() * 5e8) / 1e6,
    casrn: n % 3 === 0 ? null : `${121 + n}-14-2`,
    active: random() < 0.5
  }))
  return { name: "100 B", records }
}

// The minimal standard generator of Park and Miller.
const numbers = (): (() => number) => {
  let state = 42
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
