/** The source that every generated record of the families names. */
export const source = "generated"
