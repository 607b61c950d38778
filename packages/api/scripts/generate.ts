// The files that are generated from the rows of the endpoints and their records: the interfaces of the records and of the client's calls,
// and the lookups.
//
// TypeScript drops the comments of properties in mapped types, so the interfaces are written out.

import * as CallFiles from "./callFiles.ts"
import * as Families from "./families.ts"
import { format } from "./format.ts"
import * as LookupFiles from "./lookupFiles.ts"
import * as RecordFiles from "./recordFiles.ts"

/** Each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> =>
  format({
    ...RecordFiles.files(),
    ...Object.fromEntries(
      Families.all.flatMap((family) => [
        [`packages/client/src/calls/${family.calls}.ts`, CallFiles.toText(family)],
        [`packages/stream/src/lookups/${family.name}.ts`, LookupFiles.toText(family)]
      ])
    )
  })
