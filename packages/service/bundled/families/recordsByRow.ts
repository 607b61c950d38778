/** Records to import, by the name of their row. */
export type RecordsByRow = Readonly<Record<string, ReadonlyArray<object>>>
