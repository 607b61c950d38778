// Moves a stored harvest to where a test has its copy. The place of its output is a part of its definition, and a digest
// of the definition marks the output, so both are written anew.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Postgres from "./Postgres.ts"

/** The folder that the stored harvests have instead of the one of the machine that made them. */
export const folder = "/made/harvest"

/** The address of the Postgres that the stored harvests have. */
export const address = "postgres://harvest@database.test/harvests"

/** The mark of the output of a harvest: a digest of its identifiers and of its definition. */
const markOf = (digest: unknown, spec: unknown): string =>
  createHash("sha256").update(String(digest)).update(String(spec)).digest("hex").slice(0, 32)

/** Moves the harvest in `harvests.db` of a folder to this folder. */
export const move = (cwd: string): void => {
  const harvests = new DatabaseSync(join(cwd, "harvests.db"))
  const [before = {}] = harvests.prepare("SELECT digest, spec FROM chemstream_harvests").all()
  const spec = String(before["spec"]).replaceAll(folder, cwd)
  harvests.prepare("UPDATE chemstream_harvests SET spec = ?").run(spec)
  harvests.close()
  const mark = markOf(before["digest"], spec)
  const folderFile = join(cwd, "out", "harvest.json")
  if (existsSync(folderFile)) {
    const text = readFileSync(folderFile, "utf8")
    writeFileSync(folderFile, JSON.stringify({ ...JSON.parse(text), source: mark }))
  }
  const tables = join(cwd, "out.sqlite")
  if (!existsSync(tables)) return
  const output = new DatabaseSync(tables)
  output.prepare("UPDATE chemicals_harvest SET source = ?").run(mark)
  output.close()
}

/** Restores a dump of a Postgres, and moves its harvest to this database and this folder. */
export const restore = async (cwd: string, url: string): Promise<void> => {
  const dump = readFileSync(join(cwd, "harvests.sql"), "utf8")
  await Postgres.restore(url, dump.replaceAll(address, Postgres.storedAddress(url)).replaceAll(folder, cwd))
  const [harvest = {}] = await Postgres.query(url, "SELECT digest, spec FROM chemstream_harvests")
  if (dump.includes("chemicals_harvest"))
    await Postgres.query(
      url,
      `UPDATE chemicals_harvest SET source = '${markOf(harvest["digest"], harvest["spec"])}'`
    )
}
