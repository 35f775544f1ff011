import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Deployment,
  hasEnded,
  ReleaseStore,
  type RepositoryAccess
} from "@slipway/domain/deploy/apps"
import { type ForgeApp, ForgeAppStore, GitlabAppStore, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, PackerSimulation, packedAs, SourceSimulation } from "@slipway/memory/deploy"
import { newForgeApp, newGitlabApp, newPrivateKey, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Redacted } from "effect"
import {
  linesOf,
  ofDockerfile,
  pass,
  place,
  plantRepository,
  queue,
  server,
  shown,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const address = "https://forge.example/application-1.git"
const secret = "a key that nobody may see"

const ended = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  return yield* shown(deployment)
})

/** Plants an application with a Dockerfile in a repository that accepts this access. */
const repositoryOf = Effect.fnUntraced(function* (
  access: RepositoryAccess,
  facts: Partial<Application>,
  settings: Parameters<typeof plantRepository>[3] = {}
) {
  const application = yield* plantRepository(
    yield* place(),
    1,
    {},
    {
      ...ofDockerfile,
      ...settings
    }
  )
  const { commit, repository } = yield* SourceSimulation
  yield* repository(address, access)
  const changed = { ...application, ...facts }
  yield* Effect.orDie((yield* ApplicationStore).replace(changed))
  const put = (message: string) =>
    commit(address, "main", { message, files: { Dockerfile: "FROM works", "index.html": "" } })
  return { application: changed, first: yield* put("one"), put }
})

const keyed = Effect.gen(function* () {
  const key = newPrivateKey(1)
  const owner = { uuid: key.uuid, field: "private_key" }
  const privateKey = yield* (yield* Vault).seal(owner, Redacted.make(secret))
  return yield* Effect.orDie((yield* PrivateKeyStore).insert({ ...key, privateKey }))
})

/** Deploys from a repository of an app installation, and returns the result. */
const deployedBy = Effect.fnUntraced(function* ({ installationId, uuid }: ForgeApp) {
  const token = Redacted.make(`token of ${installationId}`)
  const access = { _tag: "Token", username: "x-access-token", token } as const
  const { application } = yield* repositoryOf(access, { forgeAppUuid: uuid })
  yield* startWorker()
  const { reason, status } = yield* ended(yield* queue(1, application))
  return [status, reason]
})

