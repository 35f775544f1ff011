import { randomUUID } from "node:crypto"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type GitId, isObjectId, isRefName, type ObjectId, type RefName } from "@slipway/domain/forge/code"
import {
  type FetchedRefs,
  GitRemotes,
  type PushedRefs,
  type Remote,
  RemoteFailed,
  type RemoteRefs
} from "@slipway/domain/forge/integrations"
import { Egress } from "@slipway/egress"
import { Duration, Effect, Layer, Redacted } from "effect"
import { unavailableIfFull } from "../diskFull.ts"
import { type GitFailed, runGit } from "../program.ts"
import { explain } from "../remote/explain.ts"
import { measure } from "../remote/folders.ts"
import { type OutboundConnections, openHttp, type RemoteService, type Transport } from "../remote/http.ts"
import { repositoryFolder } from "./folders.ts"

/** The limits of a fetch from or a push to another host. */
export interface RemoteLimits {
  /** The timeout of a fetch or push; half an hour by default. */
  readonly timeout: Duration.Duration
  /** Maximum size of one fetch in bytes; 4 GiB by default. */
  readonly size: number
}

const usual: RemoteLimits = { timeout: Duration.minutes(30), size: 4 * 2 ** 30 }

const failing = (because: string) => Effect.fail(new RemoteFailed({ because }))

const fetching = [
  "fetch.unpackLimit=1",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=true",
  // Errors of old programs are harmless, and histories contain many of them.
  "fetch.fsck.zeroPaddedFilemode=ignore",
  "fetch.fsck.badTimezone=ignore",
  "fetch.fsck.missingSpaceBeforeDate=ignore",
  "fetch.fsck.missingSpaceBeforeEmail=ignore",
  "fetch.fsck.badDateOverflow=ignore",
  "transfer.bundleURI=false",
  "maintenance.auto=false",
  "core.bigFileThreshold=16m",
  "core.packedGitLimit=256m",
  "pack.threads=1",
  // A host that sends nothing for a minute is considered gone.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60"
]

const wait = <A>(work: () => Promise<A>) =>
  Effect.catch(Effect.tryPromise(work), ({ cause }) => Effect.die(unavailableIfFull(cause)))

/** Runs work that writes into a folder; interrupts it when it exceeds the timeout or the size limit. */
const within =
  (folder: string, { size, timeout }: RemoteLimits) =>
  <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | RemoteFailed> => {
    const tooLarge = new RemoteFailed({ because: `the repository has more than ${Math.round(size / 2 ** 20)} MiB` })
    const watching = Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep("250 millis")
        if ((yield* wait(() => measure(folder))) > size) return yield* tooLarge
      }
    })
    return Effect.raceFirst(work, watching).pipe(
      Effect.tap(() =>
        Effect.flatMap(
          wait(() => measure(folder)),
          (bytes): Effect.Effect<void, RemoteFailed> => (bytes > size ? Effect.fail(tooLarge) : Effect.void)
        )
      ),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => failing(`the other host took longer than ${Duration.toSeconds(timeout)} seconds`)
      })
    )
  }

