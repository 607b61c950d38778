import { workspace } from "../../vitest.shared.ts"

// Every test starts processes, and several run at once: on a busy machine one may wait for long.
export default workspace("chemstream", { testTimeout: 120_000 })
