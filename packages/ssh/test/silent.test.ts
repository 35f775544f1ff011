import { generateKeyPairSync } from "node:crypto"
import type { AddressInfo } from "node:net"
import { assert, it } from "@effect/vitest"
import { HostKeyStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { layerSshConnections, SshConnections } from "@slipway/ssh"
import { Effect, Layer, Redacted } from "effect"
import ssh2 from "ssh2"

const pem = () =>
  generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString()

const layer = layerSshConnections.pipe(Layer.provide(Layer.mock(HostKeyStore)({ admit: () => Effect.succeed(true) })))

/** A server that authenticates every client, and then answers no request. */
const silent = Effect.acquireRelease(
  Effect.callback<ssh2.Server>((resume) => {
    const server = new ssh2.Server({ hostKeys: [pem()] }, (client) => {
      client.on("authentication", (attempt) => attempt.accept())
      client.on("error", () => {})
      // A regular server would respond; this one does not.
      client.on("ready", () =>
        client
          .on("request", () => {})
          .on("tcpip", () => {})
          .on("session", () => {})
      )
      client.on("openssh.streamlocal", () => {})
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

it.live("a server that opens no stream delays a caller no longer than the connection timeout (I25)", () =>
  Effect.gen(function* () {
    const { port } = (yield* silent).address() as AddressInfo
    const connection = yield* (yield* SshConnections).open({
      _tag: "Ssh",
      server: "s".repeat(24) as ServerUuid,
      host: "127.0.0.1",
      port,
      user: "root",
      privateKey: Redacted.make(pem()),
      socket: null,
      connectionTimeout: 1
    })
    for (const asked of [
      Effect.asVoid(connection.stream({ socket: "/run/podman/podman.sock" })),
      Effect.asVoid(connection.stream({ host: "127.0.0.1", port: 1 })),
      Effect.asVoid(connection.space("/"))
    ]) {
      const { because } = yield* Effect.flip(
        Effect.timeout(asked, "5 seconds").pipe(Effect.catchTag("TimeoutError", Effect.die))
      )
      assert.strictEqual(because, "the server did not respond within 1 seconds")
    }
  }).pipe(Effect.scoped, Effect.provide(layer))
)
