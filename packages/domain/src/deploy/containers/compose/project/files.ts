import { Predicate, Schema } from "effect"
import type { ComposeFile, DeclaredFile } from "../ComposeProject.ts"
import { inside } from "./build.ts"
import { type ComposeLocation, shown } from "./location.ts"
import { type Draft, supportedField } from "./rows.ts"
import { listOf, Scalar, Text } from "./shapes.ts"

const mostFiles = 200
// A Dockerfile would interpret these characters as patterns, variables and escapes.
const plain = /^[^$*?[\]\\"\0\n\r]{1,4096}$/

/** Adds a file of the repository, or a text, to the image of a service. */
export const withFile = (draft: Draft, file: ComposeFile, at: ComposeLocation): Draft => {
  const files = draft.files ?? []
  if (!file.target.startsWith("/") || !plain.test(file.target)) {
    at.say("Must be an absolute path, without `$`, quotes and patterns.")
  } else if (file.path !== null && !plain.test(file.path)) at.say("Must be a path without `$`, quotes and patterns.")
  else if (files.length >= mostFiles) at.say(`Must have at most ${mostFiles} files.`)
  else return { ...draft, files: [...files, file] }
  return draft
}

/** Reads an entry of the top-level section `configs` or `secrets`; undefined, with a problem, if it is unsupported. */
export const declaredFile = (value: unknown, at: ComposeLocation): DeclaredFile | undefined => {
  const { content, environment, external, file } = Predicate.isObject(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
  if (external !== undefined && external !== false) at.say("Must be a file of the repository, or inline content.")
  else if (typeof content === "string") return { path: null, text: content }
  else if (typeof environment === "string") at.say("Use `content`; variables in it are replaced.")
  else if (typeof file !== "string") at.say("Must be a file of the repository, or inline content.")
  else {
    const path = inside(at.context.directory, file)
    if (at.context.isText) at.say("A compose text has no files: use `content`.")
    else if (path !== undefined && path !== ".") return { path, text: null }
    else at.say("Must lie in the repository.")
  }
  return undefined
}

const Mounted = Schema.Union([
  Text,
  Schema.Struct({
    source: Text,
    target: Schema.optionalKey(Text),
    uid: Schema.optionalKey(Scalar),
    gid: Schema.optionalKey(Scalar),
    mode: Schema.optionalKey(Scalar)
  })
])

/**
 * Returns the reader of the field `configs` or `secrets` of a compose service. The named files, which come from the
 * repository or from a text, are added to the image of the service.
 */
export const declaredFiles = (section: "configs" | "secrets", folder: string) =>
  supportedField(listOf(Mounted), (draft, value, at) =>
    value.reduce((before: Draft, each, n) => {
      const { source, target = source, gid, uid } = typeof each === "string" ? { source: each } : each
      const declared = at.context.files?.get(`${section}.${source}`)
      if (declared === undefined) {
        at.within(n).say(`There is no \`${shown(source)}\` under \`${section}\`.`)
        return before
      }
      const owner = uid === undefined && gid === undefined ? null : `${Number(uid ?? 0)}:${Number(gid ?? 0)}`
      const place = target.startsWith("/") ? target : `${folder}${target}`
      return withFile(before, { ...declared, target: place, owner }, at.within(n))
    }, draft)
  )
