import { Schema } from "effect"
import type { ComposeBuild } from "../ComposeProject.ts"
import type { ComposeLocation } from "./location.ts"
import { supportedField } from "./rows.ts"
import { AnyContent, Names, pairsOf, Text, withoutExtensions } from "./shapes.ts"

const Build = Schema.Struct({
  context: Text,
  dockerfile: Schema.optionalKey(Text),
  dockerfile_inline: Schema.optionalKey(Text),
  args: Schema.optionalKey(Names),
  target: Schema.optionalKey(Text),
  cache_from: Schema.optionalKey(AnyContent),
  cache_to: Schema.optionalKey(AnyContent),
  no_cache: Schema.optionalKey(AnyContent),
  pull: Schema.optionalKey(AnyContent),
  tags: Schema.optionalKey(AnyContent),
  labels: Schema.optionalKey(AnyContent),
  provenance: Schema.optionalKey(AnyContent),
  sbom: Schema.optionalKey(AnyContent)
})

const leftOut = ["cache_from", "cache_to", "no_cache", "pull", "tags", "labels", "provenance", "sbom"] as const

/**
 * Resolves `.` and `..` in an absolute path; undefined if the path leads out of the root folder.
 *
 * ```ts
 * import { resolvePath } from "./build.ts"
 *
 * resolvePath("/a/./b/../c") // => "/a/c"
 * resolvePath("/../etc") // => undefined
 * ```
 */
export const resolvePath = (path: string): string | undefined => {
  const steps: Array<string> = []
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue
    if (step !== "..") steps.push(step)
    else if (steps.pop() === undefined) return undefined
  }
  return `/${steps.join("/")}`
}

/** Returns a path relative to a folder (`.` for the folder itself); undefined if the path is not in the folder. */
export const inside = (folder: string, path: string): string | undefined => {
  const [outer, inner] = [resolvePath(folder), resolvePath(path.startsWith("/") ? path : `${folder}/${path}`)]
  if (outer === undefined || inner === undefined) return undefined
  if (inner === outer) return "."
  const prefix = outer === "/" ? "/" : `${outer}/`
  return inner.startsWith(prefix) ? inner.slice(prefix.length) : undefined
}

const isPlain = (path: string) => !/[\0\r\n\\]/.test(path) && path.length <= 4_096

const read = (value: typeof Build.Type, at: ComposeLocation): ComposeBuild | null => {
  const isAddress = /^(?:[a-z][a-z0-9+.-]*:\/\/|git@|github\.com\/)/i.test(value.context)
  const context = isAddress || !isPlain(value.context) ? undefined : inside(at.context.directory, value.context)
  if (context === undefined) {
    at.within("context").say("Must be a folder of the repository.")
    return null
  }
  const folder = resolvePath(`${at.context.directory}/${context}`) ?? "/"
  const dockerfile = inside(folder, value.dockerfile ?? "Dockerfile")
  if (dockerfile === undefined || dockerfile === "." || !isPlain(dockerfile)) {
    at.within("dockerfile").say("Must be a file in the context.")
    return null
  }
  for (const name of leftOut)
    if (value[name] !== undefined) at.within(name).note("builds use the network of the platform.")
  return {
    context,
    dockerfile,
    dockerfileInline: value.dockerfile_inline ?? null,
    args: pairsOf(value.args ?? {}, at.within("args")).flatMap(([name, set]) =>
      set === null ? [] : [[name, set] as const]
    ),
    target: value.target ?? null
  }
}

const fromText = (value: unknown): unknown =>
  typeof value === "string" ? { context: value } : withoutExtensions(value)

const row = supportedField(Build, (draft, value, at) => ({ ...draft, build: read(value, at) }))

/**
 * Reads the field `build` of a compose service. The context must be a folder of the repository, not a path of the
 * server or a URL (invariant I22: an application accesses only its own resources).
 */
export const build = {
  read: (...[draft, value, at]: Parameters<typeof row.read>) => row.read(draft, fromText(value), at)
}
