/** The rule for a text that is compared as a number. `TextNumbers.isNumber` has the stricter one for a column that becomes numbers. */

const decimal = /^\s*([+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*$/

/**
 * Returns the decimal number in a text, without white space around it and without a plus sign. Undefined: the text is no number, e.g.
 * `0x10`, `Infinity` or, because it may be an identifier, `007`.
 */
export const decimalIn = (text: string): string | undefined => decimal.exec(text)?.[1]?.replace(/^\+/, "")
