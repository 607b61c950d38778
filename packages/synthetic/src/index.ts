/** Generates the records of made-up substances, the same on every machine. */
export * as Synthetic from "./Synthetic.ts"
