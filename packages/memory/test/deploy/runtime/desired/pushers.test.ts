import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import {
  Applications,
  Clones,
  Deployments,
  ForgeApplications,
  type SignedDelivery,
  show,
  Webhooks
} from "@slipway/deploy/apps"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import {
  type Application,
  ApplicationStore,
  type Deployment,
  DeploymentStore,
  EnvironmentStore,
  hasEnded,
  PathMatcher,
  providers
} from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import {
  type Account,
  AccountStore,
  GrantStore,
  IdentityUuid,
  rootTeam,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { OutsideProvider, ProviderConnector } from "@slipway/domain/sign-in"
import { ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { newAccount, newGrant, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber, Redacted } from "effect"
import { pass, place, shown, startWorker, world } from "../support/support.ts"

const url = "http://127.0.0.1:3000"
const repository = `${url}/acme/site.git`

/** Connects a forge through which people sign in, unless `signIn` is null, and creates an application from it. */
const connected = Effect.fnUntraced(function* (
  signIn: { readonly id: string; readonly secret: Redacted.Redacted } | null = { id: "c1", secret: Redacted.make("s") }
) {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  const files = { Dockerfile: "FROM works" }
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
  yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null,
    signIn
  })
  const { placement } = yield* place()
  const created = yield* ForgeApplications.create(system("application.create"), {
    git_repository: "acme/site",
    environment_uuid: placement.environmentUuid,
    domains: "http://old.example"
  })
  const owner = yield* account(9, "owner")
  const application = { ...created, ownerUuid: owner.uuid }
  yield* Effect.orDie(Effect.flatMap(ApplicationStore, (store) => store.replace(application)))
  yield* (yield* SourceSimulation).repository(repository, {
    _tag: "Token",
    username: "robot",
    token: Redacted.make("t0ken")
  })
  return { application, forge, owner }
})

/** Inserts account number `n` with a role in the root team, which has the user `n` of an issuer as its identity. */
const account = Effect.fnUntraced(function* (
  n: number,
  role: "deployer" | "developer" | "owner" | "viewer" | undefined,
  facts: Partial<Account> = {},
  issuer = url
) {
  const accounts = yield* AccountStore
  const inserted = yield* Effect.orDie(accounts.insert(newAccount(n, facts)))
  const { createdAt, uuid: accountUuid } = inserted
  const identity = { issuer, subject: String(n), createdAt }
  yield* accounts.link({ uuid: IdentityUuid.make(uuidOf("account", n + 100)), accountUuid, ...identity })
  if (role === undefined) return inserted
  yield* (yield* TeamStore).addMember({ teamId: rootTeam, accountUuid, createdAt })
  yield* Effect.orDie(Effect.flatMap(GrantStore, (store) => store.insert(newGrant(n, inserted, { role }))))
  return inserted
})

const manifest = { applications: { web: { domains: ["http://new.example"], ports: [3_000] } }, databases: {} }

const bob = { id: 2, login: "bob" }

/**
 * Commits a manifest, and receives the signed delivery about the push of a user; the deployment does not start.
 *
 * With a secret, the delivery is signed with it; without one, it counts as signed by the forge.
 */
const pushed = Effect.fnUntraced(function* (
  { uuid }: Application,
  pusher: unknown,
  declared: unknown = manifest,
  provider: "gitea" | "github" = "gitea",
  secret?: string
) {
  const files = { Dockerfile: "FROM works", ...(declared === null ? {} : { "slipway.yaml": JSON.stringify(declared) }) }
  const commit = yield* (yield* SourceSimulation).commit(repository, "main", { message: "change", files })
  const payload = { ref: "refs/heads/main", before: commit, after: commit, commits: [], pusher, sender: pusher }
  const body = new TextEncoder().encode(JSON.stringify(payload))
  const headers = { [providers[provider].event]: "push", "content-type": "application/json" }
  const signed = (key: string) => ({
    ...headers,
    "x-gitea-signature": createHmac("sha256", key).update(body).digest("hex")
  })
  const delivery =
    secret === undefined
      ? // BOUNDARY: only the verification of a signature makes this type.
        ({
          applicationUuid: uuid,
          provider,
          headers,
          body,
          isFromForge: provider === "gitea"
        } as unknown as SignedDelivery)
      : yield* Webhooks.verify({ application: uuid, provider, headers: signed(secret), body })
  const { deploymentUuid } = yield* Effect.provideService(Webhooks.receive(delivery), PathMatcher, {
    compile: () => undefined
  })
  if (deploymentUuid === null) return assert.fail("no deployment was queued")
  const found = yield* (yield* DeploymentStore).find(deploymentUuid)
  return found ?? assert.fail("the deployment is gone")
})

