import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/workflow", { testTimeout: 120_000, sharesCode: true })
