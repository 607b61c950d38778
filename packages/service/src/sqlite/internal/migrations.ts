/**
 * The layout of the SQLite database, as the steps that lead to it. A database says in `user_version` how many of
 * them it has gone through. A published step is never changed: a new layout is a new step at the end.
 */

/** Marks a file as ours (`PRAGMA application_id`): "CHEM" in ASCII. */
export const applicationId = 0x4348454d

/** The steps, oldest first. */
export const migrations: ReadonlyArray<string> = [
  // The record is a BLOB, not TEXT or JSONB: bytes in, the same bytes out.
  `CREATE TABLE details (
     dtxsid TEXT NOT NULL UNIQUE,
     record BLOB NOT NULL
   ) STRICT`
]
