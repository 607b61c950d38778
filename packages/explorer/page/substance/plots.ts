/** Drawing of plots: loaded when the first one is drawn. */
export { curve, hitCalls } from "@chemstream/figures/Plot"
