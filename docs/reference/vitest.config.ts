import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/reference", { testTimeout: 60_000 })
