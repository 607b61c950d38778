import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/figures", { isolate: false })
