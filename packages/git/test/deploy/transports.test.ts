import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  type CheckoutRequest,
  type RepositoryAccess,
  type RepositoryHostKeyStore,
  Sources
} from "@slipway/domain/deploy/apps"
import type { Egress } from "@slipway/egress"
import { layerSources, type SourcesSettings } from "@slipway/git/deploy"
import { folder, git, makeTree, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { Clock, Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { usableGit } from "../../src/deploy/version.ts"
import { watchedArguments } from "./support/arguments.ts"
import { layerInternet } from "./support/internet.ts"

const checkout = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.checkout({ repository, branch: "main", commit: "HEAD", access: { _tag: "Anyone" }, ...more })
  )
const reason = (repository: string, more: Partial<CheckoutRequest> = {}) =>
  Effect.map(Effect.flip(Effect.scoped(checkout(repository, more))), ({ because }) => because)

const on =
  (
    options: {
      readonly dialled?: Array<string>
      readonly settings?: SourcesSettings
      readonly out?: Layer.Layer<Egress>
    } = {}
  ) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const out: Layer.Layer<Egress | RepositoryHostKeyStore> = Layer.merge(
      options.out ?? layerInternet(options.dialled),
      memory
    )
    return Effect.provide(effect, Layer.provide(layerSources(options.settings), out), { local: true })
  }

const begin = { message: "Begin", files: { a: "1" } }
const token = (text: string, username = "me"): RepositoryAccess => ({
  _tag: "Token",
  username,
  token: Redacted.make(text)
})

