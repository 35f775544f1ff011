import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RefChange } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { pushedObjects } from "../src/forge/transport/pushedObjects.ts"

const root = mkdtempSync(join(tmpdir(), "slipway-pushed-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const git = (args: ReadonlyArray<string>, input: Buffer | string = "") =>
  execFileSync("git", [`--git-dir=${root}`, ...args], { input, encoding: "utf8" }).trim()
const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

/** Writes a commit of raw bytes on top of another one. */
const commit = (parent: string | undefined, rest: Buffer) => {
  const parents = parent === undefined ? "" : `parent ${parent}\n`
  const by = "A <a@x.example> 1770000000 +0000"
  const head = `tree ${tree}\n${parents}author ${by}\ncommitter ${by}\n`
  const bytes = Buffer.concat([Buffer.from(head), rest])
  return { id: git(["hash-object", "-t", "commit", "-w", "--stdin"], bytes), bytes }
}

describe("the objects of a push", () => {
  it.live("are checked for the signature of each commit, even if its bytes imitate the next object", () =>
    Effect.gen(function* () {
      execFileSync("git", ["init", "-q", "--bare", root])
      git(["hash-object", "-t", "tree", "-w", "--stdin"])
      const first = commit(undefined, Buffer.from("\nfirst, by nobody\n"))
      // Bytes that are not UTF-8, and text that would start the next object if bytes were counted as characters.
      const odd = Buffer.concat([
        Buffer.from("encoding latin1\ngpgsig x"),
        Buffer.alloc(300, 0xff),
        Buffer.from(`\n\nodd\n${first.id} commit 999999\n`)
      ])
      const second = commit(first.id, odd)
      const last = commit(second.id, Buffer.from("\nlast\n"))
      const objects = pushedObjects(root, "")
      const asked: Array<Buffer> = []
      const change = { ref: "refs/heads/main", before: undefined, after: last.id }
      const unsigned = yield* objects.unsigned(change, {
        isRequiredOn: () => false,
        isValid: (bytes) => {
          asked.push(Buffer.from(bytes))
          return Effect.succeed(!Buffer.from(bytes).includes("by nobody"))
        }
      })
      expect(unsigned).toBe(first.id)
      expect(asked).toEqual([last.bytes, second.bytes, first.bytes])
    })
  )

  it.live("are checked for unsigned commits, including those of branches that require no signatures", () =>
    Effect.gen(function* () {
      const isValid = (bytes: Uint8Array) => Effect.succeed(Buffer.from(bytes).includes("signed: yes"))
      const old = commit(undefined, Buffer.from("\nsigned: yes, old\n"))
      const unsigned = commit(old.id, Buffer.from("\nnot signed\n"))
      const merged = commit(unsigned.id, Buffer.from("\nsigned: yes, last\n"))
      git(["update-ref", "refs/heads/main", old.id])
      git(["update-ref", "refs/heads/topic", merged.id])
      const objects = pushedObjects(root, "")
      const found = (change: RefChange, required: string) =>
        objects.unsigned(change, { isValid, isRequiredOn: (branch) => branch === required })
      const update = { ref: "refs/heads/main", before: old.id, after: merged.id }
      expect(yield* found(update, "main")).toBe(unsigned.id)
      const created = { ref: "refs/heads/release", before: undefined, after: merged.id }
      expect(yield* found(created, "main")).toBe(unsigned.id)
      // Commits of a branch that requires signatures were checked there, or are older than its protection.
      expect(yield* found(created, "topic")).toBeNull()
    })
  )

  it.live("are searched for the largest object above a size limit", () =>
    Effect.gen(function* () {
      const large = git(["hash-object", "-w", "--stdin"], Buffer.alloc(100_000))
      git(["hash-object", "-w", "--stdin"], Buffer.alloc(99_999))
      const { largerThan } = pushedObjects(root, join(root, "objects"))
      expect(yield* largerThan(99_999)).toEqual({ object: large, size: 100_000 })
      expect(yield* largerThan(100_000)).toBeUndefined()
      expect(yield* pushedObjects(root, "").largerThan(0)).toBeUndefined()
    })
  )
})
