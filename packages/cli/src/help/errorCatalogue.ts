/**
 * Every error by its name: what it means and what to do about it. The one source of `chemstream help errors`,
 * `docs/errors.md` and the man page.
 *
 * A name without an entry, and an entry without an error, is a compile error where the type of the error can be had,
 * and fails a test for all.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError, InvalidOption, ResponseCache } from "@chemstream/client"
import type { exitCodes } from "../CommandFailure.ts"

/** What a name means, and what to do. */
export interface Entry {
  readonly meaning: string
  readonly action: string
}

/** Names that belong together. */
export interface Section {
  readonly title: string
  /** Where one meets them. */
  readonly place: string
  readonly entries: Readonly<Record<string, Entry>>
}

/** The failures of calls. */
const calls = {
  Unauthorized: {
    meaning:
      "The service refused the key (401), or the key may not do this (403 with a JSON body). The run ends at once.",
    action:
      "Look whether there is a key and where it comes from (chemstream config get), and set the right one; chemstream doctor then says whether it is accepted."
  },
  NotFound: {
    meaning:
      "The service has nothing under this value. In a run the value is counted as missing, not failed.",
    action:
      "Look at the suggestions where the error has some; chemstream validate finds misspelt identifiers."
  },
  InvalidRequest: {
    meaning:
      "The service, or a gateway in front of it, refuses the request as it stands (another 4xx). Sending it again does not help.",
    action:
      "Read the message, which is the service's or the gateway's own: a gateway may block a word (403 with a page). If every request fails so, the base URL most likely lacks a part of its path, or the service differs from the contract."
  },
  BatchTooLarge: {
    meaning:
      "More values in one request than the endpoint takes. A run halves the batch and goes on with smaller ones.",
    action: "Nothing in a run. In a program send fewer values a call, or use a stream, which divides them."
  },
  RateLimited: {
    meaning:
      "Too many requests (429). The whole client waits as long as the service asks, and asks more slowly; this remains when the attempts are used up.",
    action: "Ask more slowly (--rate 5/s, a smaller --concurrency), then chemstream retry for what failed."
  },
  ServiceFailure: {
    meaning:
      "The service, or a gateway before it, failed (5xx), and did so at every attempt. A batch is divided until the values that cause it are alone.",
    action:
      "Wait, then chemstream retry. If the same identifiers fail again, they are what the service cannot answer: tell its operators."
  },
  RequestTimeout: {
    meaning: "No complete answer in the time allowed, at any attempt.",
    action: "Allow more (--timeout 2m) or ask for less at once (--batch-size 100), then chemstream retry."
  },
  ConnectionFailed: {
    meaning:
      "The service could not be reached, or the connection broke off. The code is the system's word for it: ENOTFOUND for a host that does not exist, ECONNREFUSED where nothing listens, CERT… for a certificate that is not trusted.",
    action:
      "Check the base URL and the network (chemstream doctor), and the proxy (HTTPS_PROXY, NO_PROXY) if there is one."
  },
  MalformedResponse: {
    meaning:
      "The answer was a success but not what it should be: an error page, cut-off JSON, another shape. The path leads to the place.",
    action:
      "Ask again later (chemstream retry). If it stays, the service has changed: --validate warn or off passes records on as they come."
  },
  ServiceUnavailable: {
    meaning:
      "The service stayed unavailable for longer than the run waits (--wait): no connection to it, a gateway that answers 502, 503 or 504, or one that refused 20 requests in a row with a page.",
    action:
      "Wait until it is available (chemstream doctor), then run the same command again: it continues a run into an NDJSON file. For others use chemstream retry."
  }
} satisfies Record<ChemError.ChemError["_tag"], Entry>

const values = {
  InvalidIdentifier: {
    meaning:
      "A value that is not the identifier it should be: its form is wrong (malformed), or its check digit does not fit (check-digit; refused under --strict-ids only). It is not asked for.",
    action:
      "Correct it; chemstream validate shows what was probably meant. --fail-on-invalid makes it exit code 1."
  }
} satisfies Record<InvalidIdentifier.InvalidIdentifier["_tag"], Entry>

