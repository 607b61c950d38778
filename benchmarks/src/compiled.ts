/**
 * Compiles a module of this folder to JavaScript, to measure its memory. Running TypeScript would add memory that users of compiled code
 * do not need.
 */
import { basename, join } from "node:path"
import { rolldown } from "rolldown"

const here = import.meta.dirname
const output = join(here, "..", "node_modules", ".cache", "compiled")

/** Bundles a module with the modules of this folder that it imports, without packages. Returns the path. */
export const compiled = async (name: string): Promise<string> => {
  const file = join(output, `${basename(name, ".ts")}.mjs`)
  const bundle = await rolldown({
    input: join(here, name),
    platform: "node",
    external: /^[^./]/,
    // Omits the parts of `child.ts` that only the parent uses.
    treeshake: { moduleSideEffects: false }
  })
  await bundle.write({ file, format: "esm" })
  return file
}
