/**
 * Cuts text into rows of cells (RFC 4180, section 2): quotes, doubled quotes, line breaks inside quotes. Rows end
 * with LF, CRLF or CR. Blank lines are skipped, or are rows without cells. The text may arrive in any pieces.
 *
 * A parser that recovers returns the first line of a faulty row with its fault, and reads on at the next line.
 *
 * `csvRecords.ts` names the cells and checks their number.
 */

/** The cells of a row, and its first line, from 1. */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly line: number
  /** Why the row cannot be cut. Its cells are then the parts of its first line between separators. */
  readonly fault?: RowFault
}

/** Why the text cannot be cut. `line` is the first line of the row; `cell` counts from 1. */
export interface RowFault {
  readonly reason: "stray-quote" | "unterminated-quote" | "row-too-large"
  readonly line: number
  readonly cell: number
}

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

type State = "start" | "plain" | "quoted" | "quote-in-quoted"

/** The parser of one stream. */
export class Rows {
  private readonly separator: number
  private readonly quotes: boolean
  private readonly maxRowLength: number
  private state: State = "start"
  /** The part of the current cell in earlier chunks. */
  private cellText = ""
  /** Whether the cell is `="…"`, with which programs keep a text from becoming a date in a spreadsheet. */
  private isFormula = false
  private cells: Array<string> = []
  /** The number of characters of the row in earlier chunks. */
  private size = 0
  private line = 1
  private rowLine = 1
  /** The last character was a CR, so a LF belongs to it. */
  private isAfterCR = false
  private readonly recovers: boolean
  private readonly keepsBlank: boolean
  /** The text of the row so far, if the parser recovers. */
  private rowText = ""
  /** The fault of a row whose first line is not complete. */
  private pending: RowFault | undefined

  constructor(separator: string, quotes: boolean, maxLength: number, recovers = false, keepsBlank = false) {
    this.separator = separator.charCodeAt(0)
    this.quotes = quotes
    this.maxRowLength = maxLength
    this.recovers = recovers
    this.keepsBlank = keepsBlank
  }

  /** The current line. */
  get currentLine(): number {
    return this.line
  }

  push(text: string, out: Array<Row>): RowFault | undefined {
    if (!this.recovers) return this.scan(text, out)
    let rest: string | undefined = text
    while (rest !== undefined) {
      if (this.pending === undefined) this.pending = this.scan(rest, out)
      else this.rowText += rest
      if (this.pending === undefined) return undefined
      const end = this.rowText.search(/[\r\n]/)
      if ((end === -1 ? this.rowText.length : end) > this.maxRowLength)
        return { ...this.pending, reason: "row-too-large" }
      rest = this.leaveRow(this.pending, end, out)
    }
    return undefined
  }

  /** Returns the first line of a faulty row, up to `end`, and the text after it. Undefined: the line is not complete. */
  private leaveRow(fault: RowFault, end: number, out: Array<Row>): string | undefined {
    if (end === -1) return undefined
    const { rowText } = this
    this.drop(rowText.slice(0, end), fault, out)
    this.isAfterCR = rowText.charCodeAt(end) === CR
    return rowText.slice(end + 1)
  }

  /** Adds the first line of a faulty row, and begins the next row. */
  private drop(line: string, fault: RowFault, out: Array<Row>): void {
    out.push({
      cells: line.split(String.fromCharCode(this.separator)).map(unquoted),
      line: this.rowLine,
      fault
    })
    this.pending = undefined
    this.endCell()
    this.cells = []
    this.size = 0
    this.rowText = ""
    this.line = ++this.rowLine
  }

