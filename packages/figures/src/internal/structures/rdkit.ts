/** Loads RDKit when the first structure is read, and deletes its molecules after use. */
import type { MainModule, Mol } from "@rdkit/rdkit"
import { Effect } from "effect"

let loading: Promise<MainModule> | undefined

/**
 * Loads the library. Its messages about unreadable structures are suppressed, because `Structure` has its own
 * errors.
 */
export const load: Effect.Effect<MainModule> = Effect.promise(() => {
  loading ??= import("@rdkit/rdkit").then(({ default: { default: start } }) =>
    start({ print: () => {}, printErr: () => {} })
  )
  return loading
})

/**
 * Discards the library after a fatal error. The next structure loads it again. Returns whether the error was fatal.
 *
 * For example, RDKit overflows its stack on a chain of 900 atoms, and cannot read any structure afterwards.
 */
export const discardBroken = (cause: unknown): boolean => {
  const isBroken = cause instanceof WebAssembly.RuntimeError
  if (isBroken) loading = undefined
  return isBroken
}

/**
 * Applies `use` to the molecule of a text, and deletes the molecule. Undefined if RDKit cannot read the text.
 *
 * A structure with an impossible valence is drawn as written, because the picture shows the record.
 */
export const withMolecule = <A>(
  library: MainModule,
  text: string,
  use: (molecule: Mol) => A
): A | undefined => {
  const unsanitized = JSON.stringify({ sanitize: false, kekulize: false })
  // Some Markush structures have an extension (` |…|`) that RDKit rejects: use the SMILES before it.
  const withoutExtension = text.includes("\n") ? text : text.replace(/\s+\|.*$/s, "")
  return using(
    library.get_mol(text) ??
      library.get_mol(withoutExtension) ??
      library.get_mol(withoutExtension, unsanitized),
    use
  )
}

/** Applies `use` to a molecule, and deletes the molecule. Undefined if RDKit could not read its text. */
export const using = <A>(molecule: Mol | null, use: (molecule: Mol) => A): A | undefined => {
  if (molecule === null) return undefined
  try {
    return use(molecule)
  } finally {
    molecule.delete()
  }
}
