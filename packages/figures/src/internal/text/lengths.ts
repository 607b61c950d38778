/** Returns a length in millimetres, for an attribute. A pixel is 1/96 inch. */
export const millimetres = (pixels: number): string => `${Number(((pixels * 25.4) / 96).toFixed(3))}mm`
