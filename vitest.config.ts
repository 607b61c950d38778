import { defineConfig } from "vitest/config"

// For `vitest run FILE` in the root, with the names of all workspaces for `--project`.
export default defineConfig({
  test: { projects: ["packages/*", "tests/*", "examples", "docs/reference"] }
})
