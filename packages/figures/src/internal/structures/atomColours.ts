/** The colours of atoms in drawings: the usual ones, each dark enough for white paper and greyscale. */
import { symbols } from "./elementSymbols.ts"

const black = [0, 0, 0]

/** The palettes by name, each with colours by atomic number, as RDKit wants them. -1: all others. */
export const palettes = {
  black: Object.fromEntries([-1, ...symbols.keys()].map((number) => [number, black])),
  elements: {
    "-1": black,
    "7": [0.1, 0.2, 0.75],
    "8": [0.75, 0.05, 0.05],
    "9": [0, 0.42, 0.3],
    "15": [0.65, 0.3, 0],
    "16": [0.5, 0.4, 0],
    "17": [0, 0.45, 0],
    "35": [0.5, 0.2, 0.1],
    "53": [0.4, 0.05, 0.5]
  }
}
