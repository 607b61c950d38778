/**
 * What is computed of chemical structures: a service that the caller provides, as this package reads none itself.
 *
 * `@chemstream/figures` has one over RDKit (`Properties.structures`), which is loaded when it is first asked. Without one,
 * SMILES and InChI are invalid as identifiers, and masses of MS-ready forms stay unknown.
 */
import { Context, Effect } from "effect"

/** Why nothing can be computed of a structure. */
export interface StructureError {
  readonly message: string
}

/** Reads structures. */
export interface Structures {
  /** The standard InChI of a SMILES. */
  readonly inchi: (smiles: string) => Effect.Effect<string, StructureError>
  /** The standard InChIKey of a SMILES or an InChI. */
  readonly inchikey: (structure: string) => Effect.Effect<string, StructureError>
  /** The monoisotopic mass of a SMILES, in dalton. */
  readonly mass: (smiles: string) => Effect.Effect<number, StructureError>
}

const missing = Effect.fail({
  message: "structures are not read: provide Structures, e.g. that of @chemstream/figures"
})

/**
 * The reader of structures in force. By default none can be read.
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
  { defaultValue: () => ({ inchi: () => missing, inchikey: () => missing, mass: () => missing }) }
)
