/**
 * Every error by its name, with its meaning and the action to take. It is the source of `chemstream help errors`,
 * `docs/errors.md` and the man page. The outcomes and exit codes are here; the entries of errors are in the sibling modules.
 *
 * An error without an entry, or an entry without an error, fails a test. Where the type of the error is exported, it is also
 * a compile error.
 */
import type { exitCodes } from "../../CommandFailure.ts"
import type { Entry } from "./errorEntry.ts"
import { calls, settings, values } from "./requestErrors.ts"
import { figures, formats, runs } from "./runErrors.ts"
import { harvests, service } from "./serviceErrors.ts"

export type { Entry } from "./errorEntry.ts"

/** A group of names. */
export interface Section {
  readonly title: string
  /** Where these names appear. */
  readonly place: string
  readonly entries: Readonly<Record<string, Entry>>
}

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
        "Nothing. After a truncated search, search for a longer word. --fail-on truncated makes it exit code 1."
    },
    missing: {
      meaning: "The service does not know the identifier, or has no data of the requested kind.",
      action:
        "Nothing, or find another identifier with chemstream search equal. --fail-on missing makes it exit code 1."
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
      "Some identifiers failed, the output could not be written, or the service could not start. Also: some were of an outcome that --fail-on names (missing, ambiguous, conflict, invalid, truncated), or invalid in chemstream validate.",
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
  stuck: {
    meaning:
      "chemstream harvest status --check, or worker --until-done: no worker runs, the harvest is paused, or no chunk has finished for two leases.",
    action:
      "Start a worker with chemstream harvest worker, or continue the harvest with chemstream harvest resume."
  },
  interrupted: {
    meaning:
      "Ctrl-C stopped the run (130), SIGTERM (143) or a closed terminal (129). The results so far are kept. Servers and workers exit with 0 on SIGTERM.",
    action: "Run the same command again. It continues a run into an NDJSON file."
  }
} satisfies Record<keyof typeof exitCodes, Entry>

/** The entries of all sections, by name. */
export const entries: ReadonlyMap<string, Entry> = new Map(
  [outcomes, ...errors].flatMap((section) => Object.entries(section.entries))
)

/**
 * Returns the message of an error of a library for a user of the command: its problem, and the action of the catalogue.
 * The message of the error itself advises programs.
 */
export const explain = (error: {
  readonly _tag: string
  readonly reason: string
  readonly problem: string
}): string => {
  const { action, actions } = entries.get(error._tag) ?? { action: "" }
  return `${error.problem}. ${actions?.[error.reason] ?? action}`.trim()
}