const ended = Effect.fnUntraced(function* (deployment: Deployment) {
  for (let passed = 0; passed < 90 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  const { reason, status } = yield* shown(deployment)
  return [status, reason] as const
})

const read = Effect.fnUntraced(function* ({ uuid }: Application) {
  return (yield* (yield* ApplicationStore).find(uuid)) ?? assert.fail("the application is gone")
})

const domainsOf = (application: Application) => Effect.map(read(application), (row) => row.configuration.domains)

/** Lists the newest deployment of the application with a name. */
const newestOf = Effect.fnUntraced(function* (name: string) {
  const rows = yield* (yield* ApplicationStore).list({ limit: 9 })
  const created = rows.find(({ configuration }) => configuration.name === name)
  if (created === undefined) return assert.fail(`there is no application ${name}`)
  return yield* (yield* DeploymentStore).ofApplication(created.uuid, { limit: 1 })
})

const connector = () => assert.fail("no user signs in")

const running = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  body.pipe(Effect.provideService(ProviderConnector, connector), Effect.provide(world))

const noAccount =
  "slipway.yaml changes the application, and bob has no account on this platform: sign in there through the forge, ask for the role `developer`, then deploy again."

const mayNotEdit = (name: string) =>
  `slipway.yaml changes the application, and ${name} may not do this: the role \`developer\` on the resource or above it is missing (capability \`edit\`). Ask an administrator of the team for the role, then deploy again.`

describe("a push that changes slipway.yaml", () => {
  it.effect("is applied if both the pusher and the owner of the application may change it", () =>
    running(
      Effect.gen(function* () {
        const { application, owner } = yield* connected()
        yield* account(2, "developer")
        const worker = { ports: [3_000], domains: ["http://worker.example"], variables: { MODE: "work" } }
        const applications = { ...manifest.applications, worker }
        const queued = yield* pushed(application, bob, { applications })
        assert.deepStrictEqual(queued.pusher, { id: "2", name: "bob" })
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(queued), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
        assert.strictEqual((yield* read(application)).ownerUuid, owner.uuid)
        // The new application is deployed for the same person.
        const [first] = yield* newestOf("worker")
        assert.deepStrictEqual([first?.pusher, first?.requestedBy], [{ id: "2", name: "bob" }, owner.uuid])
      })
    )
  )

  it.effect("finds the account of the pusher if the issuer of the forge ends with a slash", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        yield* account(2, "developer", {}, "http://127.0.0.1:3000/")
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
      })
    )
  )

  it.effect("fails before the build and says it in the commit status if the pusher has no account", () =>
    running(
      Effect.gen(function* () {
        const { application, forge } = yield* connected()
        // Neither a name nor another id identifies an account.
        yield* account(3, "owner", { name: "bob" })
        yield* startWorker()
        const queued = yield* pushed(application, bob)
        assert.deepStrictEqual(yield* ended(queued), ["failed", noAccount])
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
        yield* pass(3)
        const last = forge.reports.at(-1)
        assert.deepStrictEqual([last?.commit, last?.state, last?.description], [queued.commit, "failure", noAccount])
      })
    )
  )

  it.effect("names the missing role of the pusher, and applies none of the changes", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        yield* account(2, "deployer")
        yield* account(3, undefined)
        yield* startWorker()
        const created = { ...manifest, databases: { db: { type: "redis" } } }
        const first = yield* pushed(application, bob, created)
        assert.deepStrictEqual(yield* ended(first), ["failed", mayNotEdit("bob")])
        const second = yield* pushed(application, { id: 3, login: "eve" }, created)
        assert.deepStrictEqual(yield* ended(second), ["failed", mayNotEdit("eve")])
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
        assert.deepStrictEqual(yield* (yield* DatabaseStore).list({ limit: 1 }), [])
      })
    )
  )

  it.effect("rejects a disabled account, and a push that names no user of the forge", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        yield* account(2, "owner", { isDisabled: true })
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), [
          "failed",
          "slipway.yaml changes the application, and the account of bob is disabled: ask an administrator to enable it, then deploy again."
        ])
        const unnamed =
          "slipway.yaml changes the application, and the push does not name its user: deploy again with an account that may change the application."
        for (const user of [null, { id: -1, login: "Ghost" }, { id: "2", login: "bob" }]) {
          assert.deepStrictEqual(yield* ended(yield* pushed(application, user)), ["failed", unnamed])
        }
        // The ids of another provider are not those of the connected forge.
        yield* account(7, "owner")
        const foreign = yield* pushed(application, { id: 7, login: "gus" }, manifest, "github")
        assert.deepStrictEqual(yield* ended(foreign), ["failed", unnamed])
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
      })
    )
  )

  it.effect("names its user only if it is signed with a secret that no user knows", () =>
    running(
      Effect.gen(function* () {
        const { application, forge } = yield* connected()
        yield* account(2, "owner")
        const atForge = () => Redacted.value(forge.hooks.get("acme/site")?.[0]?.secret ?? Redacted.make(""))
        const pusherWith = (secret: string) =>
          Effect.map(pushed(application, bob, manifest, "gitea", secret), ({ pusher }) => pusher)
        const generated = atForge()
        assert.match(generated, /^[0-9a-f]{64}$/)
        const shownSecret = Effect.gen(function* () {
          const row = yield* read(application)
          const fields = yield* show(row, system("application.secrets", { application: row }))
          return fields.manual_webhook_secret_forgeD
        })
        assert.strictEqual(yield* shownSecret, null)
        const { destinationUuid } = application.placement
        const clone = yield* Clones.clone(system("application.clone", { application }), { destinationUuid })
        const fields = yield* show(clone, system("application.secrets", { application: clone }))
        assert.strictEqual(fields.manual_webhook_secret_forgeD, null)
        assert.deepStrictEqual(yield* pusherWith(generated), { id: "2", name: "bob" })
        const own = "a".repeat(64)
        const proof = system("application.update", { application: yield* read(application) })
        yield* Applications.update(proof, { manual_webhook_secret_forgeD: own })
        assert.strictEqual(yield* shownSecret, own)
        assert.strictEqual(yield* pusherWith(own), null)
        // The next check replaces a secret that looks generated; the former one remains known to the user.
        const watching = yield* Effect.forkChild(Pipeline.watchHooks)
        yield* pass(1)
        yield* Fiber.interrupt(watching)
        const rotated = atForge()
        assert.match(rotated, /^[0-9a-f]{64}$/)
        assert.notStrictEqual(rotated, own)
        assert.strictEqual(yield* shownSecret, null)
        assert.strictEqual(yield* pusherWith(own), null)
        assert.deepStrictEqual(yield* pusherWith(rotated), { id: "2", name: "bob" })
      })
    )
  )

  it.effect("cannot do more than the owner of the application, although the pusher may", () =>
    running(
      Effect.gen(function* () {
        const { application, owner } = yield* connected()
        yield* account(2, "owner")
        const grants = yield* GrantStore
        const [held] = (yield* grants.list({ limit: 9 })).filter(({ accountUuid }) => accountUuid === owner.uuid)
        if (held === undefined) return assert.fail("the owner has no grant")
        yield* Effect.orDie(grants.replace({ ...held, role: "deployer" }))
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), [
          "failed",
          "slipway.yaml: line 1: applications.web: the role `developer` on the resource or above it is missing (capability `edit`)"
        ])
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
      })
    )
  )

  it.effect("is decided with the permissions at the time of the deployment, not of the push", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        const pusher = yield* account(2, "developer")
        const queued = yield* pushed(application, bob)
        const grants = yield* GrantStore
        for (const { accountUuid, uuid } of yield* grants.list({ limit: 9 })) {
          if (accountUuid === pusher.uuid) yield* grants.remove(uuid)
        }
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(queued), ["failed", mayNotEdit("bob")])
      })
    )
  )

  it.effect("cannot create an environment if the pusher has a role on the application only", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        const pusher = yield* account(2, undefined)
        yield* (yield* TeamStore).addMember({
          teamId: rootTeam,
          accountUuid: pusher.uuid,
          createdAt: pusher.createdAt
        })
        const here = { placeType: "application", placeUuid: application.uuid, role: "developer" } as const
        yield* Effect.orDie(Effect.flatMap(GrantStore, (store) => store.insert(newGrant(2, pusher, here))))
        yield* startWorker()
        const wide = {
          ...manifest,
          environments: { "environment 1": { branch: "main" }, staging: { branch: "develop" } }
        }
        const [status, reason] = yield* ended(yield* pushed(application, bob, wide))
        assert.deepStrictEqual([status, reason], ["failed", mayNotEdit("bob")])
        const { projectUuid } = application.placement
        assert.strictEqual((yield* (yield* EnvironmentStore).ofProject(projectUuid)).length, 1)
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
        // The role on the application suffices for its own settings.
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
      })
    )
  )
})

