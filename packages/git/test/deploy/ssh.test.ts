import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { startSshdWithCommands } from "@slipway/docker/testing"
import { type RepositoryAccess, Sources } from "@slipway/domain/deploy/apps"
import { layerSources } from "@slipway/git/deploy"
import { folder, newRepository, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { watchedArguments } from "./support/arguments.ts"
import { layerInternet } from "./support/internet.ts"

const checkout = (repository: string, access: RepositoryAccess, commit = "HEAD") =>
  Effect.flatMap(Sources, (sources) => sources.checkout({ repository, branch: "main", commit, access }))
const taken = (repository: string, access: RepositoryAccess) =>
  Effect.flatMap(Sources, (sources) =>
    sources.checkout({ repository, branch: "main", commit: "HEAD", access, submodules: true, lfs: true })
  )
const reason = (repository: string, access: RepositoryAccess) =>
  Effect.map(Effect.flip(Effect.scoped(checkout(repository, access))), ({ because }) => because)

const on = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, layerSources().pipe(Layer.provide(Layer.merge(layerInternet(), memory))), { local: true })

const begin = { message: "Begin", files: { a: "1" } }

const started = Effect.gen(function* () {
  const sshd = yield* startSshdWithCommands
  const root = yield* folder("repositories")
  const at = (path: string, host = "forge.dev") => `ssh://${sshd.user}@${host}:${sshd.port}${path}`
  const access: RepositoryAccess = { _tag: "Key", privateKey: sshd.privateKey }
  return { access, at, root, sshd }
})

const newKey = Effect.map(folder("key"), (path) => {
  const file = join(path, "key")
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file])
  return readFileSync(file, "utf8")
})

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Watches the files in the temporary folders of checkouts until the scope closes. */
const watchedFolders = Effect.gen(function* () {
  const seen = new Map<string, string>()
  const look = Effect.sync(() => {
    for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith("slipway-source-"))) {
      for (const file of ["ssh", "relay.mjs", "relay.sock", "key", "id"]) {
        const text = textOf(join(tmpdir(), name, file))
        if (text !== "") seen.set(file, text)
      }
    }
  })
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced("2 millis")))
  return seen
})

