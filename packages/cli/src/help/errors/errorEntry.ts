/** An entry of the catalogue of errors. */

/** The meaning of a name, and the action to take. */
export interface Entry {
  readonly meaning: string
  readonly action: string
  /** The action for each `reason` of the error, if they differ. */
  readonly actions?: Readonly<Record<string, string>>
}
