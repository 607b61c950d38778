// Packs the public packages and installs each Node release, once for all test files.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import * as NodeRelease from "./NodeRelease.ts"
import * as PublicPackage from "./PublicPackage.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The path of each public package's tarball, by package name. */
    readonly tarballs: PublicPackage.Tarballs
  }
}

export default async ({ provide }: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-tarballs-"))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  try {
    provide("tarballs", await PublicPackage.pack(folder))
    for (const version of NodeRelease.versions) await NodeRelease.ensureInstalled(version)
  } catch (error) {
    dispose()
    throw error
  }
  return dispose
}