const settings = {
  InvalidOption: {
    meaning:
      "An option that cannot be used, e.g. a base URL without http:// or https://, or a concurrency of 0.",
    action: "Change the option that the message names; chemstream config get says where settings come from."
  },
  CacheFailure: {
    meaning: "The store of kept answers cannot be used. During a run this costs only the kept answers.",
    action: "Free the disk or choose another file, as the message says; the file can be removed at any time."
  }
} satisfies Record<(InvalidOption.InvalidOption | ResponseCache.CacheFailure)["_tag"], Entry>

const runs = {
  CheckpointRefused: {
    meaning:
      "The checkpoint belongs to another run (other options, another service or version), a file of the run is missing or damaged, or a file stands in its place that no run has left.",
    action:
      "As the message says: run the same command as then, start over with --no-resume, or choose another file. A file that no run has left stays as it is."
  },
  InputMismatch: {
    meaning: "The input of a continued run is not the input that the run had before.",
    action: "Give the same input as then, or start over with --no-resume."
  },
  LockFailure: {
    meaning: "Another run is writing the same output or checkpoint, or the folder cannot be written to.",
    action:
      "Wait until the other run has ended, or stop it; else make the folder writable or choose another file."
  },
  UnmatchedResponse: {
    meaning:
      "An answer to a batch call of a program's own has records, and none of them is of a key that was asked for.",
    action: "Give each record the key in the spelling of the request."
  },
  LedgerInvariantError: {
    meaning:
      "The counts of a run do not add up: an identifier was lost or counted twice. A defect of chemstream.",
    action: "Do not use the output, and report it with the command and the counts."
  },
  Incomplete: {
    meaning: "Of an identifier that is joined from several endpoints, some parts could not be had.",
    action:
      "Look at the errors of the parts, which are of the kinds above, then ask again for these identifiers."
  },
  InvalidChunk: {
    meaning: "Something was written to a stream from which no identifiers can be read.",
    action: "Write texts, bytes, or identifiers, as the message says."
  }
} satisfies Record<string, Entry>

const formats = {
  NdjsonError: {
    meaning: "A line of NDJSON that cannot be read; the message says which line and where in it.",
    action: "Correct or remove the line."
  },
  NdjsonEncodeError: {
    meaning: "A value that JSON cannot carry, e.g. a function or a circular object.",
    action: "Change what the message names before it is written."
  },
  RawJsonError: {
    meaning: "A text that is not the JSON it should be, at the byte that the offset says.",
    action: "In an answer: ask again. In a file: correct it there."
  },
  DriftError: {
    meaning:
      "Under --validate strict: a record that does not fit the contract. It is kept in the errors file.",
    action: "Use --validate warn to have such records passed on, and their differences counted."
  },
  TableError: {
    meaning:
      "A record that has no place in a table (CSV, TSV, Parquet), e.g. a field that came too late to be a column.",
    action: "Name the columns (--fields a,b,c), or write NDJSON."
  },
  CsvError: {
    meaning: "A row of a CSV or TSV file that cannot be read; the message says which line.",
    action: "Correct the row, most often its quotes or its number of cells."
  },
  TransformError: {
    meaning: "A transform of records met one that it cannot be applied to.",
    action: "Read the message: it names the transform, the record and the field."
  },
  CompressionError: {
    meaning: "A gzip or zstd input that is cut off, damaged, or none.",
    action: "Fetch or write the file again; look at the offset for where it ends."
  },
  MissingPackage: {
    meaning: "The format, or the picture, needs a package that is not installed.",
    action: "Install it as the message says, or choose another --format."
  },
  InvalidTarget: {
    meaning: "The option --output names a database, but no table in it that can be written.",
    action: "Write FILE.sqlite#table, FILE.duckdb#table or postgres://host/database#schema.table."
  },
  TableOutputError: {
    meaning: "A table cannot be written: it has another shape, another run uses it, or the database fails.",
    action: "Do what the message says. The same command continues the run."
  },
  MissingDuckdb: {
    meaning: "A table of DuckDB needs the package @duckdb/node-api, which is not installed.",
    action: "Install it beside the command, or write a table of SQLite."
  }
} satisfies Record<string, Entry>

