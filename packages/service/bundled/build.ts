/**
 * The build step that makes the bundled files from the table of facts: `dist/bundled/chemicals.sqlite` with the
 * public import, and `dist/bundled/identifiers.txt`. Run it after compiling the package: `node bundled/build.ts`.
 *
 * The same facts always give the same bytes. Files are replaced atomically.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Bundled, Import, SqliteStore } from "@chemstream/service"
import { Effect } from "effect"
import { detailRecords, synonymRecord } from "./compute.ts"
import { exampleDetails, exampleSynonyms, examples } from "./families/examples.ts"
import { families } from "./families.ts"
import { identifierList } from "./identifiers.ts"
import { loadRDKit } from "./structure.ts"
import { substances } from "./substances.ts"

const lines = (texts: ReadonlyArray<string>): string => texts.map((text) => `${text}\n`).join("")
const ndjson = (records: ReadonlyArray<object>): string =>
  lines(records.map((record) => JSON.stringify(record)))

const folder = dirname(Bundled.database)
await mkdir(folder, { recursive: true })
// In the same folder, so that a rename is atomic.
const work = await mkdtemp(join(folder, "build-"))
try {
  const details = join(work, "details.ndjson")
  const synonyms = join(work, "synonyms.ndjson")
  const database = join(work, "chemicals.sqlite")
  const identifiers = join(work, "identifiers.txt")
  const computed = await detailRecords()
  await writeFile(details, ndjson([...computed, ...examples.map(exampleDetails)]))
  await writeFile(synonyms, ndjson([...substances.map(synonymRecord), ...examples.map(exampleSynonyms)]))
  const records = families(await loadRDKit(), computed)
  for (const { records: ofRow, row } of records) await writeFile(join(work, row.name), ndjson(ofRow))
  const report = await Effect.runPromise(
    Import.details({ database, files: [details] }).pipe(
      Effect.tap(() => Import.synonyms({ database, files: [synonyms] })),
      Effect.tap(() =>
        Effect.forEach(records, ({ row }) =>
          Import.rowRecords(row, { database, files: [join(work, row.name)] })
        )
      ),
      Effect.tap(() => SqliteStore.compact({ file: database }))
    )
  )
  const list = identifierList(substances)
  await writeFile(identifiers, lines(list))
  await rename(database, Bundled.database)
  await rename(identifiers, Bundled.identifiers)
  process.stdout.write(`bundled ${report.records} substances and a list of ${list.length} identifiers\n`)
} finally {
  await rm(work, { recursive: true, force: true })
}
