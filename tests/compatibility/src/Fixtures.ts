// The files of the fixtures. A test works on a copy.
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"

/** The release that made the fixtures. */
export const release = "0.1.0"

/** The folder of the fixtures. */
export const root: string = fileURLToPath(new URL(`../fixtures/${release}/`, import.meta.url))

/** The databases, which are stored compressed. */
const databases = /\.(?:sqlite|duckdb|db|cache)\.gz$/

/** Copies the folders of fixtures into a new folder, with their databases decompressed. */
export const copy = (...folders: ReadonlyArray<string>): string => {
  const target = mkdtempSync(join(tmpdir(), "chemstream-fixture-"))
  for (const folder of folders) cpSync(join(root, folder), target, { recursive: true })
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    if (!databases.test(name)) continue
    const file = join(target, name)
    writeFileSync(file.replace(/\.gz$/, ""), gunzipSync(readFileSync(file)))
    rmSync(file)
  }
  return target
}

/** Reads a fixture as text. */
export const read = (...path: ReadonlyArray<string>): string => readFileSync(join(root, ...path), "utf8")

/** Makes the settings readable only by their owner: git does not keep that. */
export const protect = (file: string): void => chmodSync(file, 0o600)
