import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/service", { isolate: false })
