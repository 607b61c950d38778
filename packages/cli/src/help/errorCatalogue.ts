/**
 * Every error by its name, with its meaning and the action to take. It is the source of `chemstream help errors`,
 * `docs/errors.md` and the man page.
 *
 * An error without an entry, or an entry without an error, fails a test. Where the type of the error is exported, it is also
 * a compile error.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError, InvalidOption, ResponseCache } from "@chemstream/client"
import type { exitCodes } from "../CommandFailure.ts"

/** The meaning of a name, and the action to take. */
export interface Entry {
  readonly meaning: string
  readonly action: string
}

/** A group of names. */
export interface Section {
  readonly title: string
  /** Where these names appear. */
  readonly place: string
  readonly entries: Readonly<Record<string, Entry>>
}

const calls = {
  Unauthorized: {
    meaning:
      "The service rejected the API key (401), or the key lacks the permission (403 with a JSON body). The run stops at once.",
    action:
      "Check where the key comes from with chemstream config get, and set the right one. chemstream doctor shows whether the service accepts it."
  },
  NotFound: {
    meaning: "The service has no record for this value. A run counts the value as missing, not as failed.",
    action:
      "Look at the suggestions in the error, if it has any. chemstream validate finds misspelt identifiers."
  },
  InvalidRequest: {
    meaning:
      "The service, or a gateway in front of it, rejected the request (another 4xx). A retry does not help.",
    action:
      "Read the message of the service or gateway. A gateway may block a word (403 with an HTML page). If every request fails, the base URL may lack a part of its path, or the service differs from the contract."
  },
  BatchTooLarge: {
    meaning:
      "The request has more values than the endpoint accepts. A run halves the batch and continues with smaller batches.",
    action:
      "In a run: nothing. In a program: send fewer values in one call, or use a stream, which splits them."
  },
  RateLimited: {
    meaning:
      "Too many requests (429). The client waits as long as the service asks, then sends requests more slowly. This error means that the last attempt was throttled, too.",
    action:
      "Lower the rate (--rate 5/s, or a smaller --concurrency). Then run chemstream retry for the failed identifiers."
  },
  ServiceFailure: {
    meaning:
      "The service, or a gateway in front of it, failed at every attempt (5xx). A run bisects the batch until it has isolated the values that cause the failure.",
    action:
      "Wait, then run chemstream retry. If the same identifiers fail again, report them to the operator of the service."
  },
  RequestTimeout: {
    meaning: "No attempt received a complete response within the timeout.",
    action:
      "Set a longer timeout (--timeout 2m) or smaller batches (--batch-size 100). Then run chemstream retry."
  },
  ConnectionFailed: {
    meaning:
      "The connection to the service failed or was cut off. The code comes from the operating system: ENOTFOUND (unknown host), ECONNREFUSED (nothing listens there) or CERT… (untrusted certificate).",
    action:
      "Check the base URL and the network with chemstream doctor. If there is a proxy, check HTTPS_PROXY and NO_PROXY."
  },
  MalformedResponse: {
    meaning:
      "The response has a success status, but its body is not the expected data: an error page, truncated JSON or another shape. The path names the place in the body.",
    action:
      "Run chemstream retry later. If the error stays, the service has changed: --validate warn or off writes such records unchanged."
  },
  ServiceUnavailable: {
    meaning:
      "The service was unavailable for longer than --wait: connections failed, a gateway responded with 502, 503 or 504, or a gateway rejected 20 requests in a row with an HTML page.",
    action:
      "Wait until chemstream doctor reports that the service is available, then run the same command again. It continues a run into an NDJSON file. For other outputs use chemstream retry."
  }
} satisfies Record<ChemError.ChemError["_tag"], Entry>

const values = {
  InvalidIdentifier: {
    meaning:
      "The value is not an identifier of the expected kind. Its form is wrong (malformed), or its check digit is wrong (check-digit, an error under --strict-ids only). It was not requested.",
    action:
      "Correct the value. chemstream validate repairs a damaged one; --lookup shows similar ones that exist. --fail-on-invalid makes it exit code 1."
  }
} satisfies Record<InvalidIdentifier.InvalidIdentifier["_tag"], Entry>

