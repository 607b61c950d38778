import { defineConfig } from "vite"

// Paths are relative, so that the page works below any path. No source maps: they would be larger than the page.
export default defineConfig({
  root: "page",
  base: "./",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsDir: "explorer",
    // The policy of the page allows no image in an address.
    assetsInlineLimit: 0,
    // The licences of the bundled packages.
    license: { fileName: "explorer/LICENSES.md" },
    chunkSizeWarningLimit: 1000,
    // The helper for preloading needs a document, which the worker lacks.
    modulePreload: false,
    // An entry of its own, so that the worker shares modules with the page, and its packages are among the licences.
    rolldownOptions: {
      input: ["page/index.html", "page/substance/plotWorker.ts"],
      output: {
        entryFileNames: ({ name }) =>
          name === "plotWorker" ? `explorer/${name}.js` : "explorer/[name]-[hash].js",
        // Without the names of modules, which every chunk would repeat in its imports.
        chunkFileNames: "explorer/[hash].js"
      }
    }
  }
})
