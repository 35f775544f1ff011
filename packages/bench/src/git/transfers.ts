// Measures clones and pushes over HTTP from the forge's real process against `git http-backend` behind a server of a few lines.
import { execFile, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Forge, startForge } from "@slipway/git/testing"
import { ServiceProcess } from "@slipway/http/testing"
import { Effect } from "effect"
import { flagsOf } from "../start/service.ts"
import { median } from "../support/numbers.ts"
import { print } from "../support/output.ts"

const concurrency = 16
/** The number and size in bytes of files with random content, which do not compress. */
const large = { files: 16, size: 64 * 1024 ** 2 } as const
/** The required throughput, as a fraction of the throughput of git's own server. */
const least = 0.9
/** The maximum memory growth in mebibytes of the server process while it serves a repository of one gibibyte. */
const mostGrowth = 256

const password = "a bench of wood"
const authorization = `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
const run = promisify(execFile)
const environment = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com"
}
const git = (...args: ReadonlyArray<string>) => run("git", args, { env: environment, maxBuffer: 1 << 26 })

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

/** The URLs on one git server: the repository to clone, and a new repository to push to. */
interface Served {
  readonly clone: string
  readonly fresh: (turn: number) => Promise<string>
}

const makeLarge = (folder: string) => {
  mkdirSync(folder)
  const inside = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", folder, "-c", "core.compression=0", "-c", "core.bigFileThreshold=1m", ...args], {
      env: environment
    })
  inside("init", "-q", "-b", "main", ".")
  for (let file = 0; file < large.files; file++) writeFileSync(join(folder, `${file}.bin`), randomBytes(large.size))
  inside("add", "-A")
  inside("commit", "-q", "-m", "large")
  return join(folder, ".git")
}

const memoryOf = (pid: number, which: "VmHWM" | "VmRSS"): number =>
  Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

/** Compares the results of the forge with those of git's own server. Returns whether all are within their limits. */
const compare = async (seeded: string, reference: Forge, forge: ServiceProcess, work: string): Promise<boolean> => {
  const base = await forge.listening()
  const stored = join(tmpdir(), `slipway-forge-git-${forge.pid}`, "repositories", "0")
  const asked = async (path: string, body: object): Promise<{ readonly sha1: string }> => {
    const headers = { authorization, "content-type": "application/json" }
    const answer = await fetch(`${base}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { readonly sha1: string }
  }
  const { sha1: token } = await asked("/users/ann/tokens", { name: "bench", scopes: ["write:repository"] })
  const named = base.replace("://", `://ann:${token}@`)
  /** Creates an empty repository on the disk; returns its folder. */
  const make = async (name: string) => {
    const before = new Set(readdirSync(join(stored, "..")).length === 0 ? [] : readdirSync(stored))
    await asked("/user/repos", { name })
    return join(stored, readdirSync(stored).find((each) => !before.has(each)) ?? "")
  }
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, force: true })
  copy(seeded, await make("seed"))
  copy(seeded, reference.repository("seed.git"))
  const ways: Readonly<Record<"slipway" | "backend", Served>> = {
    slipway: {
      clone: `${base}/ann/seed.git`,
      fresh: async (turn) => {
        await make(`pushed-${turn + 1}`)
        return `${named}/ann/pushed-${turn + 1}.git`
      }
    },
    backend: {
      clone: `http://127.0.0.1:${reference.port}/seed.git`,
      fresh: async (turn) => {
        const folder = reference.repository(`pushed-${turn + 1}.git`)
        await git("-C", folder, "config", "http.receivepack", "true")
        // As in other forges: objects that harm a checkout are rejected.
        await git("-C", folder, "config", "receive.fsckObjects", "true")
        return `http://127.0.0.1:${reference.port}/pushed-${turn + 1}.git`
      }
    }
  }
  let clones = 0
  const clone = async (url: string) => {
    const to = join(work, `clone-${clones++}`)
    await git("clone", "-q", "--bare", url, to)
    return to
  }
  const attempt = async (url: string) => {
    let to = ""
    const took = await seconds(async () => {
      to = await clone(url)
    })
    rmSync(to, { recursive: true, force: true })
    return took
  }
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`
  /**
   * Fetches a branch with its history as `git clone` does, and discards the data. The client's work is the same for
   * both servers.
   */
  const drained = async (url: string) => {
    const tip = (await git("ls-remote", url, "refs/heads/main")).stdout.slice(0, 40)
    let bytes = 0
    const took = await seconds(async () => {
      const answer = await fetch(`${url}/git-upload-pack`, {
        method: "POST",
        headers: { "content-type": "application/x-git-upload-pack-request" },
        body: `${line(`want ${tip} no-progress ofs-delta side-band-64k\n`)}0000${line("done\n")}`
      })
      for await (const piece of answer.body ?? []) bytes += piece.length
    })
    return { bytes, took }
  }
  const pushed = async (url: string) => seconds(() => git(`--git-dir=${seeded}`, "push", "-q", url, "main"))
  const rows = {
    "one clone": { turns: 5, work: (way: Served) => attempt(way.clone) },
    "one discarded clone": { turns: 15, work: async (way: Served) => (await drained(way.clone)).took },
    [`${concurrency} of these concurrently`]: {
      turns: 5,
      work: (way: Served) => seconds(() => Promise.all(Array.from({ length: concurrency }, () => drained(way.clone))))
    },
    "one push of all": { turns: 3, work: async (way: Served, turn: number) => pushed(await way.fresh(turn)) }
  }
  print("| 50,000 commits | slipway | `git http-backend` | throughput, times git's |")
  print("|---|---:|---:|---:|")
  let good = true
  for (const [name, row] of Object.entries(rows)) {
    const times = { slipway: [] as Array<number>, backend: [] as Array<number> }
    for (let turn = -1; turn < row.turns; turn++) {
      const order = turn % 2 === 0 ? (["slipway", "backend"] as const) : (["backend", "slipway"] as const)
      for (const way of order) {
        const took = await row.work(ways[way], turn)
        if (turn >= 0) times[way].push(took)
      }
    }
    const [own, other] = [median(times.slipway), median(times.backend)]
    if (other / own < least) good = false
    print(`| ${name} | ${own.toFixed(2)} s | ${other.toFixed(2)} s | ${(other / own).toFixed(2)} |`)
  }

  copy(makeLarge(join(work, "large")), await make("large"))
  const before = memoryOf(forge.pid, "VmRSS")
  let [own, child] = [0, 0]
  const watch = setInterval(() => {
    own = Math.max(own, memoryOf(forge.pid, "VmRSS"))
    // Git's programs are children of the fork server, which is smaller than they are.
    for (const pid of childrenOf(forge.pid).flatMap((each) => [each, ...childrenOf(each)])) {
      try {
        child = Math.max(child, memoryOf(pid, "VmRSS"))
      } catch {
        // It has exited since it was listed.
      }
    }
  }, 50)
  const { bytes, took } = await drained(`${base}/ann/large.git`)
  clearInterval(watch)
  const mebibytes = bytes / 1024 ** 2
  print("")
  print(
    `${Math.round(mebibytes)} MiB of random files cloned in ${took.toFixed(1)} s: the service had ${Math.round(before)} MiB before and ${Math.round(own)} MiB at the most, its largest git program ${Math.round(child)} MiB.`
  )
  return good && own - before <= mostGrowth && mebibytes > 1_000
}

/** Measures clones and pushes over HTTP, and returns whether all results are within the limits. */
export const transfers = (seeded: string): Promise<boolean> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const reference = yield* startForge
        const work = mkdtempSync(join(tmpdir(), "slipway-bench-transfers-"))
        const forge = new ServiceProcess({
          main: join(import.meta.dirname, "..", "..", "..", "..", "apps", "forge", "src", "main.ts"),
          directory: work,
          flags: flagsOf("small"),
          settings: {
            FORGE_DATABASE_URL: "memory:",
            FORGE_SSH_PORT: "off",
            FORGE_ADMIN_USERNAME: "ann",
            FORGE_ADMIN_PASSWORD: password
          }
        })
        yield* Effect.addFinalizer(() =>
          Effect.promise(async () => {
            await forge.stop()
            rmSync(work, { recursive: true, force: true })
          })
        )
        return yield* Effect.promise(() => compare(seeded, reference, forge, work))
      })
    )
  )
