/**
 * The endpoints of structure files of the public service (docs/families/files.md).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `special`, why a service needs code of its own.
 */
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as FileRecords from "../records/FileRecords.ts"

/** The family of files. */
export const family = Family.make({
  word: "files",
  title: "Structure files",
  description: "Structure images and molfiles",
  about:
    "A file is a record, with its bytes as base64 or its text, so that it has an outcome like any record. `--out-dir FOLDER` writes each file into a folder instead, e.g. `DTXSID7020182.png`, and the record has its name. `chemstream show` draws structures without a request for an image."
})

/** The common part of the rows of images. An unknown structure has an empty body. */
const imageRow = {
  dialect: "ctx",
  what: "structure images",
  one: "structure image",
  note: "A PNG of 600 × 600 pixels from the public service, an SVG from the bundled database.",
  recordKey: null,
  multiplicity: "one",
  miss: "nothing",
  record: FileRecords.Image,
  special: "the response is an image"
} as const

/** The common part of the rows of molfiles. */
const molRow = {
  dialect: "ctx",
  what: "molfiles",
  one: "molfile",
  note: "A V3000 molfile (CTFile formats, Dassault Systèmes).",
  recordKey: null,
  multiplicity: "one",
  miss: "400",
  record: FileRecords.Text,
  special: "the response is a text"
} as const

const png = { answer: "one", accept: "image/png", body: "bytes" } as const

/** The request of a molfile. */
const text = { answer: "one", accept: "text/plain", body: "text" } as const

/** The number of a substance in DSSTox. */
const gsid = Key.integer("gsid", { one: "a substance number", many: "substance numbers", example: "20182" })

/** The structure images of substances. */
export const image = Row.make({
  ...imageRow,
  name: "files.image",
  key: Key.dtxsid,
  get: { ...png, path: "/chemical/file/image/search/by-dtxsid/{dtxsid}" }
})

/** The structure images of compounds. */
export const imageByDtxcid = Row.make({
  ...imageRow,
  name: "files.imageByDtxcid",
  key: Key.dtxcid,
  get: { ...png, path: "/chemical/file/image/search/by-dtxcid/{dtxcid}" }
})

/** The structure images of substances by their numbers. */
export const imageByGsid = Row.make({
  ...imageRow,
  name: "files.imageByGsid",
  key: gsid,
  get: { ...png, path: "/chemical/file/image/search/by-gsid/{gsid}" }
})

/** The molfiles of substances. */
export const mol = Row.make({
  ...molRow,
  name: "files.mol",
  key: Key.dtxsid,
  get: { ...text, path: "/chemical/file/mol/search/by-dtxsid/{dtxsid}" }
})

/** The molfiles of compounds. */
export const molByDtxcid = Row.make({
  ...molRow,
  name: "files.molByDtxcid",
  key: Key.dtxcid,
  get: { ...text, path: "/chemical/file/mol/search/by-dtxcid/{dtxcid}" }
})