const settings = {
  InvalidOption: {
    meaning:
      "An option has a value that cannot be used, e.g. a base URL without http:// or https://, or a concurrency of 0.",
    action:
      "Change the option named in the message. chemstream config get shows where each setting comes from."
  },
  CacheFailure: {
    meaning: "The cache of responses cannot be used. During a run, the run continues without the cache.",
    action: "Free disk space or choose another file. The file can be deleted at any time."
  }
} satisfies Record<(InvalidOption.InvalidOption | ResponseCache.CacheFailure)["_tag"], Entry>

const runs = {
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

const formats = {
  NdjsonError: {
    meaning: "A line of NDJSON cannot be read. The message names the line and the position in it.",
    action: "Correct or remove the line."
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
  TableError: {
    meaning:
      "The record does not fit the table (CSV, TSV, Parquet), e.g. it has a field that was not in the first records.",
    action: "Name the columns (--fields a,b,c), or write NDJSON."
  },
  CsvError: {
    meaning: "A row of a CSV or TSV file cannot be read. The message names the line.",
    action: "Correct the row. Most often its quotes or its number of cells are wrong."
  },
  TransformError: {
    meaning: "A transform cannot be applied to a record.",
    action: "Read the message. It names the transform, the record and the field."
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
    meaning: "The option --output names a database, but no valid table in it.",
    action: "Write FILE.sqlite#table, FILE.duckdb#table or postgres://host/database#schema.table."
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

const figures = {
  UnreadableStructure: {
    meaning: "The structure cannot be drawn: the record has none, it is malformed, or it has too many atoms.",
    action:
      "Nothing for a card or a report: they say so in place of the picture. The record itself is complete."
  },
  UnreadableSvg: {
    meaning: "The picture cannot be converted to pixels, most often because it is too large.",
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

const service = {
  ApiKeysError: {
    meaning:
      "chemstream serve found no API keys to accept: the file is missing or empty, or the variable is empty.",
    action: "Give --api-keys-file FILE with one key on each line, or set CHEMSTREAM_API_KEYS."
  },
  StoreError: {
    meaning:
      "The database cannot be used: it is missing, not made by chemstream, of another version, or locked by another process.",
    action:
      "Check the path. Create the database with chemstream import or chemstream generate; create it again after a change of version."
  },
  ListenError: {
    meaning: "The service cannot listen on its address, most often because the port is in use.",
    action: "Choose another --port (0 picks a free one), or stop the program that uses it."
  },
  ImportError: {
    meaning:
      "A file cannot be imported, and nothing of it was stored. The message names the line or element.",
    action: "Correct the file, or choose the right --kind."
  }
} satisfies Record<string, Entry>

const harvests = {
  UnknownHarvest: {
    meaning: "The database has no harvest of this name.",
    action: "List the harvests with chemstream harvest list. Check that --database is the right one."
  },
  HarvestMismatch: {
    meaning:
      "A harvest of this name exists with other identifiers, settings, service or dialect, or another process is starting it. The message names the difference.",
    action: "Choose another name, or remove the finished harvest with chemstream harvest delete."
  },
  ServiceMismatch: {
    meaning:
      "The database has an unfinished harvest of another service or dialect. All unfinished harvests of a database must use the same service, so that records of two services are never mixed.",
    action:
      "Finish that harvest with its own service, stop it with chemstream harvest cancel, or use another --database. Give a worker the base URL and dialect of the harvests."
  },
  LostChunk: {
    meaning: "The database of harvests lacks the identifiers of a chunk: its rows were deleted.",
    action: "Restore the database, or cancel the harvest and start another."
  },
  OwnLookupFailed: {
    meaning: "A lookup that the program defines failed with a fatal error.",
    action: "Correct the lookup and restart the worker. Then run chemstream harvest resume."
  },
  ChunkDefect: {
    meaning: "A defect paused the harvest: in this program, or in a lookup that the program defines.",
    action: "Report it with the reason of the harvest. chemstream harvest resume tries again."
  },
  WorkerFailed: {
    meaning:
      "The main loop of a worker failed. The worker gave back its shards, and the other workers continue.",
    action: "Start the worker again. If it fails again, the message gives the reason."
  },
  UnknownLookup: {
    meaning: "The harvest uses a lookup that this program has not registered.",
    action: "Register it with Fetch.layerLookups, in the program that starts the harvest and in its workers."
  },
  SourceError: {
    meaning:
      "The identifiers of a harvest cannot be read: the file is missing, an object lacks the field, or a search failed.",
    action: "Correct the source, then start the harvest. Nothing was started."
  },
  SinkError: {
    meaning:
      "The harvest cannot write its outcomes. It retries the chunk if waiting can help; otherwise it pauses.",
    action: "Free disk space or start the database, as the message says. Then run chemstream harvest resume."
  }
} satisfies Record<string, Entry>

/** All errors. */
export const errors: ReadonlyArray<Section> = [
  {
    title: "Failures of calls",
    place: "`error.tag` of a failed identifier in the errors file, and the last line of a run that stops",
    entries: calls
  },
  { title: "Values", place: "`error.tag` of an invalid value in the errors file", entries: values },
  { title: "Settings", place: "The line with which a command refuses to start", entries: settings },
  { title: "Runs", place: "The line with which a run refuses to start or stops", entries: runs },
  {
    title: "Input and output",
    place: "Input that cannot be read, and output that cannot be written",
    entries: formats
  },
  { title: "Pictures and reports", place: "chemstream show, plot and report", entries: figures },
  {
    title: "Harvests",
    place: "chemstream harvest, and the reason of a paused harvest",
    entries: harvests
  },
  { title: "The service", place: "chemstream serve, import and generate", entries: service }
]

/** The outcomes of an identifier: `outcome` in the errors file, and the counts of the summary. */
export const outcomes: Section = {
  title: "Outcomes",
  place:
    "Every identifier has exactly one: read = found + missing + failed + duplicates + invalid. Surplus records are counted separately",
  entries: {
    found: {
      meaning:
        "The service has one or more records. The result is truncated if the service has more records than it sent.",
      action:
        "Nothing. After a truncated search, search for a longer word. --fail-on-truncated makes it exit code 1."
    },
    missing: {
      meaning: "The service does not know the identifier, or has no data of the requested kind.",
      action:
        "Nothing, or find another identifier with chemstream search equal. --fail-on-missing makes it exit code 1."
    },
    failed: {
      meaning: "There is no usable response. The error gives the reason.",
      action: "Run chemstream retry errors.ndjson -- COMMAND. It requests only the failed identifiers."
    },
    duplicates: {
      meaning: "The identifier came before and was not requested again.",
      action: "Nothing. --no-dedupe, --keep, --with-line and --with-query write a record for each."
    },
    invalid: {
      meaning: "The value is not an identifier and was not requested.",
      action:
        "Correct the value. chemstream validate repairs a damaged one; --lookup shows similar ones that exist."
    },
    surplus: {
      meaning:
        "A record that belongs to no identifier: it was not requested, it repeats the only record of an identifier, or it carries no identifier.",
      action:
        "Look at the record in the errors file and tell the operator of the service. chemstream retry skips it."
    }
  }
}

/** The meaning of each exit code. */
export const exits = {
  success: {
    meaning: "Every identifier is accounted for, and none failed.",
    action: "Nothing. The errors file lists the missing identifiers."
  },
  failed: {
    meaning:
      "Some identifiers failed, the output could not be written, or the service could not start. Also: some were missing (--fail-on-missing), invalid (--fail-on-invalid, or chemstream validate) or truncated (--fail-on-truncated).",
    action: "Read the last lines on standard error. Then use chemstream retry, or run the command again."
  },
  usage: {
    meaning: "The usage is wrong, the input cannot be read, or it has no valid value. Nothing was requested.",
    action:
      "Correct the command or the input. The last line names the kind of the values and the command for it."
  },
  unauthorized: {
    meaning: "The service rejected the API key, or none is set.",
    action: "Set the key with chemstream config set api-key, or with CHEMSTREAM_API_KEY."
  },
  unreachable: {
    meaning:
      "The service could not be reached, another server responded at the address, or the service was unavailable for longer than --wait.",
    action: "Check the address with chemstream doctor. The same command continues a run into an NDJSON file."
  },
  interrupted: {
    meaning:
      "Ctrl-C stopped the run (130), SIGTERM (143) or a closed terminal (129). The results so far are kept.",
    action: "Run the same command again. It continues a run into an NDJSON file."
  }
} satisfies Record<keyof typeof exitCodes, Entry>

/** The entries of all sections, by name. */
export const entries: ReadonlyMap<string, Entry> = new Map(
  [outcomes, ...errors].flatMap((section) => Object.entries(section.entries))
)
