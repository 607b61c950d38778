/** The errors of runs, of input and output formats, and of pictures. */
import type { Csv, Ndjson } from "@chemstream/ndjson"
import type { Entry } from "./errorEntry.ts"

export const runs = {
  CheckpointRefused: {
    meaning:
      "The checkpoint belongs to another run (other options, service or version), a file of the run is missing or damaged, or another file has its name.",
    action:
      "Do what the message says: run the original command, start over with --no-resume, or choose another file. A file that no run has written is never changed."
  },
  InputMismatch: {
    meaning: "The input differs from the input of the run to continue.",
    action: "Give the original input, or start over with --no-resume."
  },
  LockFailure: {
    meaning: "Another run writes to the same output or checkpoint, or the folder is not writable.",
    action:
      "Wait until the other run has finished, or stop it. Otherwise make the folder writable, or choose another file."
  },
  UnmatchedResponse: {
    meaning:
      "In a program with its own batch call: the response has records, but none has the key of a requested item.",
    action: "Give each record its key in the spelling of the request."
  },
  LedgerInvariantError: {
    meaning:
      "The counts of a run do not add up: an identifier was lost or counted twice. This is a defect of chemstream.",
    action: "Do not use the output. Report the command and the counts."
  },
  Incomplete: {
    meaning: "The identifier is joined from several endpoints, and some of them failed.",
    action:
      "Read the error of each endpoint; it is one of the errors above. Then request these identifiers again."
  },
  InvalidChunk: {
    meaning: "A program wrote a value to the stream from which no identifier can be read.",
    action: "Write text, bytes or identifiers, as the message says."
  }
} satisfies Record<string, Entry>

export const formats = {
  NdjsonError: {
    meaning: "A line of NDJSON cannot be read. The message names the line and the position in it.",
    action: "Correct or remove the line.",
    actions: {
      "invalid-json": "Correct or remove the line.",
      "invalid-utf8": "Convert the file to UTF-8.",
      "line-too-large": "Check that the input has one value or one JSON object a line.",
      "schema-mismatch": "Correct or remove the line."
    } satisfies Record<Ndjson.DecodeReason, string>
  },
  NdjsonEncodeError: {
    meaning: "JSON cannot represent the value, e.g. a function or a circular object.",
    action: "Change the value named in the message before you write it."
  },
  RawJsonError: {
    meaning: "The text is not valid JSON. The offset is the byte where it is wrong.",
    action: "If it is a response: request it again. If it is a file: correct it at that byte."
  },
  DriftError: {
    meaning: "Under --validate strict: the record differs from the contract. The errors file has the record.",
    action: "Use --validate warn to write such records and count the differences."
  },
  SharedSessions: {
    meaning:
      "A pooler in front of Postgres shares sessions between transactions, so a run cannot lock its table.",
    action: "Set its pool_mode to session, or connect to Postgres directly."
  },
  TableError: {
    meaning:
      "The record does not fit the table (CSV, TSV, Parquet), e.g. it has a field that was not in the first records.",
    action: "Name the columns (--fields a,b,c), or write NDJSON."
  },
  CsvError: {
    meaning: "A row of a CSV or TSV file cannot be read. The message names the line.",
    action: "Correct the row. Most often its quotes or its number of cells are wrong.",
    actions: {
      "stray-quote":
        'Put quotes around the cell, and double the quotes inside it: "5""-x". If no cell of the file is quoted: --quotes none.',
      "unterminated-quote":
        "Add the closing quote of the cell. If no cell of the file is quoted: --quotes none.",
      "row-too-large": "Check for a missing closing quote.",
      "cell-count": "Correct the row. A cell with a separator needs quotes.",
      "duplicate-column": "Give one of the columns another name.",
      "invalid-utf8": "Convert the file to UTF-8."
    } satisfies Record<Csv.CsvReason, string>
  },
  WorkbookError: {
    meaning: "The file is not a workbook (.xlsx) that can be read. The message has the reason.",
    action: "Save it as .xlsx again, or name it .csv if it is text."
  },
  TransformError: {
    meaning: "A transform cannot be applied to a record.",
    action: "Read the message. It names the transform, the record and the field."
  },
  TypedTableError: {
    meaning: "The file is not a Parquet or Arrow file that can be read. The message has the reason.",
    action: "Write the file again, or convert it to CSV with the program that made it."
  },
  CompressionError: {
    meaning: "The gzip or zstd input is truncated, damaged or not compressed.",
    action: "Fetch or write the file again. The offset shows where the data stops."
  },
  MissingPackage: {
    meaning: "The output format or the picture needs a package that is not installed.",
    action: "Install the package named in the message, or choose another --format."
  },
  InvalidTarget: {
    meaning:
      "The option --output names a database, but no valid table in it, or a file that a harvest cannot write.",
    action:
      "Write FILE.sqlite#table, FILE.duckdb#table or postgres://host/database#schema.table, or the extension of a format that the message names."
  },
  TableInputError: {
    meaning: "The table cannot be read: it does not exist, or the database fails.",
    action: "Do what the message says. It names the tables that exist."
  },
  TableOutputError: {
    meaning: "The table cannot be written: its columns differ, another run uses it, or the database fails.",
    action: "Do what the message says. The same command continues the run."
  },
  MissingDuckdb: {
    meaning: "A DuckDB table needs the package @duckdb/node-api, which is not installed.",
    action: "Install the package beside the command, or write a SQLite table."
  }
} satisfies Record<string, Entry>

export const figures = {
  UnreadableStructure: {
    meaning: "The structure cannot be drawn: the record has none, it is malformed, or it has too many atoms.",
    action:
      "Nothing for a card or a report: they say so in place of the picture. The record itself is complete."
  },
  UnreadableSvg: {
    meaning:
      "The picture cannot be converted to pixels, because it is too large, or because its text needs a font and the machine has none.",
    action: "Write it as .svg, or draw fewer chemicals in one picture."
  },
  TooManyEntries: {
    meaning: "The list has more chemicals than one report can hold.",
    action: "Split the list and make several reports."
  },
  SpoolError: {
    meaning: "The temporary file of a report cannot be written or read.",
    action: "Free disk space, or set TMPDIR to a folder on another disk."
  }
} satisfies Record<string, Entry>