describe("a push that does not change what slipway.yaml declares", () => {
  it.effect("deploys the commit without permissions of the pusher", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        yield* account(3, "developer")
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob, null)), ["finished", null])
        assert.deepStrictEqual(yield* ended(yield* pushed(application, { id: 3, login: "ann" })), ["finished", null])
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
      })
    )
  )
})

describe("a deployment of a pushed slipway.yaml", () => {
  it.effect("that an account requests is limited to the permissions of this account", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        const deployer = yield* account(2, "deployer", { name: "bob" })
        yield* startWorker()
        yield* ended(yield* pushed(application, bob))
        const queued = yield* Deployments.deploy(system("application.deploy", { application }), false)
        const store = yield* DeploymentStore
        yield* Effect.orDie(store.replace({ ...queued, requestedBy: deployer.uuid }))
        assert.deepStrictEqual(yield* ended(queued), ["failed", mayNotEdit("bob")])
        // A token of the team has no account.
        const again = yield* Deployments.deploy(system("application.deploy", { application }), false)
        assert.deepStrictEqual(yield* ended(again), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
      })
    )
  )

  it.effect("that an account requests deploys the new applications for this account", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        const developer = yield* account(2, "developer", { name: "bob" })
        const worker = { ports: [3_000], domains: ["http://worker.example"] }
        const files = {
          Dockerfile: "FROM works",
          "slipway.yaml": JSON.stringify({ ...manifest, applications: { ...manifest.applications, worker } })
        }
        yield* (yield* SourceSimulation).commit(repository, "main", { message: "change", files })
        const queued = yield* Deployments.deploy(system("application.deploy", { application }), false)
        const store = yield* DeploymentStore
        yield* Effect.orDie(store.replace({ ...queued, requestedBy: developer.uuid }))
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(queued), ["finished", null])
        const [first] = yield* newestOf("worker")
        assert.deepStrictEqual([first?.pusher, first?.requestedBy], [null, developer.uuid])
      })
    )
  )

  it.effect("from a forge without sign-in has the permissions of the owner of the application", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected(null)
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), ["finished", null])
        assert.strictEqual(yield* domainsOf(application), "http://new.example")
      })
    )
  )

  it.effect("has the permissions of the pusher if another connection to the same forge signs people in", () =>
    running(
      Effect.gen(function* () {
        const { application } = yield* connected()
        const second = yield* ForgeConnections.create(system("forgeConnection.create"), {
          name: "second",
          url,
          token: Redacted.make("t0ken"),
          platformUrl: "https://deploy.example",
          sshPort: null
        })
        const moved = { ...(yield* read(application)), forgeAppUuid: second.uuid }
        yield* Effect.orDie(Effect.flatMap(ApplicationStore, (store) => store.replace(moved)))
        yield* startWorker()
        assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), ["failed", noAccount])
        assert.strictEqual(yield* domainsOf(application), "http://old.example")
      })
    )
  )

  for (const [issuer, expected] of [
    ["http://127.0.0.1:3000/", ["failed", noAccount]],
    ["https://login.example/", ["finished", null]]
  ] as const) {
    it.effect(`has the permissions of the pusher only if the configured provider is the forge: ${issuer}`, () =>
      running(
        Effect.gen(function* () {
          const { application } = yield* connected()
          yield* startWorker()
          assert.deepStrictEqual(yield* ended(yield* pushed(application, bob)), expected)
        }).pipe(
          Effect.provideService(OutsideProvider, {
            name: "login",
            issuer,
            start: connector,
            finish: connector
          } as never)
        )
      )
    )
  }
})
