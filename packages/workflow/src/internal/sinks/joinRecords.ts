/**
 * Joins the records of all parts into one file, in the format of its name. A table needs all its columns before its
 * first row, so the records are then read twice.
 */
import { Format, Ndjson, type Table } from "@chemstream/ndjson"
import { FileFormat, type MissingPackage } from "@chemstream/ndjson/node"
import { Stream } from "effect"

/** Returns the bytes of the file, with the parts in order. `columns` are the columns of the contract. */
export const joinRecords = <E>(
  parts: ReadonlyArray<Stream.Stream<Uint8Array, E>>,
  name: string,
  columns: ReadonlyArray<Table.ExpectedColumn>
): Stream.Stream<Uint8Array, E | Ndjson.NdjsonError | Table.TableError | MissingPackage.MissingPackage> =>
  Stream.flatMap(
    Stream.fromIterable(parts),
    Ndjson.decodeRaw({ maxLineBytes: Number.MAX_SAFE_INTEGER })
  ).pipe(FileFormat.encodeTwice(Format.ofPath(name), { expected: columns }))
