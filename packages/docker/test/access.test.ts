import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { type PodmanService, sshAccessTo, startPodman, startSshd, tarOf } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  ContainerEngine,
  containerName,
  containerSpec,
  imageReference,
  type ServerAccess,
  type TcpAccess
} from "@slipway/domain/deploy/containers"
import { HostKeyStore, type Server, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { newServer } from "@slipway/testkit/deploy"
import { Effect, Exit, Layer, Redacted, Scope, Stream } from "effect"
import { buildOf } from "./support/build.ts"
import { certificates, tlsInFrontOf } from "./support/tls.ts"

const scope = Effect.runSync(Scope.make())
let podman: PodmanService | undefined

beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      podman = yield* startPodman
    }).pipe(Scope.provide(scope))
  )
)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const started = Effect.suspend(() =>
  podman === undefined ? Effect.die("podman was not started") : Effect.succeed(podman)
)
const layer = layerContainerEngine.pipe(Layer.provideMerge(layerSshConnections), Layer.provideMerge(memory))

const owner = {
  application: "a".repeat(24) as ApplicationUuid,
  deployment: "d".repeat(24) as DeploymentUuid,
  service: null
}
const ref = { application: owner.application, name: containerName(owner) }

/** Runs one operation of each kind of connection use: builds an image, and runs, inspects and removes a container. */
const everything = (access: ServerAccess) =>
  Effect.gen(function* () {
    const { image } = yield* started
    const engine = yield* (yield* ContainerEngine).open(access)
    assert.strictEqual((yield* engine.info).product, "podman")
    // An engine reached by TLS reports nothing about its disk.
    assert.strictEqual(((yield* engine.diskSpace)?.used ?? 0) > 0, access._tag !== "Tcp")
    const { connectionTimeout, server } = access
    const lent: ServerAccess = { _tag: "Local", server, connectionTimeout, socket: yield* engine.socket }
    assert.strictEqual((yield* (yield* (yield* ContainerEngine).open(lent)).info).product, "podman")
    const context = Stream.make(
      tarOf({
        Dockerfile: `FROM ${image}\nCOPY file /file\nCMD ["sh", "-c", "cat /file"]\n`,
        file: "x".repeat(500_000)
      })
    )
    const options = buildOf(owner)
    yield* Stream.runDrain(engine.build(context, options))
    const reference = imageReference(owner)
    yield* engine.create(containerSpec({ owner, name: ref.name, image: reference }))
    yield* engine.start(ref)
    const [code, lines] = yield* Effect.all([engine.wait(ref), Stream.runCollect(engine.logs(ref, { follow: true }))], {
      concurrency: 2
    })
    assert.strictEqual(code, 0)
    assert.strictEqual(lines.map(({ text }) => text).join(""), "x".repeat(500_000))
    assert.isTrue(yield* engine.remove(ref))
    assert.isTrue(yield* engine.removeImage(owner))
  })

const reason = (access: ServerAccess) =>
  Effect.gen(function* () {
    const failure = yield* Effect.flip((yield* ContainerEngine).open(access))
    return failure._tag === "EngineUnreachable" ? failure.because : `${failure._tag} ${failure.shown}`
  })

describe("an engine reached by SSH", () => {
  const reached = Effect.gen(function* () {
    const { socket } = yield* started
    const sshd = yield* startSshd
    const server: Server = yield* (yield* ServerStore).insert(newServer(1))
    const access = { ...sshAccessTo(sshd, server.uuid, socket), connectionTimeout: 5 }
    return { access, server, sshd }
  })

  it.live("supports the engine operations over one connection, without running a remote command (invariant I23)", () =>
    Effect.gen(function* () {
      const { access, sshd } = yield* reached
      yield* everything(access)
      yield* everything(access)
      assert.strictEqual(yield* sshd.accepted, 1)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("is reconnected only with the host key of the first connection", () =>
    Effect.gen(function* () {
      const { access, server, sshd } = yield* reached
      const keys = yield* HostKeyStore
      const engine = yield* (yield* ContainerEngine).open(access)
      yield* engine.info
      const known = Effect.map(keys.ofServer(server.uuid), (all) =>
        all.map(({ address, fingerprint }) => `${address} ${fingerprint}`).join("\n")
      )
      const met = yield* known
      assert.match(met, new RegExp(`^127.0.0.1:${sshd.port} SHA256:[A-Za-z0-9+/]{43}$`))

      yield* sshd.restart("same")
      yield* Effect.retry(engine.info, { times: 3 })
      assert.strictEqual(yield* sshd.accepted, 2)

      yield* sshd.restart("another")
      const failure = yield* Effect.flip(Effect.andThen(engine.info, engine.info))
      assert.strictEqual(failure._tag, "EngineUnreachable")
      const other = { ...access, connectionTimeout: 6 }
      const because = yield* reason(other)
      assert.match(because, /^HostKeyChanged SHA256:/)
      const shown = because.replace("HostKeyChanged ", "")
      assert.notInclude(met, shown)
      assert.strictEqual(yield* known, met)

      yield* keys.forget(server.uuid)
      yield* (yield* ContainerEngine).open(other)
      assert.include(yield* known, shown)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("reports why the connection fails", () =>
    Effect.gen(function* () {
      const { access } = yield* reached
      const stranger = yield* startSshd
      assert.match(yield* reason({ ...access, privateKey: stranger.privateKey }), /authentication methods failed/)
      assert.match(yield* reason({ ...access, privateKey: Redacted.make("no key") }), /parse privateKey/)
      assert.match(yield* reason({ ...access, port: 1 }), /ECONNREFUSED/)
      assert.match(yield* reason({ ...access, socket: "/run/no-such.sock" }), /no-such\.sock on the server/)
      // A failure is not cached.
      yield* (yield* ContainerEngine).open(access)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})

describe("an engine reached by TLS", () => {
  const reached = Effect.gen(function* () {
    const { socket } = yield* started
    const known = yield* certificates
    const port = yield* tlsInFrontOf(socket, known)
    const access: TcpAccess = {
      _tag: "Tcp",
      server: newServer(1).uuid,
      connectionTimeout: 5,
      host: "127.0.0.1",
      port,
      authority: known.authority,
      ...known.client
    }
    return { access, known }
  })

  it.live("supports the engine operations", () =>
    Effect.gen(function* () {
      yield* everything((yield* reached).access)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("requires a client certificate, and is verified with its certificate authority", () =>
    Effect.gen(function* () {
      const { access, known } = yield* reached
      assert.isAbove((yield* reason({ ...access, ...known.stranger })).length, 5)
      assert.match(yield* reason({ ...access, authority: known.stranger.certificate }), /certificate|signature/)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
