/**
 * Damaged identifiers, written by hand: what a cell has, and which identifier it is. Each group names the source of its damage.
 *
 * A value that stands for no identifier is `invalid`, one with a wrong check digit `suspicious`. A text that may be a name is `name`.
 */

/** A damaged value, and the identifier that it is. */
export interface Damaged {
  readonly source: string
  readonly value: string
  readonly is: string
}

const bpa = { sid: "DTXSID7020182", cid: "DTXCID30182", cas: "80-05-7", key: "IISBACLAFKSPIT-UHFFFAOYSA-N" }
const bpaSmiles = "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"
const bpaInchi = "InChI=1S/C15H16O2/c1-15(2,11-3-7-13(16)8-4-11)12-5-9-14(17)10-6-12/h3-10,16-17H,1-2H3"
const benzene = { sid: "DTXSID3039242", cas: "71-43-2", key: "UHOVQNZJYSORNB-UHFFFAOYSA-N" }
const formaldehyde = { sid: "DTXSID7020637", cas: "50-00-0", key: "WSFSSNUMVMOOMR-UHFFFAOYSA-N" }
const caffeine = { sid: "DTXSID0020232", cas: "58-08-2", key: "RYYVLZVUVIJVGH-UHFFFAOYSA-N" }

const group = (source: string, values: Readonly<Record<string, string>>): ReadonlyArray<Damaged> =>
  Object.entries(values).map(([value, is]) => ({ source, value, is }))

