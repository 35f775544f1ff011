// Measures reading a large git repository by the forge's reader against bare git, and serving it against git's own
// program. Exits with code 1 when a read takes more than twice as long, or clones and pushes take over 10 % longer than
// git's. `--reading` and `--serving` select one of the two.
import { execFile, spawn } from "node:child_process"
import { promisify } from "node:util"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitReader, type ObjectId, Revision } from "@slipway/domain/forge/code"
import { layerGitObjects } from "@slipway/git/forge"
import { Effect, Layer, Stream } from "effect"
import { pathOf, seed, sizes } from "./git/seed.ts"
import { transfers } from "./git/transfers.ts"
import { median, seededRandom } from "./support/numbers.ts"
import { print } from "./support/output.ts"

const samples = 300
const warmUps = 30
/** The number of samples for measurements that start a program for each sample, which are slower than the others. */
const fewSamples = 20
const mostTimes = 2
const one = 1 as RepositoryId
const main = Revision.make("main")

const run = promisify(execFile)

/**
 * Starts `git cat-file --batch` directly, and reads one object at a time from it. It is the baseline of the
 * measurement.
 */
const bareBatch = (folder: string) => {
  const child = spawn("git", [`--git-dir=${folder}`, "cat-file", "--batch"], { stdio: ["pipe", "pipe", "ignore"] })
  let got: Buffer = Buffer.alloc(0)
  let resolve: ((content: Buffer) => void) | undefined
  child.stdout.on("data", (piece: Buffer) => {
    got = got.length === 0 ? piece : Buffer.concat([got, piece])
    const ends = got.indexOf(10)
    if (ends < 0) return
    const size = Number(got.toString("latin1", 0, ends).split(" ")[2])
    if (got.length < ends + 1 + size + 1) return
    const content = got.subarray(ends + 1, ends + 1 + size)
    got = got.subarray(ends + 1 + size + 1)
    resolve?.(content)
  })
  const ask = (name: string) =>
    new Promise<Buffer>((done) => {
      resolve = done
      child.stdin.write(`${name}\n`)
    })
  const end = () =>
    new Promise<void>((done) => {
      child.once("close", () => done())
      child.kill()
    })
  return { ask, end }
}

