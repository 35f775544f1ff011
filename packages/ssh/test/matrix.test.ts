import { describe, expect, it } from "@effect/vitest"
import type { Policy } from "@slipway/access"
import { policyOf } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { GitTransport, RepositoryStore } from "@slipway/domain/forge/code"
import { Recognition } from "@slipway/domain/forge/collaboration"
import { type KeyHolder, PublicKeyReader, SshKeyStore, UserStore } from "@slipway/domain/forge/identity"
import { layerBackground } from "@slipway/forge/background"
import { blobStore, gitReader, gitRepositories, gitWriter, layer as memory } from "@slipway/memory/forge"
import {
  type Facts,
  factsOf,
  gitActions,
  gitWorld,
  newPullIn,
  plantOrganizations,
  plantUsers,
  repositoryAt,
  testEnv
} from "@slipway/testkit/forge"
import { Effect, Layer, Stream } from "effect"
import ssh2, { type Client } from "ssh2"
import { openClient } from "../src/client.ts"
import { layerPublicKeyReader, makeHostKey, serveSsh } from "../src/forge/index.ts"

const { utils } = ssh2

/** A git service without checks: the decision is made before it. */
const serves = Layer.succeed(GitTransport, {
  serve: () =>
    Effect.succeed({ output: Stream.make(Buffer.from("served")), said: Stream.empty, exitCode: Effect.succeed(0) })
})

const layer = Layer.provideMerge(
  layerBackground,
  Layer.provideMerge(
    Layer.mergeAll(
      memory,
      gitReader,
      gitWriter,
      gitRepositories,
      blobStore,
      layerPublicKeyReader,
      Layer.mock(Recognition, { license: () => undefined }),
      SiteSettings.layer(),
      serves
    ),
    testEnv({})
  )
)

type GitAction = (typeof gitActions)[number]

const commands: Readonly<Record<GitAction, (path: string) => ReadonlyArray<string>>> = {
  "git.fetch": (path) => [`git-upload-pack '${path}.git'`, `git-upload-archive '${path}'`],
  "git.push": (path) => [`git-receive-pack '/${path}.git'`],
  "git.lfs.read": (path) => [`git-lfs-authenticate ${path}.git download`],
  "git.lfs.write": (path) => [`git-lfs-authenticate ${path}.git upload`],
  "git.wiki.fetch": (path) => [`git-upload-pack '${path}.wiki.git'`],
  "git.wiki.push": (path) => [`git-receive-pack '${path}.wiki.git'`]
}

const run = (client: Client, command: string): Promise<readonly [code: number, out: string, said: string]> =>
  new Promise((resolve, reject) => {
    client.exec(command, (error, stream) => {
      if (error !== undefined) return reject(error)
      let [out, said] = ["", ""]
      stream.on("data", (piece: Buffer) => {
        out += piece
      })
      stream.stderr.on("data", (piece: Buffer) => {
        said += piece
      })
      const ended = [
        new Promise<number>((done) => stream.once("exit", done)),
        new Promise((done) => stream.once("end", done)),
        new Promise((done) => stream.stderr.once("end", done))
      ] as const
      Promise.all(ended).then(([code]) => {
        stream.close()
        resolve([code, out, said])
      }, reject)
    })
  })

const served = [0, "served", ""] as const
const hidden = [128, "", "slipway: the repository does not exist, or you have no access to it\n"] as const
const refused = (message: string) => [128, "", `slipway: ${message}\n`] as const

const repositories = gitWorld.repositories.map(({ name, owner }) => `${owner}/${name}`)

/** Serves the world; returns a function that connects with a key. */
const fixture = Effect.gen(function* () {
  yield* plantUsers(gitWorld)
  yield* plantOrganizations(gitWorld)
  const port = yield* serveSsh({
    host: "127.0.0.1",
    port: 0,
    hostKey: makeHostKey(),
    lfs: () => Effect.succeed("served")
  })
  let keys = 0
  return (holder: KeyHolder) =>
    Effect.gen(function* () {
      const privateKey = makeHostKey()
      const parsed = utils.parseKey(privateKey)
      if (parsed instanceof Error) return yield* Effect.die(parsed)
      const text = `${parsed.type} ${parsed.getPublicSSH().toString("base64")}`
      const { comment, fingerprint, publicKey } = yield* (yield* PublicKeyReader).read(text)
      const title = `key ${keys++}`
      const createdAt = "2026-01-02T03:04:05.678Z"
      yield* (yield* SshKeyStore).insert({ holder, title, publicKey, comment, fingerprint, createdAt })
      const where = { host: "127.0.0.1", port, username: "git", privateKey }
      const { client } = yield* openClient(where, () => Effect.succeed(true))
      return (command: string) => Effect.promise(() => run(client, command))
    })
})

