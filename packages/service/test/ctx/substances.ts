/** A few records, and services that imitate the public service over them. Not a test itself. */
import type { Service, Variants } from "@chemstream/service"
import { Effect } from "effect"
import { type Lines, send, sharedDatabase, sharedService } from "../testService.ts"

/** Bisphenol A, with every kind of field that the public service names or formats differently. */
export const a = "DTXSID7020182"
/** Lewisite, with few fields. */
export const b = "DTXSID3060245"
/** Well-formed, but unknown. */
export const unknown = "DTXSID5032381"

/** The records by kind. */
export const lines: Lines = {
  details: [
    `{"id":"20182","dtxsid":"${a}","dtxcid":"DTXCID30182","casrn":"80-05-7","preferredName":"Bisphenol A","iupacName":"4,4'-(Propane-2,2-diyl)diphenol","molFormula":"C15H16O2","monoisotopicMass":228.115029755,"averageMass":228.291,"percentAssays":24,"pubmedCount":3850,"assaySelect":"236/981","extdbCount":7,"extdbCid":6623,"encyclopediaArticle":"Bisphenol_A","smiles":"CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1","msReadySmiles":"CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1","inchikey":"IISBACLAFKSPIT-UHFFFAOYSA-N","hasStructureImage":1,"isMarkush":false,"henrysLawAtm":7.45153E-4,"unnamed":1}`,
    `{"id":60245,"dtxsid":"${b}","dtxcid":"DTXCID8034245","casrn":"541-25-3","preferredName":"Lewisite","molFormula":"C2H2AsCl3","monoisotopicMass":205.8437,"toxcastSelect":"1/2","smiles":"Cl\\\\C=C\\\\[As](Cl)Cl","inchikey":"GIKLTQKNOXNBNY-OWOJBTEDSA-N","hasStructureImage":1,"isMarkush":false}`
  ],
  synonyms: [
    `{"dtxsid":"${a}","valid":["Bisphenol A"],"good":["BPA of 80 %","Bisphenol-A"],"other":["another name"],"beilstein":["1107700"],"alternateCasrn":["27360-89-0"],"deletedCasrn":["28106-82-3"],"pcCode":"999"}`,
    `{"dtxsid":"${b}","valid":null,"good":["Bisphenol and Lewisite","another name"],"other":null,"beilstein":null,"alternateCasrn":null,"deletedCasrn":null,"pcCode":null}`
  ],
  bioactivity: [
    `{"m4id":10,"m5id":11,"aeid":704,"spid":"S1","dtxsid":"${a}","nconc":8,"hitc":0.95,"coff":2,"logcMax":2,"logcMin":-1,"maxMedConc":1,"maxMeanConc":null,"nmedGtbl":4,"tmpi":9,"mc3Param":{"logc":[-1,0,2],"resp":[1,2.5,3]},"mc4Param":{},"mc5Param":{"ac50":1.5,"top":5},"mc6Param":null,"tissue":"liver","intendedTargetFamily":"cytochrome"}`,
    `{"m4id":20,"aeid":9,"spid":"S2","dtxsid":"${a}","nconc":8,"hitc":0.97,"concMax":100,"concMin":0.1,"maxMedConc":10,"nmedGtblPos":1,"nmedGtblNeg":0,"mc3Param":{"conc":[0.1,100],"resp":[1,2]},"tissue":"liver"}`,
    `{"m4id":30,"aeid":704,"spid":"S/3 %","dtxsid":"${b}","nconc":8,"hitc":0.1,"logcMax":null}`
  ],
  aed: [
    `{"dtxsid":"${a}","preferredName":"Bisphenol A","aeid":704,"aenm":"ATG_x","aedVal":[0.5,null],"aedType":["x","y"]}`,
    `{"dtxsid":"${b}","preferredName":"Lewisite","aeid":704,"aenm":"ATG_x","aedVal":null}`
  ]
}

/** Makes services over these records, each of which imitates a release of the public service. */
export const publicServices = () => {
  const database = sharedDatabase(lines)
  return (
    variants: Partial<Variants.Variants> = {},
    options: Partial<Service.Options> = {}
  ): Effect.Effect<Service.Service["Service"]> =>
    sharedService(database, { dialect: "ctx", variants, ...options })
}

/** Sends a request. Returns the response with its value: the parsed body, or the text if it is not JSON. */
export const requestValue = (
  service: Service.Service["Service"],
  target: string,
  body?: unknown,
  type = "application/json"
) =>
  Effect.map(
    send(
      service,
      target,
      body === undefined
        ? {}
        : {
            method: "POST",
            body: typeof body === "string" ? body : JSON.stringify(body),
            headers: { "content-type": type }
          }
    ),
    ({ headers, status, text }) => ({ status, headers, text, value: parseJson(text) })
  )

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
