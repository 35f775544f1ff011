/** A path in a compose file, and how the compose program uses it. */
export interface Reference {
  /** The field that contains the path, such as `services.web.env_file`. */
  readonly field: string
  readonly path: string
  /**
   * How the compose program uses the path: it parses a `compose` file, it reads the content of a `read` file, and it
   * only passes a `named` path to the container engine.
   */
  readonly use: "compose" | "read" | "named"
  /**
   * The base folder of an included file, relative to the folder of the including file; absent if the file sets none.
   */
  readonly folder?: string
}

type Fields = ReadonlyMap<unknown, unknown>

const isFields = (value: unknown): value is Fields => value instanceof Map
const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])
const texts = (value: unknown): ReadonlyArray<string> =>
  listed(value).flatMap((each) => {
    if (typeof each === "string") return [each]
    const path = isFields(each) ? each.get("path") : undefined
    return typeof path === "string" ? [path] : []
  })

const shown = (name: unknown): string => String(name).slice(0, 100).replaceAll(/\s/g, " ")

const referencesTo = (use: Reference["use"], field: string, value: unknown): ReadonlyArray<Reference> =>
  texts(value).map((path) => ({ field, path, use }))

const inInclude = (value: unknown): ReadonlyArray<Reference> =>
  listed(value).flatMap((each): ReadonlyArray<Reference> => {
    if (!isFields(each)) return referencesTo("compose", "include", each)
    const files = listed(each.get("path")).flatMap((path) => referencesTo("compose", "include", path))
    const projectDirectory = each.get("project_directory")
    // All of its files are relative to the folder of the first one, unless it names another.
    const folder = typeof projectDirectory === "string" ? projectDirectory : `${files[0]?.path ?? ""}/..`
    return [
      ...files.map((reference) => ({ ...reference, folder })),
      ...referencesTo("read", "include.env_file", each.get("env_file")),
      ...(typeof projectDirectory === "string"
        ? [{ field: "include.project_directory", path: `${projectDirectory}/.env`, use: "read" as const }]
        : [])
    ]
  })

const inBuild = (field: string, value: unknown): ReadonlyArray<Reference> => {
  if (!isFields(value)) return referencesTo("named", field, value)
  const context = value.get("context")
  const dockerfile = value.get("dockerfile")
  const more = value.get("additional_contexts")
  const contexts = isFields(more)
    ? [...more.values()]
    : listed(more).map((each) => (typeof each === "string" ? each.slice(each.indexOf("=") + 1) : each))
  return [
    ...referencesTo("named", `${field}.context`, context),
    ...(typeof dockerfile === "string"
      ? [
          {
            field: `${field}.dockerfile`,
            path: dockerfile.startsWith("/") || typeof context !== "string" ? dockerfile : `${context}/${dockerfile}`,
            use: "named" as const
          }
        ]
      : []),
    ...contexts.flatMap((each) => referencesTo("named", `${field}.additional_contexts`, each))
  ]
}

/**
 * The fields that contain paths wherever they occur. The compose program merges YAML fragments, so they can occur in
 * any map.
 */
const anywhere: Readonly<Record<string, (field: string, value: unknown) => ReadonlyArray<Reference>>> = {
  env_file: (field, value) => referencesTo("read", field, value),
  label_file: (field, value) => referencesTo("read", field, value),
  extends: (field, value) => (isFields(value) ? referencesTo("compose", `${field}.file`, value.get("file")) : []),
  build: inBuild
}

const filesOf = (section: string, value: unknown): ReadonlyArray<Reference> =>
  isFields(value)
    ? [...value].flatMap(([name, thing]) =>
        isFields(thing) ? referencesTo("named", `${section}.${shown(name)}.file`, thing.get("file")) : []
      )
    : []

/** Returns every path in a compose file that the compose program reads or passes to a container engine. */
export const referencesIn = (documents: ReadonlyArray<unknown>): ReadonlyArray<Reference> => {
  const found: Array<Reference> = []
  const seen = new Set<unknown>()
  const open: Array<readonly [path: string, value: unknown]> = documents.map((document) => ["", document])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    const inner = isFields(value) ? [...value] : Array.isArray(value) ? [...value.entries()] : []
    for (const [name, each] of inner) {
      const field = path === "" ? shown(name) : `${path}.${shown(name)}`
      if (isFields(value) && typeof name === "string" && Object.hasOwn(anywhere, name)) {
        found.push(...(anywhere[name]?.(field, each) ?? []))
      }
      open.push([field.slice(0, 500), each])
    }
  }
  for (const document of documents) {
    if (!isFields(document)) continue
    found.push(...inInclude(document.get("include")))
    found.push(...filesOf("configs", document.get("configs")), ...filesOf("secrets", document.get("secrets")))
  }
  return found
}
