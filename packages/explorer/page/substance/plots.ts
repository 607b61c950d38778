/** Draws plots. The page loads this module when it draws the first one. */
export { curve, hitCalls } from "@chemstream/figures/Plot"
