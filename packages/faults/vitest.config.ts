import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/faults", { isolate: false })
