/** Pictures and pages of chemicals, drawn from their records: structures, cards, plots and reports. No network. */
export * as Card from "./Card.ts"
export * as Chemical from "./Chemical.ts"
export * as Curve from "./Curve.ts"
export * as MissingPackage from "./MissingPackage.ts"
export * as Plot from "./Plot.ts"
export * as Png from "./Png.ts"
export * as Report from "./Report.ts"
export * as Structure from "./Structure.ts"
