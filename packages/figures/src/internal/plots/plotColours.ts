/** The colours of the plots. `atomColours.ts` has those of structures. */

// Okabe and Ito's palette, which people with any kind of colour vision can tell apart (jfly.uni-koeln.de/color).
export const activeColour = "#0072b2"
export const markedColour = "#d55e00"
export const inactiveColour = "#6b6b6b"

/** The lines behind the marks. */
export const gridColour = "#e0e0e0"

/** The frame of a plot. */
export const frameColour = "#999999"

/** The scheme of heat maps. Cividis looks the same to people with red-green colour blindness (doi:10.1371/journal.pone.0199239). */
export const heatScheme = "cividis"
