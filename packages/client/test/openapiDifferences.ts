/**
 * The differences between the published documents of the public service and the contract in the dialect `ctx`.
 *
 * `openapi.test.ts` compares them. A new or missing line means that the documents or this project changed.
 */

/** Differences of requests and records that are both documented and used. */
export const knownDifferences: ReadonlyArray<string> = [
  // Parameters that the client does not send, because it needs their defaults.
  "GET /chemical/count/by-exact-formula/{formula}: parameter projection: documented only",
  "GET /chemical/count/by-msready-formula/{formula}: parameter projection: documented only",
  "GET /chemical/search/contain/{word}: parameter projection: documented only",
  "GET /chemical/search/contain/{word}: parameter top: documented only",
  "GET /chemical/search/equal/{word}: parameter projection: documented only",
  // Limits that are only in the sources of the service.
  "POST /bioactivity/data/aed/search/by-dtxsid/: limit is documented as undefined, here 200",
  "POST /bioactivity/data/search/by-aeid/: limit is documented as undefined, here 200",
  "POST /bioactivity/data/search/by-dtxsid/: limit is documented as undefined, here 200",
  "POST /bioactivity/data/search/by-m4id/: limit is documented as undefined, here 200",
  "POST /bioactivity/data/search/by-spid/: limit is documented as undefined, here 200",
  // Above 100 words, its hits have been misaligned.
  "POST /chemical/search/equal/: limit is documented as 200, here 100",
  "POST /chemical/synonym/search/by-dtxsid/: limit is documented as undefined, here 1000",
  // The client reads bioactivity data of 2024 and of 2025.
  "record BioactivityDataAll: field concMax: documented only",
  "record BioactivityDataAll: field concMin: documented only",
  "record BioactivityDataAll: field logcMax: here only",
  "record BioactivityDataAll: field logcMin: here only",
  "record BioactivityDataAll: field nmedGtbl: here only",
  "record BioactivityDataAll: field nmedGtblNeg: documented only",
  "record BioactivityDataAll: field nmedGtblPos: documented only",
  "record BioactivityDataAll: field tmpi: here only",
  // Fields of batch searches only.
  "record ChemicalSearchAll: field isDuplicate: here only",
  "record ChemicalSearchAll: field searchMsgs: here only",
  "record ChemicalSearchAll: field suggestions: here only",
  // The client reads synonym records of 2024 and of 2026.
  "record ChemicalSynonymAll: field alternate: documented only",
  "record ChemicalSynonymAll: field alternateCasrn: here only",
  "record ChemicalSynonymAll: field deleted: documented only",
  "record ChemicalSynonymAll: field deletedCasrn: here only",
  // The service has it, but the documents do not.
  "request GET /chemical/all: here only"
]

/** Documented requests that the client does not have: other data, images, lists and assays. */
export const uncoveredRequests: ReadonlyArray<string> = [
  "GET /bioactivity/analyticalqc/search/by-dtxsid/{dtxsid}",
  "GET /bioactivity/aop/search/by-entrez-gene-id/{entrezGeneId}",
  "GET /bioactivity/aop/search/by-event-number/{eventNumber}",
  "GET /bioactivity/aop/search/by-toxcast-aeid/{toxcastAeid}",
  "GET /bioactivity/assay/",
  "GET /bioactivity/assay/chemicals/search/by-aeid/{aeid}",
  "GET /bioactivity/assay/count",
  "GET /bioactivity/assay/search/by-aeid/{aeid}",
  "GET /bioactivity/assay/search/by-endpoint/",
  "GET /bioactivity/assay/search/by-gene/{geneSymbol}",
  "GET /bioactivity/assay/single-conc/search/by-aeid/{aeid}",
  "GET /bioactivity/models/search/",
  "GET /bioactivity/models/search/by-dtxsid/{dtxsid}",
  "GET /bioactivity/search/contain/{value}",
  "GET /bioactivity/search/equal/{value}",
  "GET /bioactivity/search/start-with/{value}",
  "GET /chemical/detail/search/by-smiles/",
  "GET /chemical/extra-data/search/by-dtxsid/{dtxsid}",
  "GET /chemical/fate/search/by-dtxsid/{dtxsid}",
  "GET /chemical/fate/summary/experimental/search/",
  "GET /chemical/fate/summary/predicted/search/",
  "GET /chemical/fate/summary/search/",
  "GET /chemical/fate/summary/search/by-dtxsid/{dtxsid}",
  "GET /chemical/file/image/search/by-dtxcid/{dtxcid}",
  "GET /chemical/file/image/search/by-dtxsid/{dtxsid}",
  "GET /chemical/file/image/search/by-gsid/{gsid}",
  "GET /chemical/file/mol/search/by-dtxcid/{dtxcid}",
  "GET /chemical/file/mol/search/by-dtxsid/{dtxsid}",
  "GET /chemical/list/all",
  "GET /chemical/list/chemicals/search/by-listname/{list}",
  "GET /chemical/list/chemicals/search/contain/{list}/{word}",
  "GET /chemical/list/chemicals/search/equal/{list}/{word}",
  "GET /chemical/list/chemicals/search/start-with/{list}/{word}",
  "GET /chemical/list/search/by-dtxsid/{dtxsid}",
  "GET /chemical/list/search/by-name/{listName}",
  "GET /chemical/list/search/by-type/{type}",
  "GET /chemical/list/type",
  "GET /chemical/property/experimental/name",
  "GET /chemical/property/experimental/search/by-dtxsid/{dtxsid}",
  "GET /chemical/property/experimental/search/by-range/{propertyName}/{start}/{end}",
  "GET /chemical/property/predicted/name",
  "GET /chemical/property/predicted/search/by-dtxsid/{dtxsid}",
  "GET /chemical/property/predicted/search/by-range/{propertyId}/{start}/{end}",
  "GET /chemical/property/summary/experimental/search/",
  "GET /chemical/property/summary/predicted/search/",
  "GET /chemical/property/summary/search/",
  "GET /chemical/property/summary/search/by-dtxsid/{dtxsid}",
  "POST /bioactivity/assay/search/by-aeid/",
  "POST /chemical/extra-data/search/by-dtxsid/",
  "POST /chemical/fate/search/by-dtxsid/",
  "POST /chemical/property/experimental/search/by-dtxsid/",
  "POST /chemical/property/predicted/search/by-dtxsid/",
  "POST /chemical/search/by-msready-formula/"
]