const figures = {
  UnreadableStructure: {
    meaning: "A structure that cannot be drawn: none is known, it is malformed, or it has too many atoms.",
    action:
      "Nothing in a card or report, which say so in place of the picture; the record itself is unharmed."
  },
  UnreadableSvg: {
    meaning: "A picture that cannot be turned into pixels, mostly because it would be too large.",
    action: "Write it as .svg, or ask for fewer chemicals in one picture."
  },
  TooManyEntries: {
    meaning: "More chemicals than one report may have.",
    action: "Divide the list and make several reports."
  },
  SpoolError: {
    meaning: "The temporary file in which a report waits cannot be written or read.",
    action: "Free the disk, or let TMPDIR name a folder with space."
  }
} satisfies Record<string, Entry>

const service = {
  ApiKeysError: {
    meaning: "The keys of chemstream serve cannot be had: no file, an empty one, or an empty variable.",
    action: "Give --api-keys-file FILE with one key a line, or set CHEMSTREAM_API_KEYS."
  },
  StoreError: {
    meaning:
      "The database cannot be used: it is not there, no database of chemstream, of another version, or held by another process.",
    action:
      "Check the path; make it with chemstream import or chemstream generate, anew after a change of version."
  },
  ListenError: {
    meaning: "The service cannot listen at its address, most often because the port is taken.",
    action: "Choose another --port (0 for a free one), or stop what listens there."
  },
  ImportError: {
    meaning: "A file that cannot be imported; nothing of it was. The message says which line or element.",
    action: "Correct the file, or choose the right --kind."
  }
} satisfies Record<string, Entry>

/** About harvests. */
const harvests = {
  UnknownHarvest: {
    meaning: "The database has no harvest of this name.",
    action: "chemstream harvest list says which there are; look whether --database is the right one."
  },
  HarvestMismatch: {
    meaning:
      "There is a harvest of this name with other identifiers, settings, service or dialect, which the message names, or another process was just starting it.",
    action: "Give the new one another name, or chemstream harvest delete the old one when it has ended."
  },
  ServiceMismatch: {
    meaning:
      "A harvest of the database that has not ended asks another service, or in another dialect. All harvests of a database that have not ended ask alike, or the records of two services would be mixed.",
    action:
      "Finish that harvest with its own service, chemstream harvest cancel it, or use another --database; for a worker, give it the base URL and dialect of the harvests."
  },
  LostChunk: {
    meaning: "The database of harvests no longer has the identifiers of a chunk: its rows were deleted.",
    action: "Restore the database, or cancel the harvest and start another."
  },
  OwnLookupFailed: {
    meaning: "A lookup of a program's own failed with an error that ends the run.",
    action: "Correct the lookup, start the worker again, then chemstream harvest resume."
  },
  ChunkDefect: {
    meaning: "A harvest was paused by a defect: of this program, or of a lookup of its own.",
    action: "Report it with the reason of the harvest; chemstream harvest resume tries again."
  },
  WorkerFailed: {
    meaning: "The loop of a worker failed. It has given back its shards, and the other workers go on.",
    action: "Start the worker again. If it fails again, the message says with what."
  },
  UnknownLookup: {
    meaning: "A harvest asks for a lookup of a program's own that this program has not registered.",
    action: "Register it with Fetch.layerOwn where the harvest is started, and in its workers."
  },
  SourceError: {
    meaning:
      "The identifiers of a harvest cannot be read: no file, an object without the field, a search that failed.",
    action: "Correct the source; nothing was started."
  },
  SinkError: {
    meaning:
      "Outcomes cannot be kept where a harvest wants them. Where waiting can help the chunk is tried again; else the harvest is paused.",
    action: "Free the disk or start the database, as the message says; then chemstream harvest resume."
  }
} satisfies Record<string, Entry>

