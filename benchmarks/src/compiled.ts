/**
 * A module of this folder as the JavaScript that it comes to, for processes whose memory is measured: Node's own way of
 * running TypeScript takes 20 MiB, which no user has who runs what he has compiled.
 */
import { basename, join } from "node:path"
import { rolldown } from "rolldown"

const here = import.meta.dirname
const output = join(here, "..", "node_modules", ".cache", "compiled")

/** Compiles a module with the modules of this folder that it imports; packages stay outside. Says where it is then. */
export const compiled = async (name: string): Promise<string> => {
  const file = join(output, `${basename(name, ".ts")}.mjs`)
  const bundle = await rolldown({
    input: join(here, name),
    platform: "node",
    external: /^[^./]/,
    // What only the parent uses of `child.ts` is left out.
    treeshake: { moduleSideEffects: false }
  })
  await bundle.write({ file, format: "esm" })
  return file
}
