/** The size of a picture on paper. */

/** Returns a length in millimetres, for an attribute, e.g. `190mm`. A pixel is 1/96 inch. */
export const millimetres = (pixels: number): string => `${Number(((pixels * 25.4) / 96).toFixed(3))}mm`
