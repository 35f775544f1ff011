import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  branchRef,
  encodePath,
  type FileMode,
  GitReader,
  GitWriter,
  type ObjectId,
  type PushedObjects,
  type RefName
} from "@slipway/domain/forge/code"
import { layerGitObjects, layerGitRepositories } from "@slipway/git/forge"
import { Effect } from "effect"
import { basic, type Chosen, type Service, start } from "./harness.ts"

/** Git on disk, in a folder that is deleted with the process. */
const onDisk = () => {
  const root = mkdtempSync(join(tmpdir(), "slipway-contents-"))
  process.once("exit", () => rmSync(root, { recursive: true, force: true }))
  return { git: layerGitRepositories(root), objects: layerGitObjects(root) }
}

/** The git implementations that content tests run on. */
export const kindsOfGit = [
  ["memory", () => ({})],
  ["git", onDisk]
] as const

/** Ann, who owns resources, and Bob, who has no permissions on them. */
export const ann = { headers: basic("ann") }
export const bob = { headers: basic("bob") }

/** Starts the service with two users. */
export const withPeople = Effect.fnUntraced(function* (kind: (typeof kindsOfGit)[number][1], store?: Chosen["store"]) {
  const api = yield* start({ ...kind(), ...(store === undefined ? {} : { store }) })
  yield* api.user("ann")
  yield* api.user("bob")
  return api
})

/** Creates a repository of Ann's with a README as its first commit. */
export const makeRepository = (api: Service, name: string, more: Record<string, unknown> = {}) =>
  Effect.map(
    api.ask(201, "POST", "/user/repos", { ...ann, body: { name, auto_init: true, ...more } }),
    ({ id }) => id as RepositoryId
  )

/** A file of a commit; `null` deletes it. */
export type File = string | Uint8Array | null | { readonly mode: FileMode; readonly to: string }

const at = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0100" }

/** Commits files to a branch like a push, and returns the commit id. */
export const commitTo = (
  api: Service,
  id: RepositoryId,
  files: Readonly<Record<string, File>>,
  { branch = "main", from, message = "Change things\n" }: { branch?: string; from?: string; message?: string } = {}
) =>
  api.within(
    Effect.gen(function* () {
      const [reader, writer] = [yield* GitReader, yield* GitWriter]
      const parent = (yield* reader.resolve(id, branchRef(from ?? branch) as never))?.commit
      const entries = Object.entries(files)
      const blobs = yield* writer.writeBlobs(
        id,
        entries.map(([, file]) => {
          if (file === null) return new Uint8Array()
          if (file instanceof Uint8Array) return file
          return encodePath(typeof file === "string" ? file : file.to)
        })
      )
      const edits = entries.map(([path, file], index) => {
        const mode = file !== null && typeof file === "object" && "mode" in file ? file.mode : ("100644" as const)
        const blob = mode === "160000" && file !== null ? (file as { to: string }).to : blobs[index]
        return { path, to: file === null ? undefined : { id: blob as ObjectId, mode } }
      })
      const tree = yield* writer.writeTree(id, parent, edits)
      const commit = yield* writer.writeCommit(id, {
        tree,
        parents: parent === undefined ? [] : [parent],
        author: at,
        committer: at,
        message
      })
      yield* writer.updateRefs(id, [{ ref: branchRef(branch), to: commit }])
      return commit
    }).pipe(Effect.orDie)
  )

/** Sets a ref to an object. */
export const pointRef = (api: Service, id: RepositoryId, ref: string, to: ObjectId) =>
  api
    .within(Effect.flatMap(GitWriter, (writer) => writer.updateRefs(id, [{ ref: ref as RefName, to }])))
    .pipe(Effect.orDie)

/** The object sizes of a push that only adds, in bytes. */
export const pushedObjects = (size: number): PushedObjects => ({
  forced: () => Effect.succeed(false),
  files: () => Effect.succeed([]),
  commits: () => Effect.succeed({ commits: [], count: 0 }),
  unsigned: () => Effect.succeed(null),
  largerThan: () => Effect.undefined,
  size: Effect.succeed(size)
})
