/**
 * The schema of the database.
 *
 * The number of a substance is `substances.id`; other tables refer to it. Records are BLOBs: the bytes of the import.
 * All other data are indexes: `names`, `terms`, `hits`, `grams` and `postings` find substances by name, and the other
 * columns of `bioactivity` serve counting and sorting.
 *
 * Names are indexed in groups. Each line of a group has a kind. `nameGroups.ts` numbers groups and kinds.
 */

/** Marks a file as a database of chemstream (`PRAGMA application_id`): "CHEM" in ASCII. */
export const applicationId = 0x4348454d

/** The version of the schema (`PRAGMA user_version`). Databases of other versions than this and `olderVersion` are refused. */
export const schemaVersion = 2

// The columns with an index. Each index covers its queries, so that they do not read the table.
const indexedColumns = ["formula", "ms_formula", "ms_mass", "ms_smiles"]

/** Creates the indexes of `substances`. A first import runs this at its end. */
export const createSubstanceIndexes: string = indexedColumns
  .map(
    (column) =>
      `CREATE INDEX IF NOT EXISTS substances_${column} ON substances (${column}, dtxsid) WHERE ${column} IS NOT NULL;`
  )
  .join("\n")

export const dropSubstanceIndexes: string = indexedColumns
  .map((column) => `DROP INDEX IF EXISTS substances_${column};`)
  .join("\n")

const records = `
-- The records of every other endpoint, as imported, by the name of its row and by key. "number" tells apart the records
-- of a key, and sorts them: a field of the record, 0 for the only record, or a digest of its text.
CREATE TABLE records (
  endpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  number INTEGER NOT NULL,
  record BLOB NOT NULL,
  UNIQUE (endpoint, key, number)
) STRICT;
`

/** The version of databases with a table for synonyms and one for AED data. They are read, and upgraded by an import. */
export const olderVersion = 1

const [synonyms, aed] = ["synonyms.byDtxsid", "bioactivity.aedByDtxsid"]

/** Lets a connection read an older database as one of this version. */
export const readOlder = `
CREATE TEMP VIEW records AS
SELECT '${synonyms}' AS endpoint, dtxsid AS key, 0 AS number, record FROM synonyms
UNION ALL SELECT '${aed}', dtxsid, aeid, record FROM aed;
`

/** Upgrades an older database. The views serve connections that have it open as an older one. */
export const upgrade = `
${records}
INSERT INTO records SELECT '${synonyms}', dtxsid, 0, record FROM synonyms;
INSERT INTO records SELECT '${aed}', dtxsid, aeid, record FROM aed;
DROP TABLE synonyms;
DROP TABLE aed;
CREATE VIEW synonyms AS SELECT key AS dtxsid, record FROM records WHERE endpoint = '${synonyms}';
CREATE VIEW aed AS SELECT key AS dtxsid, number AS aeid, record FROM records WHERE endpoint = '${aed}';
PRAGMA user_version = ${schemaVersion};
`

/** Creates all tables and indexes in an empty database. */
export const schema = `
-- One row per substance. Formulas are in Hill order. With synonyms alone, all columns but the identifier are null.
CREATE TABLE substances (
  id INTEGER PRIMARY KEY,
  dtxsid TEXT NOT NULL UNIQUE,
  formula TEXT,
  ms_formula TEXT,
  ms_mass REAL,
  ms_smiles TEXT
) STRICT;
${createSubstanceIndexes}

-- Detail records, as two objects: "record" is the default projection, "others" has the fields of other projections.
-- The long column comes last, so that "others" is read without it. The index repeats the key, so that counting and
-- paging do not read gigabytes of records.
CREATE TABLE details (
  id INTEGER PRIMARY KEY REFERENCES substances (id),
  others BLOB,
  record BLOB NOT NULL
) STRICT;
CREATE INDEX details_id ON details (id);

-- The names of a group of a substance, as written, one per line in "lines". id = substance * 8 + group.
CREATE TABLE names (id INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;

-- The distinct folded names, for exact and starts-with searches. "line" is the line in the group. Approved names also
-- have the fields of their hits ("fields", "name"), so that a starts-with search reads adjacent rows only.
CREATE TABLE terms (
  kind INTEGER NOT NULL,
  term TEXT NOT NULL,
  substance INTEGER NOT NULL,
  line INTEGER NOT NULL,
  fields TEXT,
  name TEXT,
  PRIMARY KEY (kind, term, substance)
) STRICT, WITHOUT ROWID;

-- The fields of hits, as JSON values; the identifier is plain text. "folded" is the folded approved name, or null if
-- that equals the name in lower case.
CREATE TABLE hits (
  substance INTEGER PRIMARY KEY,
  dtxsid TEXT NOT NULL,
  dtxcid TEXT NOT NULL,
  casrn TEXT NOT NULL,
  smiles TEXT NOT NULL,
  name TEXT NOT NULL,
  has_structure_image TEXT NOT NULL,
  is_markush TEXT NOT NULL,
  folded TEXT
) STRICT;

-- The index of parts of names: each run of three or four characters (gram) has a number, and sets of the substances that
-- have it. The number of a row of "postings" combines group, gram and the last stripe of substances in the row.
CREATE TABLE grams (id INTEGER PRIMARY KEY, gram TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE postings (id INTEGER PRIMARY KEY, documents BLOB NOT NULL) STRICT;

-- Bioactivity data records, as imported. The columns before "record" are facts of the record. The indexes by endpoint
-- and by substance cover the queries that count.
CREATE TABLE bioactivity (
  m4id INTEGER PRIMARY KEY,
  aeid INTEGER NOT NULL,
  spid TEXT NOT NULL,
  dtxsid TEXT,
  single INTEGER NOT NULL,
  active INTEGER NOT NULL,
  cytotoxicity INTEGER NOT NULL,
  hitc REAL,
  ac50 REAL,
  tissue TEXT,
  record BLOB NOT NULL
) STRICT;
CREATE INDEX bioactivity_aeid ON bioactivity (aeid, m4id, single, active);
CREATE INDEX bioactivity_spid ON bioactivity (spid, m4id);
CREATE INDEX bioactivity_dtxsid ON bioactivity (dtxsid, m4id, single, active) WHERE dtxsid IS NOT NULL;
CREATE INDEX bioactivity_cytotoxicity ON bioactivity (dtxsid, aeid, hitc, ac50)
  WHERE cytotoxicity = 1 AND single = 0 AND dtxsid IS NOT NULL;

-- One row: the global median absolute deviation of all chemicals.
CREATE TABLE cytotoxicity (global_mad REAL) STRICT;

${records}

PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`
