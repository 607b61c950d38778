/**
 * The results of the client as a page: `npm run bench -- client --date 2026-11-21` writes CLIENT.md.
 */
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { measure } from "./client.ts"

/** Measures and writes; the exit code of the command. */
export const run = async (date: string | undefined): Promise<number> => {
  if (date === undefined) {
    process.stderr.write("usage: npm run bench -- client --date YYYY-MM-DD\n")
    return 2
  }
  const figures = await measure()
  const lines = Object.entries(figures).map(([name, value]) => `- ${name}: ${value.toLocaleString("en")}`)
  const text = `# What the client costs

Made by \`npm run bench -- client --date D\`; what each figure is, src/client.ts says. Medians of alternating rounds in one run
on ${date}, ${availableParallelism()} cores, Node ${process.versions.node}; client and server share the cores.

${lines.join("\n")}
`
  process.stdout.write(text)
  await writeFile(join(import.meta.dirname, "..", "CLIENT.md"), text)
  return 0
}
