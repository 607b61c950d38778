import { workspace } from "../../vitest.shared.ts"

export default workspace("@chemstream/tests-compatibility")
