import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "@chemstream/faults", include: ["test/**/*.test.ts"], testTimeout: 30_000 }
})
