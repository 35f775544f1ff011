import { assert, describe, it } from "@effect/vitest"
import { Deployments, ForgeApplications, type SignedDelivery, sourcesOf, Webhooks } from "@slipway/deploy/apps"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { type Application, ApplicationStore, PathMatcher, providers } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { type ConnectedForge, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { ForgeSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Effect, Redacted } from "effect"
import { pass, passUntilEnded, place, shown, startWorker, world } from "../support/support.ts"

const because = "the forge rejects the token (401): it was revoked or has expired"
const disconnected = "the forge was disconnected on this platform: connect it again with a new token"
const files = { Dockerfile: "FROM works" }

/** A platform with a worker and a watcher, which is connected to a forge at an address. */
const connectedTo = Effect.fnUntraced(function* (url: string) {
  const forge = yield* (yield* ForgeSimulation).start(url)
  forge.tokens.set("t0ken", "robot")
  forge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
  const connection = yield* ForgeConnections.create(system("forgeConnection.create"), {
    name: "forge",
    url,
    token: Redacted.make("t0ken"),
    platformUrl: "https://deploy.example",
    sshPort: null
  })
  const { placement } = yield* place()
  const application = yield* ForgeApplications.create(system("application.create"), {
    git_repository: "acme/site",
    environment_uuid: placement.environmentUuid,
    domains: "http://a1.example",
    ports_exposes: "3000"
  })
  const sources = yield* SourceSimulation
  const repository = `${url}/acme/site.git`
  yield* sources.repository(repository, { _tag: "Token", username: "robot", token: Redacted.make("t0ken") })
  const commit = yield* sources.commit(repository, "main", { message: "change", files })
  yield* startWorker()
  yield* Effect.forkScoped(Pipeline.watchForges)
  return { application, commit, connection: connection as ConnectedForge, forge }
})

const read = Effect.fnUntraced(function* ({ uuid }: Pick<ConnectedForge, "uuid">) {
  const found = yield* (yield* ForgeAppStore).find(uuid)
  return found !== undefined && isConnected(found) ? found : assert.fail("the connection is gone")
})

const sourceOf = Effect.fnUntraced(function* ({ uuid }: Pick<Application, "uuid">) {
  const application = (yield* (yield* ApplicationStore).find(uuid)) ?? assert.fail("the application is gone")
  return (yield* sourcesOf([application]))(application)
})

/** A signed delivery about a push of a commit; the signature is verified before. */
const pushOf = ({ uuid }: Application, commit: string): SignedDelivery =>
  // BOUNDARY: only the verification of a signature makes this type.
  ({
    applicationUuid: uuid,
    provider: "gitea",
    headers: { [providers.gitea.event]: "push", "content-type": "application/json" },
    body: new TextEncoder().encode(
      JSON.stringify({ ref: "refs/heads/main", after: commit, commits: [], head_commit: { message: "change" } })
    )
  }) as unknown as SignedDelivery

/** Receives a delivery; a disconnected forge's is ignored before any path is compared. */
const receive = (delivery: SignedDelivery) =>
  Effect.provideService(Webhooks.receive(delivery), PathMatcher, { compile: () => assert.fail("a path was compared") })

describe("a revoked token", () => {
  it.effect("of the platform is detected within a second without any request, and stops webhooks and deployments", () =>
    Effect.gen(function* () {
      const { application, commit, connection, forge } = yield* connectedTo("http://127.0.0.1:3000")
      yield* pass(2)
      assert.deepStrictEqual(yield* sourceOf(application), { source_status: "connected", source_reason: null })
      forge.tokens.clear()
      yield* pass(1)
      assert.strictEqual((yield* read(connection)).connection.rejection, because)
      assert.deepStrictEqual(yield* sourceOf(application), { source_status: "disconnected", source_reason: because })
      const { outcome, reason } = yield* receive(pushOf(application, commit))
      assert.deepStrictEqual([outcome, reason], ["ignored", "disconnected"])
      const queued = yield* Deployments.deploy(system("application.deploy", { application }), false)
      yield* passUntilEnded(queued, 30)
      assert.strictEqual((yield* shown(queued)).status, "failed")
      // The account is active again.
      forge.tokens.set("t0ken", "robot")
      yield* pass(1)
      assert.deepStrictEqual(yield* sourceOf(application), { source_status: "connected", source_reason: null })
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "of a disconnected forge stops its webhooks immediately, is deleted at the forge too, and must be replaced",
    () =>
      Effect.gen(function* () {
        const { application, commit, connection, forge } = yield* connectedTo("http://127.0.0.1:3000")
        yield* pass(2)
        const proof = system("forgeConnection.disconnect", { forgeConnection: connection })
        yield* ForgeConnections.disconnect(proof)
        assert.deepStrictEqual([...forge.tokens], [])
        assert.deepStrictEqual(yield* sourceOf(application), {
          source_status: "disconnected",
          source_reason: disconnected
        })
        const { outcome, reason } = yield* receive(pushOf(application, commit))
        assert.deepStrictEqual([outcome, reason], ["ignored", "disconnected"])
        const queued = yield* Deployments.deploy(system("application.deploy", { application }), false)
        yield* passUntilEnded(queued, 30)
        const failed = yield* shown(queued)
        assert.strictEqual(failed.status, "failed")
        // The old token does not connect it again, even if the forge kept it.
        forge.tokens.set("t0ken", "robot")
        yield* pass(3)
        assert.strictEqual((yield* read(connection)).connection.rejection, disconnected)
        yield* ForgeConnections.disconnect(proof)
        assert.deepStrictEqual([...forge.tokens], [["t0ken", "robot"]])
        forge.tokens.set("t1", "robot")
        yield* ForgeConnections.update(system("forgeConnection.update", { forgeConnection: connection }), {
          token: Redacted.make("t1")
        })
        assert.strictEqual((yield* sourceOf(application)).source_status, "connected")
      }).pipe(Effect.provide(world))
  )

  it.effect(
    "of a forge on the internet is detected within a minute, while a forge that does not answer changes nothing",
    () =>
      Effect.gen(function* () {
        const url = "https://git.slipway.dev"
        const { application, connection, forge } = yield* connectedTo(url)
        yield* pass(2)
        yield* (yield* ForgeSimulation).stop(url)
        yield* pass(61)
        assert.strictEqual((yield* read(connection)).connection.rejection, null)
        yield* (yield* ForgeSimulation).resume(url)
        forge.tokens.clear()
        yield* pass(50)
        assert.strictEqual((yield* read(connection)).connection.rejection, null)
        yield* pass(12)
        assert.deepStrictEqual(yield* sourceOf(application), { source_status: "disconnected", source_reason: because })
      }).pipe(Effect.provide(world))
  )
})
