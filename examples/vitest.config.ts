import { workspace } from "../vitest.shared.ts"

export default workspace("@chemstream/examples", { sharesCode: true })
