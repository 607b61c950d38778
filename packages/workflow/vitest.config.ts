import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "@chemstream/workflow", include: ["test/**/*.test.ts"], testTimeout: 60_000 }
})
