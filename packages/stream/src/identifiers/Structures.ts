/**
 * Computes InChI, InChIKey and mass of chemical structures: a service that the caller provides.
 *
 * `Properties.structures` of `@chemstream/figures` implements it with RDKit, which is loaded at the first use.
 * Without a reader, SMILES and InChI are invalid identifiers, and masses of MS-ready forms stay unknown.
 */
import { Context, Effect } from "effect"

/** Why a structure cannot be read. */
export interface StructureError {
  readonly message: string
}

/** Reads structures. */
export interface Structures {
  /** Returns the standard InChI of a SMILES. */
  readonly inchi: (smiles: string) => Effect.Effect<string, StructureError>
  /** Returns the standard InChIKey of a SMILES or an InChI. */
  readonly inchikey: (structure: string) => Effect.Effect<string, StructureError>
  /** Returns the monoisotopic mass of a SMILES, in dalton. */
  readonly mass: (smiles: string) => Effect.Effect<number, StructureError>
}

const unavailable = Effect.fail({
  message: "structures cannot be read: provide Structures, e.g. Properties.structures of @chemstream/figures"
})

/**
 * The current reader of structures. Default: one that reads none.
 *
 * @example
 * ```ts
 * import { Properties } from "@chemstream/figures"
 * import { Structures } from "@chemstream/stream"
 * import { Effect } from "effect"
 *
 * const keyed = Effect.flatMap(Structures.Structures, ({ inchikey }) => inchikey("c1ccccc1"))
 * const key = keyed.pipe(Effect.provideService(Structures.Structures, Properties.structures))
 * await Effect.runPromise(key) // => "UHOVQNZJYSORNB-UHFFFAOYSA-N"
 * ```
 */
export const Structures: Context.Reference<Structures> = Context.Reference<Structures>(
  "@chemstream/stream/Structures",
  { defaultValue: () => ({ inchi: () => unavailable, inchikey: () => unavailable, mass: () => unavailable }) }
)
