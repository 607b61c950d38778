/** The limits of tool calls that an assistant reads in their descriptions. */

/** The largest number of identifiers in one call. */
export const maxIdentifiers = 1000

/** The default number of records in one answer. */
export const defaultLimit = 50

/** The largest number of records in one answer. */
export const maxLimit = 500
