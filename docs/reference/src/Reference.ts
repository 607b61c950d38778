// Writes the API reference: a page for each export of the public packages, as a site that needs no server. TypeDoc reads the
// docstrings in the built declarations, with a TypeScript of its own, because it does not know TypeScript 7 yet. The packages
// must be built.

import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import {
  Application,
  DeclarationReflection,
  Logger,
  LogLevel,
  type ProjectReflection,
  ReferenceReflection,
  ReflectionKind
} from "typedoc"

const root = join(import.meta.dirname, "..", "..", "..")

/** The output folder of `npm run docs`. */
export const folder: string = join(root, "docs", "reference", "out")

/** An entry of a package: its specifier, and its built declarations. */
export interface Entry {
  readonly specifier: string
  readonly declarations: string
}

/** A reference. `problems`: its broken links and exports without a docstring. */
export interface Reference {
  readonly application: Application
  readonly project: ProjectReflection
  readonly problems: ReadonlyArray<string>
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly bin?: object
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
}

/** Collects problems instead of printing them. */
class Collector extends Logger {
  readonly #problems: Array<string>
  constructor(problems: Array<string>) {
    super()
    this.#problems = problems
  }
  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.#problems.push(message)
  }
}

/**
 * Returns the entries of all public libraries, sorted. The command is not a library. An entry of a single module is described
 * with the entry that also contains the module.
 */
export const entries = (): ReadonlyArray<Entry> =>
  readdirSync(join(root, "packages"))
    .sort()
    .flatMap((name) => {
      const path = join(root, "packages", name)
      const manifest: Manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
      if (manifest.private === true || manifest.bin !== undefined) return []
      return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) =>
        typeof target === "string" || !target.types?.endsWith("/index.d.ts")
          ? []
          : [{ specifier: key.replace(".", manifest.name), declarations: join(path, target.types) }]
      )
    })

/** Reads the declarations. */
export const read = async (): Promise<Reference> => {
  const problems: Array<string> = []
  const all = entries()
  const application = await Application.bootstrap({
    entryPoints: all.map(({ declarations }) => declarations),
    tsconfig: join(root, "docs", "reference", "tsconfig.typedoc.json"),
    name: "chemstream",
    readme: "none",
    // Without it, TypeDoc would clear docs/ and write there.
    out: folder,
    basePath: root,
    // The compiler has already checked the declarations.
    skipErrorChecking: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    // Internal types appear where a public type needs them, so links to them are not broken.
    validation: { invalidLink: true, notDocumented: false, notExported: false },
    logLevel: "Warn"
  })
  application.logger = new Collector(problems)
  const project = await application.convert()
  if (project === undefined) throw new Error(problems.join("\n"))
  for (const child of project.children ?? []) {
    const entry = all.find(({ declarations }) =>
      relative(root, declarations)
        .replace(/(?:\/index)?\.d\.ts$/, "")
        .endsWith(child.name)
    )
    if (entry !== undefined) child.name = entry.specifier
  }
  application.validate(project)
  return { application, project, problems }
}

/** Clears a folder, and writes the pages into it. */
export const write = (application: Application, project: ProjectReflection, folder: string): Promise<void> =>
  application.generateDocs(project, folder)

/** Returns every exported name of an entry and its namespaces, e.g. `Batch.make`. */
export const namesOf = (project: ProjectReflection, specifier: string): ReadonlyArray<string> => {
  const module = project.children?.find(({ name }) => name === specifier)
  return (module?.children ?? []).flatMap((child) => [
    child.name,
    ...membersOf(child).map(({ name }) => `${child.name}.${name}`)
  ])
}

/** Returns the members of a namespace, also of one from another package. */
const membersOf = (child: DeclarationReflection): ReadonlyArray<DeclarationReflection> => {
  const target = child instanceof ReferenceReflection ? child.getTargetReflectionDeep() : child
  return target instanceof DeclarationReflection && target.kind === ReflectionKind.Namespace
    ? (target.children ?? [])
    : []
}

/** Returns the exports without a docstring, e.g. `@chemstream/api Dtxsid.parse`. */
export const undocumented = (project: ProjectReflection): ReadonlyArray<string> =>
  (project.children ?? []).flatMap((module) =>
    (module.children ?? [])
      .flatMap((child) => (child.kind === ReflectionKind.Namespace ? (child.children ?? []) : [child]))
      .filter(
        (reflection) =>
          reflection.kind !== ReflectionKind.Reference &&
          !reflection.hasComment() &&
          !(reflection.signatures ?? []).some((signature) => signature.hasComment())
      )
      .map((reflection) => `${module.name} ${reflection.getFullName().replace(/^.*?\.(?=[A-Z])/, "")}`)
  )
