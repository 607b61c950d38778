/** The views and tabs that the page loads when one of them is first opened: the first search and a summary need none of them. */
export { FamilyRecords as family } from "./families/FamilyRecords.tsx"
export { Harvests as harvests } from "./harvests/Harvests.tsx"
export { List as list } from "./list/List.tsx"
export { Suspects as suspects } from "./list/Suspects.tsx"
export { Bioactivity as bioactivity } from "./substance/Bioactivity.tsx"
