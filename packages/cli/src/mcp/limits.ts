/** The limits of messages, and of tool calls, which an assistant reads in their descriptions. */

/** The largest message of a client, in bytes. A call takes 1000 identifiers. */
export const maxMessageBytes = 2 * 2 ** 20

/** The largest number of identifiers in one call. */
export const maxIdentifiers = 1000

/** The default number of records in one answer. */
export const defaultLimit = 50

/** The largest number of records in one answer. */
export const maxLimit = 500
