/** The modules that need Node: files, their formats and compression, and Node streams. */
export * as Arrow from "./Arrow.ts"
export * as Compression from "./Compression.ts"
export * as FileFormat from "./FileFormat.ts"
export * as MissingPackage from "./MissingPackage.ts"
export * as NodeStream from "./NodeStream.ts"
export * as Parquet from "./Parquet.ts"
export * as WholeFile from "./WholeFile.ts"
