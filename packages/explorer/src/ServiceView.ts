/**
 * What the start page says about the service. A server sends it as JSON from `Explorer.servicePath`.
 */

/** A service as the page shows it. */
export interface ServiceView {
  readonly version: string
  /** The number of substances with a detail record. */
  readonly substances: number
  /** The names of the rows with records (`Rows` of `@chemstream/api`). */
  readonly endpoints: ReadonlyArray<string>
  readonly examples: ReadonlyArray<Example>
}

/** A substance to open. */
export interface Example {
  readonly dtxsid: string
  readonly preferredName: string | null
  readonly casrn: string | null
  readonly molFormula: string | null
  readonly smiles: string | null
}