describe("fetching over HTTP", () => {
  it.live("connects to public addresses only, and names a private one (invariants I14, I28)", () => {
    const dialled: Array<string> = []
    return Effect.gen(function* () {
      const { port } = yield* startForge
      for (const [host, because] of [
        ["127.0.0.1", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
        ["10.0.0.1", "the host's address 10.0.0.1 is private and this instance doesn't allow that"],
        ["inward.dev", "the address 10.0.0.1 of the host `inward.dev` is private and this instance doesn't allow that"],
        ["both.dev", "the address 127.0.0.1 of the host `both.dev` is private and this instance doesn't allow that"],
        ["169.254.169.254", "the host's address 169.254.169.254 is not an allowed target"],
        ["metadata.dev", "the address 169.254.169.254 of the host `metadata.dev` is not an allowed target"],
        ["nowhere.dev", "the host `nowhere.dev` isn't known"]
      ]) {
        for (const scheme of ["http", "https"]) {
          assert.strictEqual(yield* reason(`${scheme}://${host}:${port}/r.git`), because)
          assert.strictEqual(yield* reason(`${scheme}://${host}:${port}/r.git`, { access: token("t") }), because)
        }
      }
      assert.deepStrictEqual(dialled, [])
    }).pipe(on({ dialled }))
  })

  it.live("reaches private addresses when the instance allows them", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git"), "main", begin)
      const { readText } = yield* checkout(`http://127.0.0.1:${forge.port}/r.git`)
      assert.strictEqual(yield* readText("a"), "1")
    }).pipe(on({ out: layerInternet([], true) }))
  )

  it.live("checks the target of each redirect (invariant I14)", () => {
    const dialled: Array<string> = []
    return Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git"), "main", begin)
      const address = (name: string) => `http://forge.dev:${forge.port}/${name}`
      const leadTo = (to: string) =>
        forge.at("/moved.git", ({ url = "" }, answer) => {
          answer.writeHead(301, { location: `${to}${url.slice("/moved.git".length)}` }).end()
        })
      leadTo(`http://other.dev:${forge.port}/r.git`)
      const { readText } = yield* checkout(address("moved.git"))
      assert.strictEqual(yield* readText("a"), "1")
      assert.deepStrictEqual(new Set(dialled), new Set(["93.184.216.34", "93.184.216.35"]))
      for (const host of ["127.0.0.1", "169.254.169.254", "inward.dev", "both.dev", "[::1]"]) {
        for (const scheme of ["http", "https"]) {
          leadTo(`${scheme}://${host}:${forge.port}/r.git`)
          assert.match(yield* reason(address("moved.git")), /private|is not an allowed target/, host)
        }
      }
      for (const to of [`file://${forge.root}/r.git`, `ssh://forge.dev/r.git`, `ext::sh -c id`]) {
        leadTo(to)
        assert.match(yield* reason(address("moved.git")), /./)
      }
      assert.deepStrictEqual(new Set(dialled), new Set(["93.184.216.34", "93.184.216.35"]))
    }).pipe(on({ dialled }))
  })

  it.live("sends credentials only to the repository's origin (invariants I14, I15)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const other = yield* startForge
      putCommit(forge.repository("r.git", "me:s3cret"), "main", begin)
      putCommit(other.repository("r.git"), "main", begin)
      const access = token("s3cret")
      const at = (name: string) => `http://forge.dev:${forge.port}/${name}`
      let to = at("r.git")
      forge.at("/moved.git", ({ url = "" }, answer) => {
        answer.writeHead(302, { location: `${to}${url.slice("/moved.git".length)}` }).end()
      })
      const { readText } = yield* checkout(at("moved.git"), { access })
      assert.strictEqual(yield* readText("a"), "1")
      for (const host of ["forge.dev", "other.dev"]) {
        to = `http://${host}:${other.port}/r.git`
        assert.strictEqual(
          yield* reason(at("moved.git"), { access }),
          "the address of the repository redirects to another host, which does not get the credentials"
        )
      }
      assert.deepStrictEqual(other.asked, [])
      to = at("moved.git")
      assert.strictEqual(
        yield* reason(at("moved.git"), { access }),
        "the address of the repository has too many redirects"
      )
    }).pipe(on())
  )

  it.live("trusts only the certificates that the machine trusts", () =>
    Effect.gen(function* () {
      const path = yield* folder("certificate")
      const [key, cert] = [join(path, "key.pem"), join(path, "cert.pem")]
      const subject = ["-subj", "/CN=forge.dev", "-addext", "subjectAltName=DNS:forge.dev"]
      execFileSync(
        "openssl",
        ["req", "-x509", "-newkey", "ed25519", "-nodes", ...subject, "-keyout", key, "-out", cert],
        {
          stdio: "ignore"
        }
      )
      let requests = 0
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, answer) => {
            requests++
            answer.end()
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = `https://forge.dev:${(server.address() as AddressInfo).port}/r.git`
      assert.strictEqual(yield* reason(address), "the host's certificate isn't trusted")
      assert.match(yield* reason(address, { access: token("t") }), /self-signed certificate/)
      assert.strictEqual(requests, 0)
    }).pipe(on())
  )

  it.live("reads credentials from the address", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git", "me:s3cret"), "main", begin)
      const { readText } = yield* checkout(`http://me:s3cret@forge.dev:${forge.port}/r.git`)
      assert.strictEqual(yield* readText("a"), "1")
      const refused = yield* reason(`http://me:wr0ng@forge.dev:${forge.port}/r.git`)
      assert.strictEqual(refused, "the repository rejects these credentials")
    }).pipe(on())
  )

  it.live("keeps a token out of command lines and error messages (invariant I15)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("r.git", "me:s3cret-t0ken"), "main", begin)
      const secret = ["s3cret-t0ken", btoa("me:s3cret-t0ken")]
      const spied = yield* watchedArguments
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { archive } = yield* checkout(`http://forge.dev:${forge.port}/r.git`, { access: token("s3cret-t0ken") })
          yield* Stream.runDrain(archive("", { ".env": "s3cret-t0ken" }))
        })
      )
      const lines = spied()
      assert.isNotEmpty(lines.filter((line) => line.includes("fetch")))
      for (const text of secret) assert.isEmpty(lines.filter((line) => line.includes(text)))
      forge.at("/broken.git", (request, answer) => {
        answer.writeHead(500, { "content-type": "text/plain" }).end(`oops ${request.headers.authorization}`)
      })
      const said = yield* reason(`http://forge.dev:${forge.port}/broken.git`, { access: token("s3cret-t0ken") })
      assert.match(said, /500/)
      for (const text of [...secret, tmpdir(), "slipway:"]) assert.notInclude(said, text)
    }).pipe(on())
  )
})

