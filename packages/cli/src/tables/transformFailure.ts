/** Says in the words of the options why a transform of the ndjson package failed. */
import { Quote } from "@chemstream/api"
import { Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"

/** Names the option in an error of its transform. */
export const named = <A, R>(
  records: Stream.Stream<A, CommandFailure | Transform.TransformError, R>
): Stream.Stream<A, CommandFailure, R> =>
  Stream.mapError(records, (error) =>
    error._tag === "CommandFailure" ? error : usageFailure(wordsOf(error))
  )

/** Says in the words of the options why a transform failed. */
const wordsOf = (error: Transform.TransformError): string => {
  const { field, index = 0, message, reason, transform } = error
  const option = optionOf[transform] ?? transform
  const record = `record ${(index + 1).toLocaleString("en-US")}`
  switch (reason) {
    case "too-large":
      return tooLarge(error)
    case "not-a-key":
      return `${option}: ${field === undefined ? "a value" : Quote.value(field)} of ${record} is a list or an object, which cannot be compared. Choose another field; --flat makes fields of nested objects`
    default:
      return `${option}: ${message.slice(message.startsWith(`${transform}: `) ? transform.length + 2 : 0).replace(`record ${index}`, record)}`
  }
}

const tooLarge = ({ index = 0, transform }: Transform.TransformError): string => {
  const columns =
    transform === "wide" ? `, or ${Transform.MAX_WIDE_COLUMNS.toLocaleString("en-US")} columns,` : ""
  return `${optionOf[transform] ?? transform} would hold more than 256 MiB${columns} at record ${(index + 1).toLocaleString("en-US")}. Reduce the records first, in a command before this one: convert with --where or --fields. Or load them into a database: chemstream convert FILE out.duckdb#table`
}

/** The option of each transform. */
const optionOf: Readonly<Record<string, string>> = {
  flat: "--flat",
  join: "--on",
  "join table": "--join",
  sortBy: "--by",
  topBy: "--top",
  where: "--where",
  wide: "--wide"
}
