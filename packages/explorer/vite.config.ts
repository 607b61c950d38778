import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

// Paths are relative, so that the page works below any path. No source maps: they would be larger than the page.
export default defineConfig({
  root: "page",
  base: "./",
  logLevel: "warn",
  // Plots are drawn in the document of the page, so the library for Node is left out.
  resolve: { alias: { linkedom: fileURLToPath(new URL("page/substance/noDocument.ts", import.meta.url)) } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsDir: "explorer",
    // The licences of the bundled packages.
    license: { fileName: "explorer/LICENSES.md" },
    // Drawing plots is one chunk that the page loads when a plot is first drawn.
    chunkSizeWarningLimit: 1000
  }
})
