import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/workflow", { maxConcurrency: 2, sharesCode: true })
