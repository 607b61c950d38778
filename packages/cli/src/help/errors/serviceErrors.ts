/** The errors of the service and of harvests. */
import type { Entry } from "./errorEntry.ts"

export const service = {
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
  ThreadFailure: {
    meaning:
      "A thread of the service failed, ended or took too long. The service answers the request with an error and goes on with a new thread.",
    action: "Repeat the request. If it fails again, report it with the log of the service."
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

export const harvests = {
  UnknownHarvest: {
    meaning: "The database has no harvest of this name.",
    action: "List the harvests with chemstream harvest list. Check that --database is the right one."
  },
  HarvestMismatch: {
    meaning:
      "A harvest of this name exists with other identifiers, settings, service or dialect, an unfinished one has the same output, or another process is starting it. The message names the difference.",
    action: "Choose another name or output, or remove the finished harvest with chemstream harvest delete."
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