describe("a deployment from a repository", () => {
  it.effect("uses the deploy key of its application without logging it (invariant I15)", () =>
    Effect.gen(function* () {
      const key = yield* keyed
      const access = { _tag: "Key", privateKey: Redacted.make(secret) } as const
      const { application, first } = yield* repositoryOf(access, { privateKeyUuid: key.uuid })
      yield* startWorker()
      const deployment = yield* ended(yield* queue(1, application))
      assert.deepStrictEqual([deployment.reason, deployment.commit, yield* visit()], [null, first, deployment.uuid])
      assert.notInclude((yield* linesOf(deployment)).join("\n"), secret)
    }).pipe(Effect.provide(world))
  )

  it.effect("reads with a deploy key from the SSH server of its team's GitLab app", () =>
    Effect.gen(function* () {
      const key = yield* keyed
      const access = { _tag: "Key", privateKey: Redacted.make(secret) } as const
      const { application } = yield* repositoryOf({ _tag: "Anyone" }, { privateKeyUuid: key.uuid })
      const { commit, repository } = yield* SourceSimulation
      const there = "ssh://gitlab@forge.example:2222/application-1.git"
      yield* repository(there, access)
      const only = yield* commit(there, "main", { message: "there", files: { Dockerfile: "FROM works" } })
      const facts = { htmlUrl: "https://forge.example", customUser: "gitlab", customPort: 2_222 }
      yield* Effect.orDie((yield* GitlabAppStore).insert(newGitlabApp(1, facts)))
      yield* startWorker()
      const deployment = yield* ended(yield* queue(1, application))
      assert.deepStrictEqual([deployment.reason, deployment.commit], [null, only])
    }).pipe(Effect.provide(world))
  )

  it.effect("uses a token of its app installation without logging it (invariant I15)", () =>
    Effect.gen(function* () {
      const app = yield* Effect.orDie((yield* ForgeAppStore).insert(newForgeApp(1, yield* keyed)))
      const token = `token of ${app.installationId}`
      const access = { _tag: "Token", username: "x-access-token", token: Redacted.make(token) } as const
      const { application } = yield* repositoryOf(access, { forgeAppUuid: app.uuid })
      yield* startWorker()
      const deployment = yield* ended(yield* queue(1, application))
      assert.deepStrictEqual([deployment.reason, yield* visit()], [null, deployment.uuid])
      assert.notInclude((yield* linesOf(deployment)).join("\n"), token)
    }).pipe(Effect.provide(world))
  )

  // Prevents: a user with write access names their own host, and receives a token for all repositories.
  it.effect("sends an app installation's token only to the host that issued it (invariant I15)", () =>
    Effect.gen(function* () {
      const facts = { apiUrl: "https://api.github.example", htmlUrl: "https://forge.example" }
      const app = yield* Effect.orDie((yield* ForgeAppStore).insert(newForgeApp(1, yield* keyed, facts)))
      assert.deepStrictEqual(yield* deployedBy(app), [
        "failed",
        "the app installation `forge app 1` can only access http(s) addresses on the host of its `api_url`"
      ])
    }).pipe(Effect.provide(world))
  )

  // Prevents: a user with write access makes another app's key sign for their own host, which replays it to the app's (I19).
  it.effect("signs with an app's key only for the host that the app is bound to (invariant I19)", () =>
    Effect.gen(function* () {
      const key = yield* keyed
      yield* Effect.orDie((yield* PrivateKeyStore).replace({ ...key, signsFor: "https://api.another.example" }))
      const app = yield* Effect.orDie((yield* ForgeAppStore).insert(newForgeApp(1, key)))
      assert.deepStrictEqual(yield* deployedBy(app), [
        "failed",
        "the private key signs for a host other than that of the `api_url`"
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails without access, reports no secret, and keeps the serving release", () =>
    Effect.gen(function* () {
      const key = yield* keyed
      const access = { _tag: "Key", privateKey: Redacted.make(secret) } as const
      const { application } = yield* repositoryOf(access, { privateKeyUuid: key.uuid })
      yield* startWorker()
      const first = yield* ended(yield* queue(1, application))
      yield* (yield* SourceSimulation).repository(address, { _tag: "Key", privateKey: Redacted.make("another") })
      const second = yield* ended(yield* queue(2, application))
      assert.deepStrictEqual(
        [second.status, second.reason, yield* visit()],
        ["failed", "the repository rejects these credentials", first.uuid]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("deploys the requested commit, and rolls back without fetching it again", () =>
    Effect.gen(function* () {
      const { application, first, put } = yield* repositoryOf({ _tag: "Anyone" }, {})
      const second = yield* put("two")
      yield* startWorker()
      const pinned = yield* ended(yield* queue(1, application, { commit: first }))
      const newest = yield* ended(yield* queue(2, application, { commit: "HEAD" }))
      assert.deepStrictEqual([pinned.commit, newest.commit], [first, second])
      yield* (yield* SourceSimulation).repository(address, { _tag: "Token", username: "", token: Redacted.make("") })
      const release = yield* (yield* ReleaseStore).ofDeployment(pinned.uuid)
      const facts = { action: "rollback", releaseUuid: release?.uuid ?? null } as const
      const back = yield* ended(yield* queue(3, application, facts))
      assert.deepStrictEqual([back.reason, back.commit, yield* visit()], [null, first, back.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("packs a static site, serves the build, and removes the image of a pruned release", () =>
    Effect.gen(function* () {
      const site = { build_pack: "packer_a", is_static: true, publish_directory: "/dist" } as const
      const { application } = yield* repositoryOf({ _tag: "Anyone" }, {}, site)
      yield* (yield* PackerSimulation).onPack(() => packedAs("FROM packed"))
      yield* startWorker({ keptReleases: 1 })
      for (const n of [1, 2, 3]) {
        const { reason, uuid } = yield* ended(yield* queue(n, application))
        assert.deepStrictEqual([reason, yield* visit()], [null, uuid])
      }
      const { images } = yield* (yield* EngineSimulation).inventory(server)
      const tag = `slipway/${application.uuid}:${uuidOf("deployment", 3)}`
      assert.sameMembers(
        images.flatMap(({ tags }) => tags),
        [tag, `${tag}-_built`]
      )
    }).pipe(Effect.provide(world))
  )
})
