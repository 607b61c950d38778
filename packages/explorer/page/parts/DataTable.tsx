/** A dense table to sort, a hundred rows at a time. Its header stays in view, and its numbers are aligned. */
import type { ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"

/** A column of rows. */
export interface Column<Row> {
  readonly title: string
  /** What the values mean. */
  readonly meaning?: string | undefined
  readonly isNumber?: boolean
  /** The value by which rows are sorted. */
  readonly value: (row: Row) => string | number | null | undefined
  /** The content of the cell. Default: the value. */
  readonly show?: (row: Row) => ComponentChildren
}

interface Properties<Row> {
  /** The name of the table, for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
}

interface Order {
  readonly at: number
  readonly isDescending: boolean
}

/** The number of rows on a page. */
const pageSize = 100

const collator = new Intl.Collator("en", { numeric: true })

/** Sorts rows by a column. Rows without a value come last, and equal ones keep their order. */
export const sorted = <Row,>(
  rows: ReadonlyArray<Row>,
  { isNumber, value }: Column<Row>,
  isDescending: boolean
): ReadonlyArray<Row> => {
  const direction = isDescending ? -1 : 1
  const isBlank = (row: Row) => (value(row) ?? "") === ""
  const compare = (one: Row, other: Row): number => {
    if (isBlank(one) || isBlank(other)) return Number(isBlank(one)) - Number(isBlank(other))
    const difference = isNumber
      ? Number(value(one)) - Number(value(other))
      : collator.compare(String(value(one)), String(value(other)))
    return direction * difference
  }
  return rows.toSorted(compare)
}

/** Identifiers, CAS numbers and short values stay on one line. Long texts have room. */
const classOf = (value: string | number | null | undefined, isNumber = false): string => {
  const text = String(value ?? "")
  if (isNumber) return "number"
  return text.length <= 28 && !/\s\S+\s/.test(text) ? "whole" : text.length < 60 ? "phrase" : "long"
}

export const DataTable = <Row,>({ columns, label, rows }: Properties<Row>) => {
  const [order, setOrder] = useState<Order>()
  const [page, setPage] = useState(0)
  const shown = useMemo(() => {
    const column = order === undefined ? undefined : columns[order.at]
    return order === undefined || column === undefined ? rows : sorted(rows, column, order.isDescending)
  }, [rows, columns, order])
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  const current = Math.min(page, pages - 1)
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <Heading
                  key={column.title}
                  column={column}
                  direction={order?.at !== at ? undefined : order.isDescending ? "descending" : "ascending"}
                  sort={() => setOrder({ at, isDescending: order?.at === at && !order.isDescending })}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(current * pageSize, (current + 1) * pageSize).map((row, at) => (
              <tr key={at}>
                {columns.map(({ isNumber, show, title, value }) => (
                  <td key={title} class={classOf(value(row), isNumber)}>
                    {show === undefined ? value(row) : show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages === 1 ? null : (
        <p class="tools">
          <button type="button" class="quiet" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Previous
          </button>
          <span>
            Page {current + 1} of {pages}, {rows.length} rows
          </span>
          <button
            type="button"
            class="quiet"
            disabled={current === pages - 1}
            onClick={() => setPage(current + 1)}
          >
            Next
          </button>
        </p>
      )}
    </>
  )
}

interface HeadingProperties<Row> {
  readonly column: Column<Row>
  readonly direction: "ascending" | "descending" | undefined
  readonly sort: () => void
}

const arrows = { ascending: " ↑", descending: " ↓" }

const Heading = <Row,>({ column, direction, sort }: HeadingProperties<Row>) => (
  <th scope="col" aria-sort={direction} class={column.isNumber ? "number" : undefined}>
    <button type="button" title={column.meaning} onClick={sort}>
      {column.title}
      {direction === undefined ? null : <span aria-hidden="true">{arrows[direction]}</span>}
    </button>
  </th>
)
