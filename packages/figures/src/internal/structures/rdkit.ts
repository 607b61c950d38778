/**
 * RDKit, loaded when the first structure is read, and its molecules, which must be deleted by hand.
 */
import type { MainModule, Mol } from "@rdkit/rdkit"
import { Effect } from "effect"

let loading: Promise<MainModule> | undefined

/** The library. What it would print about a structure that it cannot read is in our own error. */
export const load: Effect.Effect<MainModule> = Effect.promise(() => {
  loading ??= import("@rdkit/rdkit").then(({ default: { default: start } }) =>
    start({ print: () => {}, printErr: () => {} })
  )
  return loading
})

/**
 * Whether an error is the end of the library: seen with a chain of 900 atoms, of which it runs out of its stack. After that
 * it reads nothing any more, so it is loaded anew for the next structure.
 */
export const discardBroken = (cause: unknown): boolean => {
  const isBroken = cause instanceof WebAssembly.RuntimeError
  if (isBroken) loading = undefined
  return isBroken
}

/**
 * Uses the molecule of a text, and deletes it. Undefined where the text is none. One that RDKit finds chemically
 * impossible (a valence that does not fit) is taken as it is written: a picture shows what the record says.
 */
export const withMolecule = <A>(
  library: MainModule,
  text: string,
  use: (molecule: Mol) => A
): A | undefined => {
  const unsanitized = JSON.stringify({ sanitize: false, kekulize: false })
  // The SMILES before an extension (` |…|`) that RDKit does not take, as some Markush structures have one.
  const withoutExtension = text.includes("\n") ? text : text.replace(/\s+\|.*$/s, "")
  const molecule =
    library.get_mol(text) ??
    library.get_mol(withoutExtension) ??
    library.get_mol(withoutExtension, unsanitized)
  if (molecule === null) return undefined
  try {
    return use(molecule)
  } finally {
    molecule.delete()
  }
}
