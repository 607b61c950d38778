// The API reference: a page for everything that the public packages export, from the docstrings in their built
// declarations, as a site that needs no server. TypeDoc reads them with a TypeScript of its own, because it knows no TypeScript 7 yet;
// the declarations are the compiler's output and mean the same to both. Packages must be built before.

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

/** Where `npm run docs` writes to. */
export const folder: string = join(root, "docs", "reference", "out")

/** An entry of a package: how it is imported, and its built declarations. */
export interface Entry {
  readonly specifier: string
  readonly declarations: string
}

/** A reference. `problems`: broken links and exports without a docstring, `[]` if there are none. */
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
 * The entries of all public libraries, sorted; the command is no library. An entry that is one module of another, for who
 * is to load nothing else, is described there.
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
    // Without it TypeDoc would write to docs/, which is written by hand, and clear it before.
    out: folder,
    basePath: root,
    // The declarations have been checked by the compiler that made them.
    skipErrorChecking: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    // A package's internals show where a type needs them; what links to them is not broken.
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

/** Writes the pages into a folder, which is cleared before. */
export const write = (application: Application, project: ProjectReflection, folder: string): Promise<void> =>
  application.generateDocs(project, folder)

/** Every exported name of an entry and of the namespaces in it, e.g. `Batch.make`. */
export const namesOf = (project: ProjectReflection, specifier: string): ReadonlyArray<string> => {
  const module = project.children?.find(({ name }) => name === specifier)
  return (module?.children ?? []).flatMap((child) => [
    child.name,
    ...membersOf(child).map(({ name }) => `${child.name}.${name}`)
  ])
}

/** The members of a namespace, including one that another package defines. */
const membersOf = (child: DeclarationReflection): ReadonlyArray<DeclarationReflection> => {
  const target = child instanceof ReferenceReflection ? child.getTargetReflectionDeep() : child
  return target instanceof DeclarationReflection && target.kind === ReflectionKind.Namespace
    ? (target.children ?? [])
    : []
}

/** Exports without a docstring, e.g. `@chemstream/api Dtxsid.parse`. */
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
