import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories, type GitRequest, GitTransport } from "@slipway/domain/forge/code"
import { layerGitRepositories, layerGitTransport } from "@slipway/git/forge"
import { Duration, Effect, Layer, Stream } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-hostile-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = 1 as RepositoryId
const none = "0".repeat(40)
const line = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`

let count = 0
/** A folder with an empty repository, functions to push to it, and its leftovers. */
const fixture = (limits: Parameters<typeof layerGitTransport>[1] = {}) => {
  const root = join(folder, String(count++))
  const path = join(root, "repositories", "0", "1.git")
  const layer = Layer.merge(layerGitRepositories(root), layerGitTransport(root, limits))
  const create = Effect.flatMap(GitRepositories, (git) =>
    git.create(one, { defaultBranch: BranchName.make("main"), commit: undefined, madeAt: "2026-01-02T03:04:05.000Z" })
  )
  const push = (input: Stream.Stream<Uint8Array>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const request: GitRequest = {
          repository: one,
          service: "receive-pack",
          exchange: "answer",
          protocol: undefined,
          input,
          decide: () => Effect.succeed({ refused: new Set(), messages: [] })
        }
        const answer = yield* (yield* GitTransport).serve(request)
        const texts = yield* Effect.all(
          [answer.output, answer.said].map((each) => Stream.mkString(Stream.decodeText(each))),
          {
            concurrency: "unbounded"
          }
        )
        yield* answer.exitCode
        return texts.join("")
      })
    )
  const left = () => ({
    refs: execFileSync("git", [`--git-dir=${path}`, "for-each-ref"], { encoding: "utf8" }),
    objects: readdirSync(join(path, "objects")).flatMap((each) =>
      each === "info" ? [] : each === "pack" ? readdirSync(join(path, "objects", each)) : [each]
    )
  })
  return { path, layer, create, push, left }
}

const nothing = { refs: "", objects: [] }

/** Makes a commit of files in a repository without checks; returns its id and a pack of it. */
const packOf = (files: Readonly<Record<string, Buffer | string>>) => {
  const work = join(folder, `work-${count++}`)
  mkdirSync(work)
  const git = (args: ReadonlyArray<string>, input: Buffer | string = "") =>
    execFileSync("git", args, {
      cwd: work,
      input,
      maxBuffer: 1 << 26,
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_NOSYSTEM: "1",
        HOME: work,
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@x.example",
        GIT_COMMITTER_NAME: "A",
        GIT_COMMITTER_EMAIL: "a@x.example"
      }
    })
  git(["init", "-q", "--bare", "."])
  const blob = (content: Buffer | string) => git(["hash-object", "-w", "--stdin"], content).toString().trim()
  // Written literally, because no program makes such trees.
  const entries = Object.entries(files).map(([name, content]) =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob(content), "hex")])
  )
  const tree = git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], Buffer.concat(entries))
    .toString()
    .trim()
  const commit = git(["commit-tree", "-m", "m", tree]).toString().trim()
  return { commit, pack: git(["pack-objects", "--stdout", "--revs", "-q"], `${commit}\n`) }
}

const command = (after: string, ref = "refs/heads/main") => `${line(`${none} ${after} ${ref}\0report-status\n`)}0000`
const sent = (text: string, pack: Buffer) => Stream.make<Array<Uint8Array>>(Buffer.from(text), pack)

const varint = (value: number): ReadonlyArray<number> =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
const objectHeader = (type: number, size: number): ReadonlyArray<number> => {
  const first = (type << 4) | (size & 15)
  const rest = Math.floor(size / 16)
  return rest === 0 ? [first] : [first | 128, ...varint(rest)]
}

/** A pack of a few kilobytes with one object that expands to 640 mebibytes. */
const bomb = () => {
  const size = 0xffffff
  const base = Buffer.concat([Buffer.from(objectHeader(3, size)), deflateSync(Buffer.alloc(size))])
  const copies = Array.from({ length: 40 }, () => [0xf0, 0xff, 0xff, 0xff]).flat()
  const delta = Buffer.from([...varint(size), ...varint(size * 40), ...copies])
  const back: Array<number> = [base.length & 127]
  for (let rest = base.length >> 7; rest > 0; rest >>= 7) back.unshift(128 | (--rest & 127))
  const bombed = Buffer.concat([Buffer.from(objectHeader(6, delta.length)), Buffer.from(back), deflateSync(delta)])
  const pack = Buffer.concat([Buffer.from("PACK"), Buffer.from([0, 0, 0, 2, 0, 0, 0, 2]), base, bombed])
  return Buffer.concat([pack, createHash("sha1").update(pack).digest()])
}

const good = packOf({ a: "a", large: randomBytes(300_000) })

describe("a push is refused, and stores no data, if it contains", () => {
  const cases: Readonly<Record<string, { input: Stream.Stream<Uint8Array>; says: RegExp; push?: number }>> = {
    "a truncated pack": {
      input: sent(command(good.commit), good.pack.subarray(0, good.pack.length / 2)),
      says: /early EOF|unpack/
    },
    "a corrupt pack": {
      input: sent(command(good.commit), Buffer.from(good.pack).fill(0x55, 1_000, 2_000)),
      says: /unpack .*(?:error|abnormal|failed)|inflate/
    },
    "a pack over the size limit": {
      input: sent(command(good.commit), good.pack),
      says: /pack exceeds maximum allowed size/,
      push: 100_000
    },
    "a delta that expands beyond the memory limit": {
      input: sent(command("1".repeat(40)), bomb()),
      says: /unpack/
    },
    "a truncated command": { input: Stream.make(Buffer.from("00a00000")), says: /^/ },
    "a ref name with `..`": {
      input: sent(command(good.commit, "refs/heads/../../x"), good.pack),
      says: /pre-receive hook declined/
    },
    "100,000 refs": {
      input: Stream.make<Array<Uint8Array>>(
        Buffer.from(
          `${line(`${none} ${good.commit} refs/heads/first\0report-status\n`)}${Array.from(
            { length: 99_999 },
            (_, ref) => line(`${none} ${good.commit} refs/heads/b${ref}\n`)
          ).join("")}0000`
        ),
        good.pack
      ),
      says: /pre-receive hook declined/
    }
  }
  for (const [title, { input, push, says }] of Object.entries(cases)) {
    it.live(
      title,
      () =>
        Effect.gen(function* () {
          const place = fixture(push === undefined ? {} : { push })
          yield* Effect.gen(function* () {
            yield* place.create
            expect(yield* place.push(input)).toMatch(says)
            expect(place.left()).toEqual(nothing)
          }).pipe(Effect.provide(place.layer))
        }),
      60_000
    )
  }

  it.live("files named .git, in each spelling that a file system accepts", () =>
    Effect.gen(function* () {
      for (const name of [".git", ".GIT", "git~1", ".gi\u200ct", ".git ", ".git::$INDEX_ALLOCATION"]) {
        const { commit, pack } = packOf({ [name]: "x" })
        const place = fixture()
        yield* Effect.gen(function* () {
          yield* place.create
          expect(yield* place.push(sent(command(commit), pack)), name).toMatch(/unpack .*(?:error|abnormal|failed)/)
          expect(place.left(), name).toEqual(nothing)
        }).pipe(Effect.provide(place.layer))
      }
    })
  )
})

it.live("a client that does not read is disconnected, and frees its slot", () =>
  Effect.gen(function* () {
    const place = fixture({ clients: 1, idle: Duration.seconds(3) })
    const much = packOf({ large: randomBytes(3_000_000) })
    yield* Effect.gen(function* () {
      yield* place.create
      yield* place.push(sent(command(much.commit), much.pack))
      const input = Stream.make(Buffer.from(`${line(`want ${much.commit}\n`)}0000${line("done\n")}`))
      const request = {
        repository: one,
        service: "upload-pack",
        exchange: "answer",
        protocol: undefined,
        input
      } as const
      const transport = yield* GitTransport
      const asked = yield* transport.serve(request)
      yield* yield* Stream.toPull(asked.output)
      const bytes = yield* Effect.scoped(
        Effect.flatMap(transport.serve(request), ({ output }) =>
          Stream.runFold(
            output,
            () => 0,
            (sum, { length }) => sum + length
          )
        )
      )
      expect(bytes).toBeGreaterThan(3_000_000)
    }).pipe(Effect.provide(place.layer), Effect.scoped)
  })
)
