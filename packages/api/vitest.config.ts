import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "@chemstream/api", include: ["test/**/*.test.ts"], testTimeout: 30_000 }
})