/** All errors. */
export const errors: ReadonlyArray<Section> = [
  {
    title: "Failures of calls",
    place: "`error.tag` of a failed identifier in the errors file, and the last line of a run that ends",
    entries: calls
  },
  { title: "Values", place: "`error.tag` of an invalid value in the errors file", entries: values },
  { title: "Settings", place: "The line in which a command says why it does not start", entries: settings },
  { title: "Runs", place: "The line in which a run says why it does not start or ends", entries: runs },
  { title: "Input and output", place: "What cannot be read or written", entries: formats },
  { title: "Pictures and reports", place: "chemstream show, plot and report", entries: figures },
  {
    title: "Harvests",
    place: "chemstream harvest, and the reason of a harvest that is paused",
    entries: harvests
  },
  { title: "The service", place: "chemstream serve, import and generate", entries: service }
]

/** What an identifier came to: `outcome` in the errors file, and the counts of the summary. */
export const outcomes: Section = {
  title: "Outcomes",
  place:
    "Every identifier comes to exactly one: read = found + missing + failed + duplicates + invalid. Records that belong to no identifier are counted apart, as surplus",
  entries: {
    found: {
      meaning:
        "It has a record, or several. It is truncated when the service says that it has more than it sent.",
      action:
        "Nothing; after a truncated search, search for longer words. --fail-on-truncated makes it exit code 1."
    },
    missing: {
      meaning: "The service does not know it, or has nothing of the kind that was asked for.",
      action:
        "Nothing, or look for another identifier (chemstream search equal). --fail-on-missing makes it exit code 1."
    },
    failed: {
      meaning: "There is no usable answer; the error says why.",
      action: "chemstream retry errors.ndjson -- COMMAND asks again for these, and only these."
    },
    duplicates: {
      meaning: "It had come before, and was not asked for again.",
      action: "Nothing; --no-dedupe, --keep, --with-line and --with-query write a record for each."
    },
    invalid: {
      meaning: "It is no identifier, and was not asked for.",
      action: "Correct it; chemstream validate shows what was probably meant."
    },
    surplus: {
      meaning:
        "A record that belongs to no identifier: it was not requested, repeats the one record of an identifier, or carries no identifier.",
      action:
        "Look at the record in the errors file; tell the operator of the service. chemstream retry skips it."
    }
  }
}

/** What the exit code of a command means. */
export const exits = {
  success: {
    meaning: "Every identifier is accounted for and none failed.",
    action: "Missing ones are in the errors file."
  },
  failed: {
    meaning:
      "Some identifiers failed (or are missing, under --fail-on-missing, or not valid, under --fail-on-invalid and for validate, or truncated, under --fail-on-truncated), the output could not be written, or the service could not start.",
    action: "Read the last lines on standard error; then chemstream retry, or run it again."
  },
  usage: {
    meaning: "Wrong usage, unreadable input, or no valid value in it. Nothing was asked.",
    action:
      "Correct the command or the input. The last line says what the values look like and which command takes them."
  },
  unauthorized: {
    meaning: "The service refused the key, or there is none.",
    action: "chemstream config set api-key, or set CHEMSTREAM_API_KEY."
  },
  unreachable: {
    meaning:
      "The service could not be reached at all, there is no service under the address, or it stayed unavailable for longer than --wait.",
    action:
      "chemstream doctor says where it was looked for. The same command continues a run into an NDJSON file."
  },
  interrupted: {
    meaning: "Interrupted by Ctrl-C (143 by SIGTERM, 129 by a closed terminal); the run keeps what it has.",
    action: "The same command continues a run into an NDJSON file."
  }
} satisfies Record<keyof typeof exitCodes, Entry>

/** All names, with what they mean. */
export const entries: ReadonlyMap<string, Entry> = new Map(
  [outcomes, ...errors].flatMap((section) => Object.entries(section.entries))
)