/** The values. */
export const values: ReadonlyArray<Damaged> = [
  ...group("typed or line-broken DTXSID", {
    "DTXSID 7020182": bpa.sid,
    "DTXSID  7020182": bpa.sid,
    "DTXSID-7020182": bpa.sid,
    DTXSID_7020182: bpa.sid,
    "DTXSID:7020182": bpa.sid,
    "DTXSID#7020182": bpa.sid,
    "DTXSID.7020182": bpa.sid,
    "DTXSID/7020182": bpa.sid,
    "DTX SID 7020182": bpa.sid,
    "DTX-SID-7020182": bpa.sid,
    "D T X S I D 7 0 2 0 1 8 2": bpa.sid,
    "DTXSID70 20182": bpa.sid,
    "dtxsid 7020182": bpa.sid,
    "DtxSid: 7020182": bpa.sid,
    "DTXSID\t7020182": bpa.sid,
    "DTXSID,7020182": bpa.sid,
    "(DTXSID7020182)": bpa.sid,
    "[DTXSID7020182]": bpa.sid,
    "{DTXSID7020182}": bpa.sid,
    "<DTXSID7020182>": bpa.sid,
    "DTXSID7020182.": bpa.sid,
    "DTXSID7020182,": bpa.sid,
    "DTXSID7020182;": bpa.sid,
    "'DTXSID7020182'": bpa.sid,
    "“DTXSID7020182”": bpa.sid,
    "`DTXSID7020182`": bpa.sid
  }),
  ...group("text recognition of a DTXSID: letters for digits, and the reverse", {
    DTXSID702O182: bpa.sid,
    DTXSID7O2O182: bpa.sid,
    DTXSID7020l82: bpa.sid,
    DTXSID7020I82: bpa.sid,
    "DTXSID7020|82": bpa.sid,
    DTX5ID7020182: bpa.sid,
    DTXS1D7020182: bpa.sid,
    DTXSlD7020182: bpa.sid,
    "DTXSID 702O182": bpa.sid,
    DTXSIDO020232: caffeine.sid,
    "DTXSID OO2O232": caffeine.sid
  }),
  ...group("invisible and full-width characters in a DTXSID", {
    "DTXSID\u200b7020182": bpa.sid,
    "DTXSID\u00ad7020182": bpa.sid,
    "\ufeffDTXSID7020182": bpa.sid,
    "DTXSID7020182\u200e": bpa.sid,
    "DTXSID\u00a07020182": bpa.sid,
    "DTXSID\u20097020182": bpa.sid,
    "\u2060DTXSID7020182\u2060": bpa.sid,
    ＤＴＸＳＩＤ７０２０１８２: bpa.sid,
    DTXSID７０２０１８２: bpa.sid
  }),
  ...group("labels, compact URIs, links and formulas with a DTXSID", {
    "DTXSID: DTXSID7020182": bpa.sid,
    "DTXSID=DTXSID7020182": bpa.sid,
    "comptox:DTXSID7020182": bpa.sid,
    "CompTox: DTXSID7020182": bpa.sid,
    "dsstox_substance_id: DTXSID7020182": bpa.sid,
    "https://comptox.epa.gov/dashboard/DTXSID7020182": bpa.sid,
    "https://comptox.epa.gov/dashboard/chemical/details/DTXSID7020182": bpa.sid,
    "http://comptox.epa.gov/dashboard/dsstoxdb/results?search=DTXSID7020182#properties": bpa.sid,
    "www.comptox.epa.gov/dashboard/DTXSID7020182/": bpa.sid,
    "https://identifiers.org/comptox:DTXSID7020182": bpa.sid,
    "https://identifiers.org/comptox%3ADTXSID7020182": bpa.sid,
    '=HYPERLINK("https://comptox.epa.gov/dashboard/DTXSID7020182")': bpa.sid,
    '=HYPERLINK("https://comptox.epa.gov/dashboard/DTXSID7020182";"DTXSID7020182")': bpa.sid,
    '="DTXSID7020182"': bpa.sid,
    '=T("DTXSID7020182")': bpa.sid,
    "<a href='x'>DTXSID7020182</a>": bpa.sid,
    "<b>DTXSID7020182</b>": bpa.sid,
    "DTXSID7020182&nbsp;": bpa.sid
  }),
  ...group("DTXSIDs that nothing repairs", {
    DTXSID: "invalid",
    "DTXSID ": "invalid",
    DTXSIDXXXXXXX: "invalid",
    "DTXSID7020183.": "invalid"
  }),
  ...group("damaged DTXCID", {
    "DTXCID 30182": bpa.cid,
    "DTXCID:30182": bpa.cid,
    DTXCID3O182: bpa.cid,
    DTXC1D30182: bpa.cid,
    "DTXCID: DTXCID30182": bpa.cid,
    "dtxcid-30182": bpa.cid,
    "DTXCID\u200b30182": bpa.cid
  }),
  ...group("separators of a CAS number", {
    "80.05.7": bpa.cas,
    "80 05 7": bpa.cas,
    "80/05/7": bpa.cas,
    "80_05_7": bpa.cas,
    "80,05,7": bpa.cas,
    "80 - 05 - 7": bpa.cas,
    "80- 05-7": bpa.cas,
    "80--05--7": bpa.cas,
    "8 0-0 5-7": bpa.cas,
    "80057": bpa.cas,
    "80-057": bpa.cas,
    "8005-7": bpa.cas,
    "50000": formaldehyde.cas,
    "71 43 2": benzene.cas,
    "58.08.2": caffeine.cas
  }),
  ...group("dashes of word processors in a CAS number", {
    "80–05–7": bpa.cas,
    "80—05—7": bpa.cas,
    "80‐05‐7": bpa.cas,
    "80‑05‑7": bpa.cas,
    "80−05−7": bpa.cas,
    "80﹣05﹣7": bpa.cas,
    "80－05－7": bpa.cas,
    "80―05―7": bpa.cas,
    "80&ndash;05&ndash;7": bpa.cas,
    "80&#8211;05&#8211;7": bpa.cas
  }),
  ...group("invisible and special characters in a CAS number", {
    "80\u00ad-05-7": bpa.cas,
    "80-\u200b05-7": bpa.cas,
    "\ufeff80-05-7": bpa.cas,
    "80-05-7\u00a0": bpa.cas,
    "８０-０５-７": bpa.cas,
    "80-05-7\u200f": bpa.cas,
    "80-05-7&nbsp;": bpa.cas,
    "<td>80-05-7</td>": bpa.cas,
    "80-05-7\r": bpa.cas
  }),
  ...group("labels, brackets and quotation marks of a CAS number", {
    "CAS 80-05-7": bpa.cas,
    "CAS: 80-05-7": bpa.cas,
    "CAS_RN: 80-05-7": bpa.cas,
    "CASRN 80-05-7": bpa.cas,
    "CASRN:80-05-7": bpa.cas,
    "CAS-RN 80-05-7": bpa.cas,
    "CAS No. 80-05-7": bpa.cas,
    "CAS no: 80-05-7": bpa.cas,
    "CAS Nr. 80-05-7": bpa.cas,
    "CAS-Nr.: 80-05-7": bpa.cas,
    "CAS# 80-05-7": bpa.cas,
    "CAS Number: 80-05-7": bpa.cas,
    "CAS Registry Number: 80-05-7": bpa.cas,
    "CAS Reg. No. 80-05-7": bpa.cas,
    "RN 80-05-7": bpa.cas,
    "cas:80-05-7": bpa.cas,
    "(80-05-7)": bpa.cas,
    "[80-05-7]": bpa.cas,
    "'80-05-7": bpa.cas,
    "’80-05-7": bpa.cas,
    "80-05-7.": bpa.cas,
    "80-05-7;": bpa.cas,
    "„80-05-7“": bpa.cas,
    "«80-05-7»": bpa.cas,
    '="80-05-7"': bpa.cas,
    '=T("80-05-7")': bpa.cas,
    '="(80-05-7)"': bpa.cas,
    "https://commonchemistry.cas.org/detail?cas_rn=80-05-7": bpa.cas,
    "https://identifiers.org/cas:80-05-7": bpa.cas
  }),
  ...group("columns read as numbers", {
    "80057.0": bpa.cas,
    "80057.00": bpa.cas,
    "80057,0": bpa.cas,
    "8.0057E+04": bpa.cas,
    "8.0057e4": bpa.cas,
    "8,0057E+04": bpa.cas,
    "71432.0": benzene.cas,
    "50000.0": formaldehyde.cas
  }),
  ...group("padding of a CAS number", {
    "0000080-05-7": bpa.cas,
    "00080-05-7": bpa.cas,
    "080-05-7": bpa.cas,
    "000080057": bpa.cas
  }),
  ...group("dates that spreadsheets make of a CAS number", {
    "5/7/1980": bpa.cas,
    "05/07/1980": bpa.cas,
    "1980-05-07": bpa.cas,
    "07.05.1980": bpa.cas,
    "1980-05-07T00:00:00": bpa.cas,
    "1980-05-07 00:00:00": bpa.cas,
    "7-May-80": bpa.cas,
    "2050-06-17": "invalid"
  }),
  ...group("text recognition of a CAS number", {
    "8O-O5-7": bpa.cas,
    "80-O5-7": bpa.cas,
    "7l-43-2": benzene.cas,
    "7I-43-2": benzene.cas,
    "5O-OO-O": formaldehyde.cas
  }),
  ...group(
    "identifiers with a wrong check digit, which are looked up as they are if they are not damaged too",
    {
      DTXSID7020183: "suspicious",
      "80-05-8": "suspicious",
      "71-43-3": "suspicious",
      "CAS 80-05-8": "invalid"
    }
  ),
  ...group("InChIKeys of documents and programs", {
    "IISBACLAFKSPIT UHFFFAOYSA N": bpa.key,
    "IISBACLAFKSPIT.UHFFFAOYSA.N": bpa.key,
    IISBACLAFKSPIT_UHFFFAOYSA_N: bpa.key,
    "IISBACLAFKSPIT - UHFFFAOYSA - N": bpa.key,
    "IISBACLAFKSPIT-UHFFFAOYSA -N": bpa.key,
    "IISBACLAFKSPIT-\nUHFFFAOYSA-N": bpa.key,
    "IISBACLAFKSPIT–UHFFFAOYSA–N": bpa.key,
    "iisbaclafkspit-uhfffaoysa-n": bpa.key,
    "IISBACLAFKSPIT-UHFFFAOYSA-N.": bpa.key,
    "(IISBACLAFKSPIT-UHFFFAOYSA-N)": bpa.key,
    "InChIKey=IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key,
    "InChIKey: IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key,
    "InChI Key IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key,
    "inchikey:IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key,
    "Standard InChIKey: IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key,
    '="IISBACLAFKSPIT-UHFFFAOYSA-N"': bpa.key,
    "IISBACLAFKSPIT-UHFFF\u00adAOYSA-N": bpa.key,
    IISBACLAFKSPITUHFFFAOYSAN: bpa.key,
    "https://www.chemspider.com/Search.aspx?q=IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key
  }),
  ...group("InChI of documents and programs", {
    [`InChI: ${bpaInchi}`]: bpaInchi,
    [`InChI=${bpaInchi}`]: bpaInchi,
    [`"${bpaInchi}"`]: bpaInchi,
    [`'${bpaInchi}`]: bpaInchi,
    [`="${bpaInchi}"`]: bpaInchi,
    [`${bpaInchi} bisphenol A`]: bpaInchi,
    [bpaInchi.replace("/h", " /h")]: bpaInchi,
    [bpaInchi.replace("InChI=", "")]: bpaInchi,
    [bpaInchi.replace("InChI", "INCHI")]: bpaInchi,
    [bpaInchi.replace("InChI", "inchi")]: bpaInchi,
    [bpaInchi.replaceAll("-", "–")]: bpaInchi
  }),
  ...group("SMILES of files and drawing programs", {
    [`${bpaSmiles} bisphenol A`]: bpaSmiles,
    [`${bpaSmiles}\tbisphenol A`]: bpaSmiles,
    [`${bpaSmiles} |c:0,2,4|`]: bpaSmiles,
    [`${bpaSmiles} |(-1.2,0.3,;2,1,)|`]: bpaSmiles,
    [`SMILES: ${bpaSmiles}`]: bpaSmiles,
    [`smiles=${bpaSmiles}`]: bpaSmiles,
    [`Canonical SMILES: ${bpaSmiles}`]: bpaSmiles,
    [`"${bpaSmiles}"`]: bpaSmiles,
    [`="${bpaSmiles}"`]: bpaSmiles,
    [`${bpaSmiles},`]: bpaSmiles,
    [`${bpaSmiles}\u200b`]: bpaSmiles,
    "[Na+].[Cl−]": "[Na+].[Cl-]",
    "CC(=O)Oc1ccccc1C(=O)O 2-acetoxybenzoic acid": "CC(=O)Oc1ccccc1C(=O)O"
  }),
  ...group("formulas of printed tables and web pages", {
    "C15 H16 O2": "C15H16O2",
    "C₁₅H₁₆O₂": "C15H16O2",
    "C<sub>15</sub>H<sub>16</sub>O<sub>2</sub>": "C15H16O2",
    "Formula: C15H16O2": "C15H16O2",
    "MF: C15H16O2": "C15H16O2",
    "C15H16O2.": "C15H16O2",
    "'C15H16O2": "C15H16O2",
    "C15H16O2\u200b": "C15H16O2",
    '="C15H16O2"': "C15H16O2",
    H16C15O2: "C15H16O2",
    Ｃ15Ｈ16Ｏ2: "C15H16O2"
  }),
  ...group("one identifier in a text", {
    "Bisphenol A (80-05-7)": bpa.cas,
    "Bisphenol A [CAS 80-05-7]": bpa.cas,
    "Bisphenol A; CAS 80-05-7": bpa.cas,
    "BPA, DTXSID7020182": bpa.sid,
    "BPA (DTXSID7020182)": bpa.sid,
    "BPA InChIKey IISBACLAFKSPIT-UHFFFAOYSA-N": bpa.key
  }),
  ...group("placeholders", {
    NA: "invalid",
    "N/A": "invalid",
    "n.a.": "invalid",
    NaN: "invalid",
    nan: "invalid",
    NULL: "invalid",
    null: "invalid",
    None: "invalid",
    nil: "invalid",
    "-": "invalid",
    "--": "invalid",
    "–": "invalid",
    "?": "invalid",
    "???": "invalid",
    ".": "invalid",
    "…": "invalid",
    "#N/A": "invalid",
    "#REF!": "invalid",
    "#NAME?": "invalid",
    "Err:502": "invalid",
    "not available": "invalid",
    "Not Applicable": "invalid",
    unknown: "invalid",
    "(blank)": "invalid",
    "No CAS": "invalid",
    "<NA>": "invalid",
    "\\N": "invalid"
  }),
  ...group("names that look damaged and are none", {
    "PCB 52": "name",
    "Vitamin B12": "name",
    "N,N-Dimethylformamide": "name",
    "2,4-D": "name",
    "F 12": "name",
    "1,1'-Biphenyl": "name",
    "p,p'-DDT": "name",
    Nonanal: "name",
    Nanofin: "name",
    Nickel: "name",
    CASsol: "name",
    DTX: "name",
    "201-245-8": "name",
    "E 330": "name"
  })
]
