import { workspace } from "../../vitest.shared.ts"

// No test changes modules or globals, so files share processes instead of importing everything again.
export default workspace("@chemstream/client", { isolate: false })
