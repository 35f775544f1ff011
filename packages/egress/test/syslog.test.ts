import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls"
import { assert, it } from "@effect/vitest"
import { SyslogSender } from "@slipway/domain/deploy/infrastructure"
import { layerEgress, layerSyslogSender } from "@slipway/egress"
import { Effect, Layer } from "effect"

/** A TCP server that returns what each client has sent. */
const listening = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly port: number; readonly received: Promise<string>; readonly close: () => void }>(
        (resolve) => {
          let done: (text: string) => void = () => undefined
          const received = new Promise<string>((settle) => {
            done = settle
          })
          const server = createServer((socket) => {
            let text = ""
            socket.on("data", (chunk) => {
              text += String(chunk)
            })
            socket.on("end", () => done(text))
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            resolve({ port, received, close: () => server.close() })
          })
        }
      )
  ),
  ({ close }) => Effect.sync(close)
)

const sender = (allowPrivate: boolean) => Layer.provide(layerSyslogSender, layerEgress({ allowPrivate }))

it.live("messages are written to the syslog server one after the other", () =>
  Effect.gen(function* () {
    const { port, received } = yield* listening
    const { send } = yield* SyslogSender
    yield* send({ host: "127.0.0.1", port, isEncrypted: false }, ["5 first", "6 second"])
    assert.strictEqual(yield* Effect.promise(() => received), "5 first6 second")
  }).pipe(Effect.scoped, Effect.provide(sender(true)))
)

it.live("a private address is refused unless the instance allows it (invariant I14)", () =>
  Effect.gen(function* () {
    const { port } = yield* listening
    const { send } = yield* SyslogSender
    const error = yield* Effect.flip(send({ host: "127.0.0.1", port, isEncrypted: false }, ["5 first"]))
    assert.strictEqual(error._tag, "SyslogUnsent")
    assert.include(error.because, "127.0.0.1")
  }).pipe(Effect.scoped, Effect.provide(sender(false)))
)

it.live("a server that resets the connection is reported", () =>
  Effect.gen(function* () {
    const server = createServer((socket) => socket.resetAndDestroy())
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
    const { port } = server.address() as AddressInfo
    const { send } = yield* SyslogSender
    // More than the operating system buffers, so that the reset arrives before it has taken the text.
    const error = yield* Effect.flip(send({ host: "127.0.0.1", port, isEncrypted: false }, ["x".repeat(32_000_000)]))
    assert.strictEqual(error._tag, "SyslogUnsent")
    assert.match(error.because, /ECONNRESET|EPIPE/)
  }).pipe(Effect.scoped, Effect.provide(sender(true)))
)

/** Makes a certificate for a name or an address. */
const certificateFor = (alternativeName: string) => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-syslog-"))
  try {
    const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
    const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    const names = ["-subj", "/CN=syslog", "-addext", `subjectAltName=${alternativeName}`]
    execFileSync("openssl", [...kind, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" })
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Trusts a certificate while the scope is open. */
const trust = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

/** A TLS server that records what clients have sent, and the names that they asked for. */
const encrypted = (certificate: { readonly cert: string; readonly key: string }) =>
  Effect.gen(function* () {
    const names: Array<string | false | null> = []
    let settle: (text: string) => void = () => undefined
    const received = new Promise<string>((resolve) => {
      settle = resolve
    })
    const server = createTlsServer(certificate, (socket) => {
      names.push(socket.servername)
      let text = ""
      socket.on("data", (chunk) => {
        text += String(chunk)
      })
      socket.on("end", () => settle(text))
      socket.on("error", () => undefined)
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    yield* Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)))
    return { names, port: (server.address() as AddressInfo).port, received }
  })

for (const [host, alternativeName, name] of [
  ["localhost", "DNS:localhost", "localhost"],
  ["127.0.0.1", "IP:127.0.0.1", false]
] as const) {
  it.live(`messages are encrypted for ${host} if its certificate is valid`, () =>
    Effect.gen(function* () {
      const certificate = certificateFor(alternativeName)
      yield* trust(certificate.cert)
      const { names, port, received } = yield* encrypted(certificate)
      const { send } = yield* SyslogSender
      yield* send({ host, port, isEncrypted: true }, ["5 first", "6 second"])
      assert.strictEqual(yield* Effect.promise(() => received), "5 first6 second")
      assert.deepStrictEqual(names, [name])
    }).pipe(Effect.scoped, Effect.provide(sender(true)))
  )
}

it.live("nothing is sent to a server with an untrusted certificate or one for another name", () =>
  Effect.gen(function* () {
    const { send } = yield* SyslogSender
    const untrusted = yield* encrypted(certificateFor("DNS:localhost"))
    const unproven = yield* Effect.flip(send({ host: "localhost", port: untrusted.port, isEncrypted: true }, ["x"]))
    assert.include(unproven.because, "self-signed certificate")
    const certificate = certificateFor("DNS:other.example,IP:127.0.0.2")
    yield* trust(certificate.cert)
    const { port } = yield* encrypted(certificate)
    for (const host of ["localhost", "127.0.0.1"]) {
      const error = yield* Effect.flip(send({ host, port, isEncrypted: true }, ["x"]))
      assert.include(error.because, "does not match certificate's altnames")
    }
  }).pipe(Effect.scoped, Effect.provide(sender(true)))
)
