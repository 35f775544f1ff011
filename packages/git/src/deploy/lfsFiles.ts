import { createHash } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  CheckoutFailed,
  type LfsPointer,
  largestPointer,
  mostLfsFiles,
  readLfsPointer
} from "@slipway/domain/deploy/apps"
import { privateFolder } from "@slipway/subprocess"
import { Effect, Stream } from "effect"
import { checkouts } from "./folders.ts"
import { type LfsServer, openLfs, type Remote } from "./lfsServer.ts"
import { tooLarge } from "./limits.ts"
import { bytesOf, freshIndex, gitIn, piecesOf, type Trees, unreadable, withEntries } from "./trees.ts"

const concurrency = 4

interface File {
  readonly mode: string
  readonly id: string
  /** The path as Latin-1, one character per byte, because paths need not be UTF-8. */
  readonly path: string
}

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

/** Lists the files of a tree that are small enough to be LFS pointers. */
const smallFiles = (trees: Trees, tree: string) =>
  piecesOf(trees, [
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    "--format=%(objectmode) %(objectsize) %(objectname)%x09%(path)",
    tree
  ]).pipe(
    Stream.runFold(
      (): Array<File> => [],
      (files, pieces) => {
        for (const piece of pieces) {
          const [, mode = "", size, id = "", path = ""] = /^(100\d{3}) (\d+) ([0-9a-f]+)\t(.*)$/s.exec(piece) ?? []
          if (mode !== "" && Number(size) <= largestPointer) files.push({ mode, id, path })
        }
        return files
      }
    )
  )

/** Returns the files that the `.gitattributes` of their tree assign to LFS. */
const filesInLfs = Effect.fnUntraced(function* (trees: Trees, tree: string, files: ReadonlyArray<File>) {
  const environment = freshIndex(trees)
  yield* Effect.mapError(gitIn(trees)(["read-tree", tree], { environment }), unreadable)
  const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(""), "latin1")
  let pending: ReadonlyArray<string> = []
  let place = 0
  return yield* piecesOf(trees, ["check-attr", "-z", "--cached", "--stdin", "filter"], { environment, input }).pipe(
    Stream.runFold(
      (): Array<File> => [],
      (found, pieces) => {
        pending = [...pending, ...pieces]
        // Three items each: a path, the name of the attribute, and its value.
        const whole = Math.floor(pending.length / 3)
        for (let n = 0; n < whole; n++) {
          const file = files[place++]
          if (pending[3 * n + 2] === "lfs" && file !== undefined && found.length <= mostLfsFiles) found.push(file)
        }
        pending = pending.slice(3 * whole)
        return found
      }
    )
  )
})

/** Reads files with one `git cat-file --batch`, and returns those that contain an LFS pointer. */
const pointersOf = Effect.fnUntraced(function* (trees: Trees, files: ReadonlyArray<File>) {
  const input = files.map(({ id }) => `${id}\n`).join("")
  const said = (yield* bytesOf(trees, ["cat-file", "--batch"], { input })).toString("latin1")
  const found = new Map<string, LfsPointer>()
  for (let at = 0; at < said.length; ) {
    const start = said.indexOf("\n", at) + 1
    const [, id, size = ""] = /^([0-9a-f]+) blob (\d+)\n$/.exec(said.slice(at, start)) ?? []
    if (id === undefined) return yield* unreadable()
    const end = start + Number(size)
    const pointer = readLfsPointer(said.slice(start, end))
    if (pointer !== undefined) found.set(id, pointer)
    at = end + 1
  }
  return found
})

/** Downloads the content of an LFS pointer into a file; fails if digest or size differ from the pointer (I25). */
const downloaded = (server: LfsServer, pointer: LfsPointer, path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* Effect.acquireRelease(
        Effect.orDie(Effect.tryPromise(() => open(path, "wx", 0o600))),
        (file) => Effect.promise(() => file.close())
      )
      const digest = createHash("sha256")
      let size = 0
      yield* Stream.runForEach(server.download(pointer), (chunk) => {
        size += chunk.length
        if (size > pointer.size) return failing("its server sends more bytes than its pointer states")
        digest.update(chunk)
        return Effect.tryPromise({ try: () => file.writeFile(chunk), catch: unreadable })
      })
      if (size !== pointer.size || digest.digest("hex") !== pointer.oid) {
        return yield* failing("its server sends something else")
      }
    })
  )

/** Downloads the content of an LFS pointer, stores it in the repository, and returns the id of the new blob. */
const taken = Effect.fnUntraced(function* (trees: Trees, server: LfsServer, pointer: LfsPointer, folder: string) {
  const path = join(folder, pointer.oid)
  yield* downloaded(server, pointer, path)
  const id = yield* Effect.mapError(gitIn(trees)(["hash-object", "-w", "--no-filters", "--", path]), unreadable)
  yield* Effect.orDie(Effect.tryPromise(() => rm(path)))
  return [pointer.oid, id.trim()] as const
})

/**
 * Replaces the LFS pointers in a tree by the content that they point to, and returns the id of the new tree.
 *
 * The content is requested from the repository's own LFS server, and must have the digest and the size of its pointer.
 */
export const withLfs = Effect.fnUntraced(function* (remote: Trees & Remote, tree: string) {
  const small = yield* smallFiles(remote, tree)
  const files = small.length === 0 ? [] : yield* filesInLfs(remote, tree, small)
  if (files.length > mostLfsFiles) return yield* failing(`the repository has more than ${mostLfsFiles} files of LFS`)
  const pointers = files.length === 0 ? new Map<string, LfsPointer>() : yield* pointersOf(remote, files)
  const wanted = [...new Map([...pointers.values()].map((pointer) => [pointer.oid, pointer])).values()]
  if (wanted.length === 0) return tree
  if (wanted.reduce((sum, { size }) => sum + size, 0) > remote.limits.size) return yield* tooLarge(remote.limits)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* openLfs(remote, wanted)
      // Outside of the measured folder: each file is temporary, and bounded by its pointer.
      const folder = yield* privateFolder(checkouts, dirname(remote.folder))
      const contents = new Map(
        yield* Effect.forEach(wanted, (pointer) => taken(remote, server, pointer, folder), { concurrency: concurrency })
      )
      const entries = files.flatMap(({ id, mode, path }) => {
        const content = contents.get(pointers.get(id)?.oid ?? "")
        return content === undefined ? [] : [`${mode} ${content}\t${path}`]
      })
      return yield* Effect.mapError(withEntries(remote, tree, entries), unreadable)
    })
  ).pipe(Effect.mapError(({ because }) => new CheckoutFailed({ because: `a file of LFS: ${because}` })))
})
