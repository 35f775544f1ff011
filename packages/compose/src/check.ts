import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, join, normalize, resolve, sep } from "node:path"
import { ComposeRefused } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { Reference } from "./references.ts"
import { textOf } from "./texts.ts"
import type { YamlThreads } from "./yamlThreads.ts"

// Limits of the repository files that the program reads (invariant I25).
const largestFile = 1024 * 1024
const largestTogether = 4 * largestFile
const mostFiles = 100
const deepest = 10

const refuse = (because: string) => Effect.fail(new ComposeRefused({ because }))

/** A directory: its path as the caller gave it, and its real path without symlinks. */
export interface Root {
  readonly path: string
  readonly real: string
}

/** Returns whether a path is a folder itself or is below it. */
const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

const isRemote = (path: string) => /^(?:[a-z][a-z0-9+.-]*:|git@|github\.com\/)/i.test(path)

/** Returns the real path without symlinks; undefined if the target does not exist. */
const followed = (path: string) =>
  Effect.promise(() =>
    realpath(path).then(
      (real) => real,
      () => undefined
    )
  )

interface Visit {
  readonly path: string
  /**
   * The possible base folders of relative paths in the compose file. They depend on the generation of the compose
   * program.
   */
  readonly folders: ReadonlyArray<string>
  readonly depth: number
}

/**
 * Returns the real path of a file inside a root directory; undefined if the file does not exist. Fails if the path
 * leads outside, or if the file is too large or not a regular file.
 */
const fileInside = Effect.fnUntraced(function* (root: Root, path: string, named: string) {
  if (!isWithin(root.path, normalize(path))) return yield* refuse(`${named} points outside of the repository`)
  const real = yield* followed(path)
  if (real === undefined) return undefined
  if (!isWithin(root.real, real)) return yield* refuse(`${named} points outside of the repository`)
  const found = yield* Effect.promise(() => stat(real).catch(() => undefined))
  if (found?.isFile() !== true) return yield* refuse(`${named} is not a file`)
  if (found.size > largestFile) return yield* refuse(`${named} has more than 1 MiB`)
  return real
})

/**
 * Fails if a path leaves the repository; used for paths that the compose program does not read itself, but passes to a
 * container engine.
 */
const checkNamed = Effect.fnUntraced(function* (root: Root, path: string, named: string) {
  // The effect of variables is known only when the program has replaced them; the project is checked again then.
  if (path.includes("$")) return
  const real = yield* followed(path)
  if (!isWithin(root.path, normalize(path)) || (real !== undefined && !isWithin(root.real, real))) {
    return yield* refuse(`${named} points outside of the repository`)
  }
})

const checkPath = ({ field, path, use }: Reference) => {
  if (path.includes("\0")) return refuse(`\`${field}\` is not a path`)
  if (isRemote(path)) return refuse(`\`${field}\` must be a path inside the repository`)
  if (path.startsWith("~")) return refuse(`\`${field}\` points outside of the repository`)
  if (use !== "named" && path.includes("$")) return refuse(`\`${field}\` must not depend on variables`)
  return Effect.void
}

/**
 * Checks compose files and the files that they reference before the compose program reads them. The program thus opens
 * no file outside of the directory.
 */
export const checkFiles = Effect.fnUntraced(function* (
  yaml: YamlThreads,
  root: Root,
  folder: string,
  files: ReadonlyArray<string>
) {
  const seen = new Set<string>()
  const open: Array<Visit> = files.map((path) => ({ path, folders: [folder, dirname(path)], depth: 0 }))
  let [count, size] = [0, 0]
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { depth, folders, path } = visit
    const shown = `\`${path.slice(root.path.length + 1).slice(0, 200)}\``
    const real = yield* fileInside(root, path, shown)
    const key = `${path}\n${folders.join("\n")}`
    if (real === undefined || seen.has(key)) continue
    seen.add(key)
    if (depth > deepest) return yield* refuse("compose files include each other too deeply")
    if (++count > mostFiles) return yield* refuse(`there are more than ${mostFiles} compose files`)
    const bytes = yield* Effect.promise(() => readFile(real))
    size += bytes.length
    if (size > largestTogether) return yield* refuse("the compose files have more than 4 MiB together")
    const text = textOf(bytes)
    if ("because" in text) return yield* refuse(`${shown} can't be read: ${text.because}`)
    const references = yield* yaml.references(text.said)
    if ("because" in references) return yield* refuse(`${shown} can't be read: ${references.because}`)
    for (const each of folders) yield* fileInside(root, join(each, ".env"), "`.env`")
    for (const reference of references.said) {
      yield* checkPath(reference)
      for (const from of new Set(folders)) {
        const target = resolve(from, reference.path)
        const named = `\`${reference.field}\` in ${shown}`
        if (reference.use === "named") yield* checkNamed(root, target, named)
        else {
          const inner = yield* fileInside(root, target, named)
          if (inner === undefined || reference.use !== "compose") continue
          const more = reference.folder === undefined ? [] : [resolve(from, reference.folder)]
          open.push({ path: target, folders: [...more, dirname(target)], depth: depth + 1 })
        }
      }
    }
  }
})

/**
 * Returns the absolute path of a file or folder in the repository. Fails if it does not exist, or if a symlink leads
 * outside of the repository.
 */
export const insideOf = Effect.fnUntraced(function* (root: Root, path: string) {
  const target = join(root.path, path)
  const named = `\`${path.slice(0, 200)}\``
  if (path.includes("\0") || !isWithin(root.path, target))
    return yield* refuse(`${named} points outside of the repository`)
  const real = yield* followed(target)
  if (real === undefined) return yield* refuse(`there is no ${named} in the repository`)
  if (!isWithin(root.real, real)) return yield* refuse(`${named} points outside of the repository`)
  return target
})

/** Reads the `.env` file next to the compose files; undefined if it does not exist. */
export const readVariablesFile = Effect.fnUntraced(function* (root: Root, folder: string) {
  const real = yield* fileInside(root, join(folder, ".env"), "`.env`")
  return real === undefined ? "" : yield* Effect.promise(() => readFile(real, "utf8"))
})
