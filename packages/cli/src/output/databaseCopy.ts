/**
 * Copies records of a file into tables of a database, for `chemstream convert`. `databaseStore.ts` writes those of a run.
 *
 * The record number in the file takes the place of the line of an input. The copy cannot be continued: the same command starts over.
 */
import type { RawRecord, Table } from "@chemstream/ndjson"
import { TableOutput, type TableTarget } from "@chemstream/workflow"
import { Effect, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as DatabaseStore from "./databaseStore.ts"
import * as LostValues from "./lostValues.ts"

/** The state of a copy, in place of the position of a run. */
const state = "a copy of chemstream convert"

/** Writes records to a table. */
export const write = (
  records: Stream.Stream<RawRecord.RawRecord, CommandFailure>,
  target: TableTarget.TableTarget,
  columns: ReadonlyArray<Table.Column>
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const tables = yield* TableOutput.open({
      target,
      columns,
      perLine: true,
      isSingle: true
    })
    const { position } = tables
    const left = yield* position.read
    if (left !== undefined && left !== state) {
      return yield* usageFailure(
        `an unfinished run keeps its state in ${tables.name}: continue it first, or name another table`
      )
    }
    if (left !== undefined) yield* position.remove
    DatabaseStore.sayRenamed(tables)
    yield* records.pipe(
      Stream.zipWithIndex,
      Stream.runForEach(([record, index]) =>
        Effect.gen(function* () {
          yield* tables.add({ outcome: outcomeOf(record, index + 1), records: [record] })
          if (tables.isFull()) yield* position.replace(state)
        })
      )
    )
    yield* position.replace(state)
    yield* position.remove
  }).pipe(Effect.mapError(DatabaseStore.storeFailure), Effect.scoped)

const outcomeOf = (record: RawRecord.RawRecord, line: number): TableOutput.Entry["outcome"] => ({
  id: LostValues.identifierOf(record) ?? `record ${line}`,
  outcome: "found",
  records: 1,
  truncated: null,
  line,
  given: null,
  message: null,
  error: null
})
