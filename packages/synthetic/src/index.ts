/** Made-up substances with all their records, in any number, the same on every machine. */
export * as Synthetic from "./Synthetic.ts"