  /** Cuts text until its end or the first fault. */
  private scan(text: string, out: Array<Row>): RowFault | undefined {
    let rowStart = 0
    let i = 0
    while (i < text.length) {
      if (this.state === "quoted") {
        const quote = text.indexOf('"', i)
        const end = quote === -1 ? text.length : quote
        this.countLines(text, i, end)
        this.cellText += text.slice(i, end)
        i = end
        if (quote === -1) break
        this.state = "quote-in-quoted"
        this.isAfterCR = false
        i++
        continue
      }
      let code = text.charCodeAt(i)
      if (this.state === "quote-in-quoted") {
        if (code === QUOTE) {
          this.quote()
          i++
          continue
        }
        if (code !== this.separator && code !== LF && code !== CR)
          return this.strayQuote(text.slice(rowStart), i - rowStart)
      } else if (this.state === "start") {
        if (this.isAfterCR && code === LF) {
          this.isAfterCR = false
          rowStart = ++i
          continue
        }
        this.isAfterCR = false
        if (code === QUOTE && this.quotes) {
          this.state = "quoted"
          i++
          continue
        }
        this.state = "plain"
      }
      const start = i
      if (this.state === "plain") {
        while (i < text.length) {
          code = text.charCodeAt(i)
          if (code === this.separator || code === LF || code === CR || (code === QUOTE && this.quotes)) break
          i++
        }
      }
      this.cellText = this.cellText === "" ? text.slice(start, i) : this.cellText + text.slice(start, i)
      if (i === text.length) break
      if (code === QUOTE) {
        if (this.cellText !== "=") return this.strayQuote(text.slice(rowStart), i - rowStart)
        this.isFormula = true
        this.quote()
        i++
        continue
      }
      const isQuoted = this.endCell()
      i++
      if (code === this.separator) continue
      if (this.size + i - 1 - rowStart > this.maxRowLength)
        return this.fault("row-too-large", text.slice(rowStart))
      this.endRow(isQuoted, out)
      this.isAfterCR = code === CR
      rowStart = i
    }
    this.size += text.length - rowStart
    const rest = text.slice(rowStart)
    if (this.size > this.maxRowLength) return this.fault("row-too-large", rest)
    if (this.recovers) this.rowText += rest
    return undefined
  }

  end(out: Array<Row>): RowFault | undefined {
    const fault = this.pending ?? (this.state === "quoted" ? this.fault("unterminated-quote") : undefined)
    if (fault !== undefined) {
      if (!this.recovers) return fault
      const rest = this.leaveRow(fault, this.rowText.search(/[\r\n]/), out)
      if (rest !== undefined) return this.push(rest, out) ?? this.end(out)
      this.drop(this.rowText, fault, out)
      return undefined
    }
    if (this.size > 0) {
      this.endRow(this.endCell(), out)
    }
    return undefined
  }

  /** Adds a quote to the cell, and continues inside quotes. */
  private quote(): void {
    this.cellText += '"'
    this.state = "quoted"
  }

  /** Ends a cell. Returns whether it was quoted. */
  private endCell(): boolean {
    const isQuoted = this.state === "quote-in-quoted"
    this.cells.push(this.isFormula ? `${this.cellText}"` : this.cellText)
    this.cellText = ""
    this.isFormula = false
    this.state = "start"
    return isQuoted
  }

  private endRow(isQuoted: boolean, out: Array<Row>): void {
    const blank = this.cells.length === 1 && this.cells[0] === "" && !isQuoted
    if (!blank || this.keepsBlank) out.push({ cells: blank ? [] : this.cells, line: this.rowLine })
    this.cells = []
    this.size = 0
    this.rowText = ""
    this.line++
    this.rowLine = this.line
  }

  // Counts line breaks inside quotes.
  private countLines(text: string, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === CR || (code === LF && !this.isAfterCR)) this.line++
      this.isAfterCR = code === CR
    }
  }

  // The size comes first. Otherwise the fault would depend on the chunks.
  private strayQuote(rest: string, at: number): RowFault {
    return this.fault(this.size + at > this.maxRowLength ? "row-too-large" : "stray-quote", rest)
  }

  private fault(reason: RowFault["reason"], rest = ""): RowFault {
    if (this.recovers) this.rowText += rest
    return { reason, line: this.rowLine, cell: this.cells.length + 1 }
  }
}

/** Removes the quotes around a cell. */
const unquoted = (cell: string): string => cell.replace(/^"(.*)"$/s, "$1").replaceAll('""', '"')
