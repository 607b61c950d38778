/** The query parameter of pages. It is apart from the rows of `Details`, so that a client of another family does not load those rows. */

/** The default name of the page parameter of `/chemical/all` (docs/service.md, section 3.1). */
export const defaultPageParameter = "next"
