import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/workflow", { maxConcurrency: 3, sharesCode: true })
