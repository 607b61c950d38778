/** The titles of quantities, on axes of plots and in the header of tables. */

export const titles = {
  ac50: "AC50 (µM)",
  concentration: "Concentration (µM)",
  hitCall: "Continuous hit call"
} as const
