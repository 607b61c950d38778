/** Buttons that download records as CSV or NDJSON. */
import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import { useSession } from "../session.ts"
import type { Content } from "./encodeRecords.ts"
import { saveFile } from "./saveFile.ts"

interface Properties {
  /** The name of the file, without its extension. */
  readonly stem: string
  /** What the file has, for screen readers, if the view has several. */
  readonly title?: string
  readonly content: () => Content
  /** Further buttons. */
  readonly children?: ComponentChildren
}

const formats = [
  ["csv", "CSV", "text/csv"],
  ["ndjson", "NDJSON", "application/x-ndjson"]
] as const

/** The buttons. */
export const DownloadButtons = ({ children, content, stem, title }: Properties) => {
  const { connection } = useSession()
  const save = (format: "csv" | "ndjson", type: string) =>
    connection
      .run(
        Effect.flatMap(
          Effect.promise(() => import("./encodeRecords.ts")),
          ({ encode }) => encode(format, content())
        )
      )
      .then((exit) => {
        if (exit._tag === "Success")
          saveFile(`${stem.replaceAll(/[^\w.-]+/g, "-")}.${format}`, type, exit.value)
      })
  return (
    <span class="downloads">
      <span class="note">Download</span>{" "}
      {formats.map(([format, name, type]) => (
        <>
          <button
            key={format}
            type="button"
            class="quiet"
            aria-label={title === undefined ? undefined : `${name} of ${title}`}
            onClick={() => save(format, type)}
          >
            {name}
          </button>{" "}
        </>
      ))}
      {children}
    </span>
  )
}