describe("a fetched repository", () => {
  it.live("is removed when the fetch times out (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const parent = yield* folder("parent")
      forge.at("/slow.git", () => {})
      const began = yield* Clock.currentTimeMillis
      const because = yield* on({ settings: { timeout: "1 second", folder: parent } })(
        reason(`http://forge.dev:${forge.port}/slow.git`)
      )
      assert.strictEqual(because, "fetching the repository took longer than 1 seconds")
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 6_000)
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )

  it.live("is removed when the fetch is interrupted", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const parent = yield* folder("parent")
      let isAsked = false
      forge.at("/slow.git", () => {
        isAsked = true
      })
      const fetching = on({ settings: { folder: parent } })(reason(`http://forge.dev:${forge.port}/slow.git`))
      const fiber = yield* Effect.forkChild(fetching)
      while (!isAsked) yield* Effect.sleep(5)
      assert.lengthOf(readdirSync(parent), 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )

  it.live("is limited in transferred size (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join("")
      putCommit(forge.repository("large.git"), "main", { message: "Large", files: { a: noise } })
      const because = yield* reason(`http://forge.dev:${forge.port}/large.git`)
      assert.strictEqual(because, "the repository is larger than 1 MiB")
    }).pipe(on({ settings: { size: 2 ** 20 } }))
  )

  it.live("is limited in unpacked size (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("bomb.git"), "main", {
        message: "Bomb",
        files: { "a/zeros": "0".repeat(5 * 2 ** 20), b: "b" }
      })
      const { archive, directory, readText } = yield* checkout(`http://forge.dev:${forge.port}/bomb.git`)
      for (const unpacking of [Stream.runDrain(archive("")), Stream.runDrain(archive("a")), directory]) {
        assert.strictEqual((yield* Effect.flip(unpacking)).because, "the repository is larger than 1 MiB")
      }
      assert.strictEqual(yield* readText("b"), "b")
      assert.isUndefined(yield* readText("a/zeros"))
    }).pipe(on({ settings: { size: 2 ** 20 } }))
  )

  it.live("is limited in the number of files, even when it repeats one tree many times (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const path = forge.repository("trees.git")
      putCommit(path, "main", begin)
      let tree = git(path, "rev-parse", "main^{tree}")
      for (let n = 0; n < 9; n++) {
        const lines = Array.from({ length: 10 }, (_, m) => `040000 tree ${tree}\t${m}`)
        tree = makeTree(path, lines)
      }
      git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", "-m", "Trees", tree))
      const { archive, directory } = yield* checkout(`http://forge.dev:${forge.port}/trees.git`)
      const began = yield* Clock.currentTimeMillis
      for (const unpacking of [Stream.runDrain(archive("")), directory]) {
        assert.match((yield* Effect.flip(unpacking)).because, /has more than 500000 files/)
      }
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 15_000)
    }).pipe(on())
  )

  it.live("is limited in the number of folders without files: unpacking them would never end (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const path = forge.repository("empty.git")
      let tree = makeTree(path, [])
      for (let n = 0; n < 20; n++) tree = makeTree(path, [`040000 tree ${tree}\t1`, `040000 tree ${tree}\t2`])
      git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", "-m", "Trees", tree))
      const { archive, directory } = yield* checkout(`http://forge.dev:${forge.port}/empty.git`)
      for (const unpacking of [Stream.runDrain(archive("")), directory]) {
        assert.match((yield* Effect.flip(unpacking)).because, /has more than 500000 files/)
      }
    }).pipe(on())
  )

  it.live(
    "contains no symlinks with names that are not UTF-8, because a buildpack program would follow them (invariant I25)",
    () =>
      Effect.gen(function* () {
        const forge = yield* startForge
        const path = forge.repository("r.git")
        putCommit(path, "main", { message: "Begin", files: { a: "1", out: "-> /etc", in: "-> a" } })
        const [out, inner, file] = ["out", "in", "a"].map((name) => git(path, "rev-parse", `main:${name}`))
        const links = [`120000 blob ${inner}\t"in\\377"`, `120000 blob ${out}\t"out\\377"`]
        const below = makeTree(path, [`100644 blob ${file}\ta`, ...links])
        const tree = makeTree(path, [`100644 blob ${file}\ta`, `040000 tree ${below}\t"below\\377"`, ...links])
        git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", "-m", "Bytes", tree))
        const written = yield* (yield* checkout(`http://forge.dev:${forge.port}/r.git`)).directory
        const found = execFileSync("find", [".", "-type", "l"], { cwd: written, encoding: "latin1" })
        assert.sameMembers(found.trim().split("\n"), ["./below\u00ff/in\u00ff", "./in\u00ff"])
      }).pipe(on())
  )

  it.live("runs no hook, filter or submodule command (invariant I23)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const marker = join(yield* folder("marker"), "marker")
      const touch = `touch ${marker}`
      putCommit(forge.repository("r.git"), "main", {
        message: "Hostile",
        files: {
          ".gitattributes": "* filter=evil diff=evil merge=evil\n",
          ".gitconfig": `[filter "evil"]\n\tsmudge = ${touch}\n`,
          ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "${touch}"\n\tupdate = !${touch}\n`,
          "hooks/post-checkout": `#!/bin/sh\n${touch}\n`,
          "a; touch b": "odd"
        }
      })
      const { archive, directory, readText } = yield* checkout(`http://forge.dev:${forge.port}/r.git`)
      yield* Stream.runDrain(archive(""))
      const path = yield* directory
      assert.isTrue(existsSync(join(path, "a; touch b")))
      assert.strictEqual(yield* readText("a; touch b"), "odd")
      assert.isFalse(existsSync(marker))
    }).pipe(on())
  )

  it.live("contains the requested older commit, even if the server refuses fetching by commit id", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const path = forge.repository("r.git")
      const first = putCommit(path, "main", begin)
      for (const n of ["2", "3", "4"]) putCommit(path, "main", { message: n, files: { a: n } })
      const address = `http://forge.dev:${forge.port}/r.git`
      forge.growOld()
      const { readText } = yield* checkout(address, { commit: first })
      assert.strictEqual(yield* readText("a"), "1")
      const elsewhere = putCommit(path, "other", { message: "Elsewhere", files: { a: "5" } })
      assert.strictEqual(
        yield* reason(address, { commit: elsewhere.slice(0, 10) }),
        `there is no commit \`${elsewhere.slice(0, 10)}\` among the newest 1000 of the branch \`main\``
      )
    }).pipe(on())
  )

  it.live("is removed a day after the process that fetched it was killed", () =>
    Effect.gen(function* () {
      const parent = yield* folder("parent")
      const now = (yield* Clock.currentTimeMillis) / 1_000
      for (const [name, age] of [
        ["slipway-source-old", 90_000],
        ["slipway-source-new", 80_000],
        ["somebody-else", 90_000]
      ] as const) {
        mkdirSync(join(parent, name, "repository.git"), { recursive: true })
        utimesSync(join(parent, name), now - age, now - age)
      }
      yield* on({ settings: { folder: parent } })(Effect.void)
      assert.deepStrictEqual(readdirSync(parent).sort(), ["slipway-source-new", "somebody-else"])
    })
  )

  it.live("is removed with its scope", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const parent = yield* folder("parent")
      putCommit(forge.repository("r.git"), "main", begin)
      const opened = Effect.gen(function* () {
        const { directory } = yield* checkout(`http://forge.dev:${forge.port}/r.git`)
        assert.isTrue(existsSync(join(yield* directory, "a")))
        assert.lengthOf(readdirSync(parent), 2)
      })
      yield* on({ settings: { folder: parent } })(Effect.scoped(opened))
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )
})

describe("a machine with an old git", () => {
  it.live("gets an error with the required version", () =>
    Effect.gen(function* () {
      const bin = yield* folder("bin")
      const because = Effect.map(Effect.flip(usableGit({ PATH: bin })), ({ because }) => because)
      assert.strictEqual(
        yield* because,
        "the git program is not installed: install git 2.38 or newer on the machine of the platform"
      )
      writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.30.2\n", { mode: 0o755 })
      assert.strictEqual(
        yield* because,
        "git 2.30 is too old: install git 2.38 or newer on the machine of the platform"
      )
    }).pipe(on())
  )
})
