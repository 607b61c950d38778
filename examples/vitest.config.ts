import { workspace } from "../vitest.shared.ts"

export default workspace("@chemstream/examples", { testTimeout: 120_000, sharesCode: true })
