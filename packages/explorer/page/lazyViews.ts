/** The views that the page loads when one of them is first opened: they are needed rarely, or read files with code of their own. */
export { Harvests as harvests } from "./harvests/Harvests.tsx"
export { List as list } from "./list/List.tsx"
export { Suspects as suspects } from "./list/Suspects.tsx"