describe("fetching by SSH", () => {
  it.live("uses the repository's key without showing it to another program or a disk (invariant I15)", () =>
    Effect.gen(function* () {
      const { access, at, root, sshd } = yield* started
      const path = join(root, "it's a !repository.git")
      newRepository(path)
      const first = putCommit(path, "main", begin)
      putCommit(path, "main", { message: "Go on", files: { a: "2" } })
      const address = at(path.replaceAll(" ", "%20").replaceAll("'", "%27"))
      const spied = yield* watchedArguments
      const files = yield* watchedFolders
      const { readText, subject } = yield* checkout(address, access)
      assert.deepStrictEqual([subject, yield* readText("a")], ["Go on", "2"])
      const older = yield* checkout(address, access, first)
      assert.strictEqual(yield* older.readText("a"), "1")
      assert.strictEqual(yield* sshd.accepted, 3)

      const [, middle = ""] = Redacted.value(sshd.privateKey).split("\n")
      const lines = spied()
      assert.isNotEmpty(lines.filter((line) => line.includes("ssh://relay/repository")))
      assert.isEmpty(lines.filter((line) => line.includes(middle)))
      assert.sameMembers([...files.keys()], ["ssh", "relay.mjs"])
      for (const text of files.values()) assert.notInclude(text, middle)
    }).pipe(on)
  )

  it.live("uses the key for submodules and LFS files at the same host only (invariant I14)", () =>
    Effect.gen(function* () {
      const { access, at, root, sshd } = yield* started
      const forge = yield* startForge
      const [top, lib] = [join(root, "top.git"), join(root, "lib.git")]
      for (const path of [top, lib]) newRepository(path)
      const inside = putCommit(lib, "main", { message: "Lib", files: { b: "1" } })
      const content = "a picture"
      const oid = createHash("sha256").update(content).digest("hex")
      const gitmodules = (url: string) => `[submodule "lib"]\n\tpath = lib\n\turl = ${url}\n`
      const files = {
        ".gitattributes": "*.bin filter=lfs\n",
        "a.bin": `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
      }
      const put = (url: string) =>
        putCommit(top, "main", {
          message: "Begin",
          files: { ...files, ".gitmodules": gitmodules(url) },
          submodules: { lib: inside }
        })
      // The address of the LFS server and its credentials, as a forge reports them over SSH.
      const told = JSON.stringify({ href: `http://forge.dev:${forge.port}/lfs`, header: { Authorization: "Once 1" } })
      const program = join(sshd.programs, "git-lfs-authenticate")
      writeFileSync(program, `#!/bin/sh\n[ "$1 $2" = "${top} download" ] && echo '${told}'\n`, { mode: 0o700 })
      const shown: Array<unknown> = []
      forge.at("/lfs/objects/batch", ({ headers }, answer) => {
        shown.push(headers.authorization)
        const download = { href: `http://forge.dev:${forge.port}/file`, header: {} }
        answer.end(JSON.stringify({ objects: [{ oid, size: content.length, actions: { download } }] }))
      })
      forge.at("/file", (_, answer) => void answer.end(content))
      put("../lib.git")
      const { readText } = yield* taken(at(top), access)
      assert.deepStrictEqual([yield* readText("lib/b"), yield* readText("a.bin")], ["1", content])
      assert.deepStrictEqual(shown, ["Once 1"])
      put(at(lib, "other.dev"))
      const refused = yield* Effect.flip(Effect.scoped(taken(at(top), access)))
      assert.strictEqual(refused.because, "the submodule `lib`: an SSH address needs a private key, and none is set")
    }).pipe(on)
  )

  it.live("reports the reason of a failure", () =>
    Effect.gen(function* () {
      const { access, at, root } = yield* started
      const path = join(root, "r.git")
      newRepository(path)
      putCommit(path, "main", begin)
      const privateKey = Redacted.make(yield* newKey)
      for (const [address, shown, because] of [
        [at(join(root, "nope.git")), access, "there is no repository at this address"],
        [at(path), { _tag: "Key", privateKey }, "the repository rejects this private key"],
        [at(path), { _tag: "Key", privateKey: Redacted.make("nonsense") }, "the private key can't be read"],
        [at(path), { _tag: "Anyone" }, "an SSH address needs a private key, and none is set"],
        [at(path), { _tag: "Token", username: "x", token: privateKey }, "a token only works with http(s) addresses"],
        [at(path, "127.0.0.1"), access, "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
        [
          at(path, "metadata.dev"),
          access,
          "the address 169.254.169.254 of the host `metadata.dev` is not an allowed target"
        ],
        [
          "https://forge.dev/a.git",
          access,
          "a private key only works with SSH addresses, such as git@host:owner/name.git"
        ]
      ] as const) {
        assert.strictEqual(yield* reason(address, shown), because)
      }
    }).pipe(on)
  )

  it.live("rejects a changed host key (invariant I14)", () =>
    Effect.gen(function* () {
      const { access, at, root, sshd } = yield* started
      const path = join(root, "r.git")
      newRepository(path)
      putCommit(path, "main", begin)
      yield* checkout(at(path), access)
      yield* sshd.restart("another")
      assert.match(
        yield* reason(at(path), access),
        /^the host forge\.dev shows the SSH host key SHA256:\S{43}, and not SHA256:\S{43}, which it had when it was first met$/
      )
      yield* sshd.restart("same")
      yield* checkout(at(path), access)
    }).pipe(on)
  )

  it.live("runs no other command on the host, for any path (invariant I23)", () =>
    Effect.gen(function* () {
      const { access, at, root } = yield* started
      const marker = join(root, "marker")
      for (const path of [
        `/x';touch%20${marker};'`,
        `/$(touch%20${marker})`,
        `/%60touch%20${marker}%60`,
        `/x%0Atouch%20${marker}`,
        `/x%27%0A;touch%20${marker};%27`
      ]) {
        assert.match(yield* reason(at(path), access), /no repository/)
      }
      assert.isFalse(existsSync(marker))
    }).pipe(on)
  )
})