const program = Effect.gen(function* () {
  const { folder, root } = yield* Effect.promise(seed)
  const plain = (...args: ReadonlyArray<string>) =>
    Effect.promise(() => run("git", [`--git-dir=${folder}`, ...args], { encoding: "buffer", maxBuffer: 1 << 28 }))
  const reader = (remembered?: number) =>
    Effect.map(Layer.build(layerGitObjects(root, remembered === undefined ? {} : { remembered })), (context) =>
      Effect.runSync(Effect.provide(GitReader, context))
    )
  const readers = { warm: yield* reader(), cold: yield* reader(1) }
  const bare = bareBatch(folder)
  yield* Effect.addFinalizer(() => Effect.promise(bare.end))
  const random = seededRandom(7)
  const anyFile = () => pathOf(Math.floor(random() * sizes.files))
  const anyFolder = () => `src/part-${Math.floor(random() * sizes.folders)}`
  const headOf = (git: typeof readers.warm) =>
    Effect.map(git.resolve(one, main), (found) => found?.commit ?? ("" as ObjectId))
  const head = yield* headOf(readers.warm)
  const [before] = yield* readers.warm.log(one, { from: [head] }, { skip: 200, limit: 1 })

  /** Reads a file by its path on a branch, with a cold or a warm reader. */
  const file = (git: typeof readers.warm) =>
    Effect.gen(function* () {
      const [entry] = yield* git.entries(one, yield* headOf(git), [anyFile()])
      if (entry === undefined) return yield* Effect.die("no such file")
      yield* Stream.runDrain(git.content(one, entry.id))
    })
  const folderOf = (git: typeof readers.warm) =>
    Effect.gen(function* () {
      const [entry] = yield* git.entries(one, yield* headOf(git), [anyFolder()])
      if (entry === undefined) return yield* Effect.die("no such folder")
      yield* git.tree(one, entry.id, { recursive: false, page: 1, perPage: 1_000 })
    })
  const commits = (git: typeof readers.warm) =>
    Effect.gen(function* () {
      const ids = yield* git.log(one, { from: [head], path: anyFolder() }, { skip: 0, limit: 30 })
      yield* git.commits(one, ids)
    })
  const branches = (git: typeof readers.warm) => git.refs(one, "refs/heads/", { page: 1, perPage: sizes.branches })
  const compare = (git: typeof readers.warm) =>
    Effect.all([git.divergence(one, before ?? head, head), git.changes(one, { from: before, to: head })])
  const lastCommits = (git: typeof readers.warm) =>
    Effect.gen(function* () {
      const path = anyFolder()
      const [entry] = yield* git.entries(one, head, [path])
      const { rows } = yield* git.tree(one, entry?.id ?? head, { recursive: false, page: 1, perPage: 30 })
      yield* git.lastCommits(
        one,
        head,
        rows.map((row) => `${path}/${row.path}`)
      )
    })
  const asked = (name: () => string) => Effect.promise(() => bare.ask(name()))

  const rows: Readonly<
    Record<
      string,
      {
        readonly own: (git: typeof readers.warm) => Effect.Effect<unknown, unknown>
        readonly bare?: Effect.Effect<unknown>
        readonly plain: Effect.Effect<unknown>
        readonly few?: boolean
      }
    >
  > = {
    "one file": {
      own: file,
      bare: asked(() => `main:${anyFile()}`),
      plain: Effect.suspend(() => plain("cat-file", "blob", `main:${anyFile()}`))
    },
    "a folder of 200 files": {
      own: folderOf,
      bare: asked(() => `main:${anyFolder()}`),
      plain: Effect.suspend(() => plain("ls-tree", `main:${anyFolder()}`))
    },
    "30 commits by path": {
      own: commits,
      plain: Effect.suspend(() => plain("log", "-30", "--format=raw", "main", "--", anyFolder())),
      few: true
    },
    "last commits of 30 files": {
      own: lastCommits,
      plain: Effect.suspend(() => {
        const path = anyFolder()
        return Effect.forEach(
          Array.from({ length: 30 }, (_, at) => at),
          (at) => plain("log", "-1", "--format=raw", "main", "--", `${path}/file-${at}.txt`)
        )
      }),
      few: true
    },
    "2,000 branches": {
      own: branches,
      plain: plain("for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", "refs/heads/"),
      few: true
    },
    "compare over 200 commits": {
      own: compare,
      plain: Effect.all([
        plain("merge-base", before ?? head, head),
        plain("rev-list", "--left-right", "--count", `${before}...${head}`),
        plain("diff-tree", "-r", "-z", "--raw", "--numstat", "-M", before ?? head, head)
      ]),
      few: true
    }
  }

  const timed = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
    Effect.gen(function* () {
      const start = performance.now()
      yield* effect
      return performance.now() - start
    })
  print("| | remembered | not remembered | bare `cat-file --batch` | plain processes | times bare |")
  print("|---|---:|---:|---:|---:|---:|")
  let slow = false
  for (const [name, row] of Object.entries(rows)) {
    const ways: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]> = [
      ["warm", row.own(readers.warm)],
      ["cold", row.own(readers.cold)],
      ...(row.bare === undefined ? [] : [["bare", row.bare] as const]),
      ["plain", row.plain]
    ]
    const times = new Map<string, Array<number>>(ways.map(([way]) => [way, []]))
    const count = row.few === true ? fewSamples : samples
    const warming = row.few === true ? 3 : warmUps
    for (let sample = -warming; sample < count; sample++) {
      for (const [way, effect] of sample % 2 === 0 ? ways : ways.toReversed()) {
        const took = yield* timed(effect)
        if (sample >= 0) times.get(way)?.push(took)
      }
    }
    const [warm, cold, bareTime, plainTime] = ["warm", "cold", "bare", "plain"].map((way) =>
      median(times.get(way) ?? [])
    )
    const ratio = (warm ?? 0) / (bareTime ?? 1)
    if (ratio > mostTimes) slow = true
    const cell = (time: number | undefined) => (time === undefined || Number.isNaN(time) ? "" : `${time.toFixed(2)} ms`)
    print(
      `| ${name} | ${cell(warm)} | ${cell(cold)} | ${cell(bareTime)} | ${cell(plainTime)} | ${Number.isNaN(ratio) ? "" : ratio.toFixed(2)} |`
    )
  }
  print("")
  print("| the first read of a process | forge | bare `cat-file --batch` | times bare |")
  print("|---|---:|---:|---:|")
  const firstReads = {
    "one file": [file, anyFile],
    "a folder of 200 files": [folderOf, anyFolder]
  } as const
  for (const [name, [own, anyName]] of Object.entries(firstReads)) {
    const times = { own: [] as Array<number>, bare: [] as Array<number> }
    const ownRead = Effect.scoped(timed(Effect.flatMap(reader(), own)))
    const batch = Effect.acquireRelease(
      Effect.sync(() => bareBatch(folder)),
      (each) => Effect.promise(each.end)
    )
    const bareRead = Effect.scoped(
      timed(Effect.flatMap(batch, ({ ask }) => Effect.promise(() => ask(`main:${anyName()}`))))
    )
    for (let sample = -3; sample < fewSamples; sample++) {
      // Each exits before the other begins, and the exit isn't part of the read.
      const took = { own: yield* ownRead, bare: yield* bareRead }
      if (sample < 0) continue
      times.own.push(took.own)
      times.bare.push(took.bare)
    }
    const [ownTime = 0, bareTime = 1] = [median(times.own), median(times.bare)]
    if (ownTime / bareTime > mostTimes) slow = true
    print(`| ${name} | ${ownTime.toFixed(2)} ms | ${bareTime.toFixed(2)} ms | ${(ownTime / bareTime).toFixed(2)} |`)
  }
  if (slow) process.exitCode = 1
})

const only = process.argv[2]
if (only !== "--serving") await Effect.runPromise(Effect.scoped(program))
if (only !== "--reading") {
  print("")
  if (!(await transfers((await seed()).folder))) process.exitCode = 1
}