const make = (root: string, egress: OutboundConnections, limits: RemoteLimits) => {
  const run = (transport: Transport, args: ReadonlyArray<string>, settings: ReadonlyArray<string>) =>
    runGit(
      { args, settings: [...settings, ...transport.settings], environment: transport.environment },
      { timeout: Duration.sum(limits.timeout, Duration.seconds(30)), output: 64 * 2 ** 20 }
    )
  const explained = (transport: Transport) => (failed: GitFailed) =>
    new RemoteFailed({
      because: explain(failed, {
        branch: "",
        hasCredentials: transport.hasCredentials,
        failure: transport.failure(),
        hidden: [...transport.hidden, root]
      })
    })
  const open = Effect.fnUntraced(function* ({ account, url }: Remote, service: RemoteService) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
      return yield* failing("only http and https addresses are supported")
    }
    const who = account && { username: account.username, password: Redacted.value(account.password) }
    return yield* Effect.mapError(
      openHttp(egress, { url, origin: parsed.origin }, who, service),
      ({ because }) => new RemoteFailed({ because })
    )
  })

  /** Makes a temporary repository that receives missing objects, with the objects of the target as alternates. */
  const quarantine = Effect.fnUntraced(function* (id: GitId) {
    const folder = join(root, "making", `remote-${randomUUID()}`)
    yield* Effect.acquireRelease(
      wait(() => mkdir(folder, { recursive: true, mode: 0o700 })),
      () => wait(() => rm(folder, { recursive: true, force: true }))
    )
    const target = repositoryFolder(root, id)
    const format = yield* Effect.orDie(runGit({ args: [`--git-dir=${target}`, "rev-parse", "--show-object-format"] }))
    const bare = join(folder, "repository.git")
    const args = ["init", "--quiet", "--bare", `--object-format=${format.trim()}`, "--template=", "--", bare]
    yield* Effect.orDie(runGit({ args }))
    yield* wait(async () => {
      await mkdir(join(bare, "objects", "info"), { recursive: true })
      await writeFile(join(bare, "objects", "info", "alternates"), `${join(target, "objects")}\n`)
    })
    return { bare, folder, target }
  })

  /**
   * Moves packs into the target repository; the index of each pack is moved last, because it makes the pack visible.
   */
  const takeIn = (bare: string, target: string) =>
    wait(async () => {
      const from = join(bare, "objects", "pack")
      const to = join(target, "objects", "pack")
      await mkdir(to, { recursive: true, mode: 0o700 })
      const names = (await readdir(from)).filter((name) => /^pack-[0-9a-f]+\.(pack|rev|idx)$/.test(name))
      const last = (name: string) => Number(name.endsWith(".idx"))
      for (const name of names.sort((one, other) => last(one) - last(other))) {
        await rename(join(from, name), join(to, name))
      }
    })

  const refsIn = (said: string): ReadonlyMap<RefName, ObjectId> =>
    new Map(
      said.split("\n").flatMap((line): ReadonlyArray<readonly [RefName, ObjectId]> => {
        const [object = "", name = ""] = line.split(" ")
        return isObjectId(object) && isRefName(name) ? [[name as RefName, object]] : []
      })
    )

  const fetch = Effect.fnUntraced(function* (id: GitId, remote: Remote, wanted: ReadonlyArray<RemoteRefs>) {
    const { bare, folder, target } = yield* quarantine(id)
    const transport = yield* open(remote, "git-upload-pack")
    const work = Effect.gen(function* () {
      const head = yield* headOf(transport)
      const specs = wanted.map(({ from, to }) => `+${from}:${to}`)
      yield* run(
        transport,
        [
          `--git-dir=${bare}`,
          "fetch",
          "--quiet",
          "--no-tags",
          "--no-recurse-submodules",
          "--no-write-fetch-head",
          "--end-of-options",
          transport.url,
          ...specs
        ],
        fetching
      )
      const listed = yield* runGit({
        args: [`--git-dir=${bare}`, "for-each-ref", "--format=%(objectname) %(refname)"]
      })
      return { head, refs: refsIn(listed) } satisfies FetchedRefs
    }).pipe(Effect.mapError(explained(transport)))
    const fetched = yield* within(folder, limits)(work)
    yield* takeIn(bare, target)
    return fetched
  }, Effect.scoped)

  /** Reads the default branch of another host's repository. */
  const headOf = (transport: Transport) =>
    Effect.map(
      run(transport, ["ls-remote", "--quiet", "--symref", "--end-of-options", transport.url, "HEAD"], fetching),
      (answer) => /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1]
    )

  /** Returns the default branch of a remote repository if the local repository does not have that branch. */
  const missingHead = Effect.fnUntraced(function* (folder: string, remote: Remote) {
    const head = yield* headOf(yield* open(remote, "git-upload-pack"))
    if (head === undefined) return undefined
    const ref = `refs/heads/${head}`
    const listed = yield* runGit({ args: [`--git-dir=${folder}`, "for-each-ref", "--format=%(refname)", ref] })
    return listed.split("\n").includes(ref) ? undefined : head
  }, Effect.scoped)

  const push = Effect.fnUntraced(function* (id: GitId, remote: Remote) {
    const folder = repositoryFolder(root, id)
    // An account that can push but not read can't tell; the push then reports the problem.
    const skipped = yield* Effect.orElseSucceed(missingHead(folder, remote), () => undefined)
    const transport = yield* open(remote, "git-receive-pack")
    const args = [
      `--git-dir=${folder}`,
      "push",
      "--quiet",
      "--prune",
      "--no-verify",
      "--end-of-options",
      transport.url,
      "+refs/heads/*:refs/heads/*",
      "+refs/tags/*:refs/tags/*",
      ...(skipped === undefined ? [] : [`^refs/heads/${skipped}`])
    ]
    yield* run(transport, args, ["pack.threads=1", "http.lowSpeedLimit=1", "http.lowSpeedTime=60"]).pipe(
      Effect.mapError(explained(transport)),
      Effect.timeoutOrElse({
        duration: limits.timeout,
        orElse: () => failing(`the other host took longer than ${Duration.toSeconds(limits.timeout)} seconds`)
      })
    )
    return { skipped } satisfies PushedRefs
  }, Effect.scoped)

  return { fetch, push }
}

/** Layer that fetches from and pushes to other hosts with the git program, over checked outbound connections. */
export const layerGitRemotes = (root: string, limits: Partial<RemoteLimits> = {}): Layer.Layer<never, never, Egress> =>
  Layer.effect(
    GitRemotes,
    Effect.map(Egress, (egress) => make(resolve(root), egress, { ...usual, ...limits }))
  )