describe("B1, I2, I3, I4, I9: git clients over SSH get the answers of the access rules", () => {
  it.live("for user keys", () =>
    Effect.gen(function* () {
      const connect = yield* fixture
      const seen = new Set<string>()
      for (const name of gitWorld.users.keys()) {
        const found = yield* (yield* UserStore).named(name)
        if (found === undefined) return yield* Effect.die(`${name} is nobody`)
        const ask = yield* connect({ kind: "user", userId: found.user.id })
        for (const path of repositories) {
          // A key is like a token with every scope: the client showed no password.
          const facts = factsOf(gitWorld, { name, token: ["all"] }, "repository", [path])
          for (const action of gitActions) {
            const own = (policyOf(action) as unknown as Policy<string, Facts>).decide(facts)
            // A user who may open pull requests may push to refs/for/.
            const proposal = (policyOf("pull.create") as unknown as Policy<string, Facts>).decide(facts)
            const decision = action === "git.push" && !own.allowed && proposal.allowed ? proposal : own
            const expected = decision.allowed
              ? served
              : decision.answer.status === 404
                ? hidden
                : refused(decision.answer.message)
            seen.add(expected[2])
            for (const command of commands[action](path)) {
              expect([name, command, ...(yield* ask(command))]).toEqual([name, command, ...expected])
            }
          }
        }
        for (const action of gitActions) {
          for (const command of commands[action]("public-one/nothing")) {
            expect([name, command, ...(yield* ask(command))]).toEqual([name, command, ...hidden])
          }
        }
      }
      expect(seen.size).toBeGreaterThan(2)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("for deploy keys, which give access to one repository only, even if others are public", () =>
    Effect.gen(function* () {
      const connect = yield* fixture
      for (const own of ["public-one/open", "private-one/shut"]) {
        const { id } = yield* repositoryAt(own)
        for (const readOnly of [true, false]) {
          const ask = yield* connect({ kind: "repository", repositoryId: id, readOnly })
          for (const path of repositories) {
            for (const action of gitActions) {
              const writes = action.endsWith("push") || action.endsWith("write")
              const may = path === own && !(readOnly && writes)
              for (const command of commands[action](path)) {
                const what = `${readOnly ? "reading" : "writing"} ${own}: ${command}`
                const answer = yield* ask(command)
                if (path !== own) expect([what, ...answer]).toEqual([what, ...hidden])
                else if (may) expect([what, ...answer]).toEqual([what, ...served])
                else expect([what, answer[0], answer[1]]).toEqual([what, 128, ""])
              }
            }
          }
        }
      }
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("I13: for keys of users with maintainer edits on a pull request's branch, and no other keys", () =>
    Effect.gen(function* () {
      const connect = yield* fixture
      const [base, head] = [yield* repositoryAt("limited-one/open"), yield* repositoryAt("public-one/open")]
      const users = yield* UserStore
      const [mem, tim, tia] = yield* Effect.forEach(["mem", "tim", "tia"], (name) =>
        Effect.flatMap(users.named(name), (found) =>
          found === undefined ? Effect.die(`${name} is nobody`) : Effect.succeed(found.user.id)
        )
      )
      if (mem === undefined || tim === undefined || tia === undefined) return yield* Effect.die("nobody")
      yield* (yield* RepositoryStore).setCollaborator(base.id, { userId: tim, level: 2 })
      const [asTim, asTia] = [
        yield* connect({ kind: "user", userId: tim }),
        yield* connect({ kind: "user", userId: tia })
      ]
      // Without the unit, its readers may not push to refs/for/ either.
      yield* (yield* RepositoryStore).replace({ ...head, units: { ...head.units, "repo.pulls": false } })
      const pushes = "git-receive-pack 'public-one/open'"
      const no = refused("user should have a permission to write to a repo")
      expect(yield* asTim(pushes)).toEqual(no)
      yield* newPullIn(base.id, mem, "Kept", { headRepositoryId: head.id, lenderId: mem })
      expect(yield* asTim(pushes)).toEqual(no)
      yield* newPullIn(base.id, mem, "Lent", { headRepositoryId: head.id, lenderId: mem, allowMaintainerEdit: true })
      expect(yield* asTim(pushes)).toEqual(served)
      expect(yield* asTia(pushes)).toEqual(no)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
