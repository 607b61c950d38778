import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/workflow", { sharesCode: true })
