/**
 * Every error by its name: what it means and what to do about it. The one source of `chemstream help errors`,
 * `docs/errors.md` and the man page.
 *
 * A name without an entry, and an entry without an error, is a compile error where the type of the error can be had,
 * and fails a test for all.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemClient, ChemError, ResponseCache } from "@chemstream/client"
import type { exitCodes } from "./CommandFailure.ts"

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
    meaning: "The service refused the key (401), or the key may not do this (403). The run ends at once.",
    action:
      "Look whether there is a key and where it comes from (chemstream config get), and set the right one; chemstream check then says whether it is accepted."
  },
  NotFound: {
    meaning:
      "The service has nothing under this value. In a run the value is counted as missing, not failed.",
    action:
      "Look at the suggestions where the error has some; chemstream validate finds misspelt identifiers."
  },
  InvalidRequest: {
    meaning: "The service refuses the request as it stands (another 4xx). Sending it again does not help.",
    action:
      "Read the message, which is the service's own. If every request fails so, the base URL most likely lacks a part of its path, or the service differs from the contract."
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
    action: "Allow more (--timeout 120) or ask for less at once (--batch-size 100), then chemstream retry."
  },
  ConnectionFailed: {
    meaning:
      "The service could not be reached, or the connection broke off. The code is the system's word for it: ENOTFOUND for a host that does not exist, ECONNREFUSED where nothing listens, CERT… for a certificate that is not trusted.",
    action:
      "Check the base URL and the network (chemstream check), and the proxy (HTTPS_PROXY, NO_PROXY) if there is one."
  },
  MalformedResponse: {
    meaning:
      "The answer was a success but not what it should be: an error page, cut-off JSON, another shape. The path leads to the place.",
    action:
      "Ask again later (chemstream retry). If it stays, the service has changed: --validate warn or off passes records on as they come."
  },
  CircuitOpen: {
    meaning:
      "Nothing was sent, because the last calls failed one after the other: the service seems to be down, and for longer than the run waits (--wait).",
    action:
      "Wait until it is up (chemstream check), then continue the run with the same command where it has a checkpoint; else chemstream retry."
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
  InvalidSetting: {
    meaning: "A setting of the client that cannot be used, e.g. a base URL without http:// or https://.",
    action: "Change the setting that the message names; chemstream config get says where it comes from."
  },
  CacheFailure: {
    meaning: "The store of kept answers cannot be used. During a run this costs only the kept answers.",
    action: "Free the disk or choose another file, as the message says; the file can be removed at any time."
  }
} satisfies Record<(ChemClient.InvalidSetting | ResponseCache.CacheFailure)["_tag"], Entry>

const runs = {
  CheckpointRefused: {
    meaning:
      "The checkpoint belongs to another run: other options, another service or version, or files that changed.",
    action: "Run the same command as then, or remove the checkpoint to start anew."
  },
  OtherInput: {
    meaning: "The input of a continued run is not the input that the run had before.",
    action: "Give the same input as then, or remove the checkpoint to start anew."
  },
  BrokenLaw: {
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
  },
  DiskSeenFailure: {
    meaning: "The temporary file that remembers which identifiers came before cannot be made or written.",
    action: "Free the disk, or set TMPDIR to a folder with room."
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
  },
  InvalidOption: {
    meaning: "An option of chemstream generate that cannot be used.",
    action: "Use a value as the message says."
  },
  UnwritableFile: {
    meaning: "A file that chemstream generate cannot write.",
    action: "Free the disk, or choose another folder."
  }
} satisfies Record<string, Entry>

/** About harvests. */
const harvests = {
  UnknownHarvest: {
    meaning: "The database has no harvest of this name.",
    action: "chemstream harvest list says which there are; look whether --database is the right one."
  },
  OtherHarvest: {
    meaning:
      "There is a harvest of this name with other identifiers, settings or another service, or another process was just starting it.",
    action: "Give the new one another name, or chemstream harvest forget the old one when it has ended."
  },
  OtherService: {
    meaning:
      "A harvest of the database that has not ended asks another service. All harvests of a database that have not ended ask one, or the records of two services would be mixed.",
    action:
      "Finish that harvest with its own service, chemstream harvest cancel it, or use another --database; for a worker, give it the base URL of the harvests."
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
  { title: "Pictures and reports", place: "chemstream explain, plot and report", entries: figures },
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
  place: "Every identifier comes to exactly one: read = found + missing + failed + duplicates + invalid",
  entries: {
    found: { meaning: "It has a record, or several.", action: "Nothing." },
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
      action: "Nothing; --no-dedupe, --carry, --with-line and --with-query write a record for each."
    },
    invalid: {
      meaning: "It is no identifier, and was not asked for.",
      action: "Correct it; chemstream validate shows what was probably meant."
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
      "Some identifiers failed (or are missing, under --fail-on-missing, or not valid, under --fail-on-invalid and for validate), the output could not be written, or the service could not start.",
    action: "Read the last lines on standard error; then chemstream retry, or run it again."
  },
  usage: {
    meaning: "Wrong usage or unreadable input. Nothing was asked.",
    action: "Correct the command or the input."
  },
  unauthorized: {
    meaning: "The service refused the key, or there is none.",
    action: "chemstream config set api-key, or set CHEMSTREAM_API_KEY."
  },
  unreachable: {
    meaning:
      "The service could not be reached at all, there is no service under the address, or it went away for longer than --wait.",
    action:
      "chemstream check says where it was looked for. A run with a checkpoint goes on with the same command."
  },
  interrupted: {
    meaning: "Interrupted by Ctrl-C (143 by SIGTERM, 129 by a closed terminal); a checkpoint is saved.",
    action: "The same command continues from the checkpoint."
  }
} satisfies Record<keyof typeof exitCodes, Entry>

/** All names, with what they mean. */
export const entries: ReadonlyMap<string, Entry> = new Map(
  [outcomes, ...errors].flatMap((section) => Object.entries(section.entries))
)
