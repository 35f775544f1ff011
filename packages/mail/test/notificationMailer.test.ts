import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, connect as connectTo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { describe, expect, it } from "@effect/vitest"
import { type Mail, MailRefused, MailUnsent } from "@slipway/domain"
import { EgressRefused, NotificationMailer, type TeamMailServer } from "@slipway/domain/deploy/infrastructure"
import { layerNotificationMailer } from "@slipway/mail"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** Runs a mail server with accounts while the scope is open; by default without encryption. */
const smtp = Effect.fnUntraced(function* (encryption: SMTPServerOptions = { disabledCommands: ["STARTTLS"] }) {
  const taken: Array<string> = []
  const hello: Array<unknown> = []
  const passwords: Array<unknown> = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    ...encryption,
    onAuth: ({ password }, { secure }, callback) => {
      passwords.push(secure ? `${password} (encrypted)` : password)
      callback(null, { user: "ops" })
    },
    onMailFrom: (_address, session, callback) => {
      hello.push(session.hostNameAppearsAs)
      callback(null)
    },
    onData: (stream, { envelope, user }, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : (envelope.mailFrom?.address ?? "")
        taken.push(`${String(user ?? "anonymous")} ${from} ${envelope.rcptTo.map(({ address }) => address).join()}`)
        callback()
      })
    }
  })
  server.on("error", () => undefined)
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () => Effect.promise(() => new Promise<void>((done) => server.close(() => done())))
  )
  return { hello, passwords, port: (server.server.address() as AddressInfo).port, taken }
})

/** Makes a certificate of a host, which is its own authority. */
const certificateOf = (host: string) => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-mail-"))
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
  try {
    const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`]
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

/** Opens a socket, and records the hosts that are asked for. */
const recorded = (port: number, hosts: Array<string>) => (host: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      hosts.push(host)
      return host === "private.example"
        ? Effect.fail(new EgressRefused({ because: "the host's address is private" }))
        : Effect.sync(() => connectTo(port, "127.0.0.1"))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const mail: Mail = {
  id: "notification000000000001",
  to: { name: "", address: "ann@a.example" },
  subject: "Slipway: Deployment of shop failed",
  text: "Deployment of shop failed.\n",
  html: "<p>Deployment of shop failed.</p>\n",
  unsubscribe: null
}

const server: TeamMailServer = {
  host: "mail.team.example",
  port: 25,
  encryption: "none",
  user: null,
  from: { name: "Ops", address: "ops@team.example" },
  timeout: 3,
  clientName: "deploy.example"
}

const through = (chosen: TeamMailServer) =>
  TestClock.withLive(Effect.flatMap(NotificationMailer, (mailer) => mailer.through(chosen, mail)))

describe("notification emails", () => {
  it.effect("reach the mail server of a team only through connections that the egress rule allows", () =>
    Effect.gen(function* () {
      const { hello, port, taken } = yield* smtp()
      const hosts: Array<string> = []
      const layer = layerNotificationMailer(undefined, recorded(port, hosts))
      yield* Effect.provide(through(server), layer)
      expect([hosts, hello, taken]).toEqual([
        ["mail.team.example"],
        ["deploy.example"],
        ["anonymous ops@team.example ann@a.example"]
      ])
      const refused = yield* Effect.flip(Effect.provide(through({ ...server, host: "private.example" }), layer))
      expect(refused).toEqual(new MailRefused({ problem: "the host's address is private" }))
      expect(taken.length).toBe(1)
    })
  )

  it.effect("never send a password or an email without the encryption that the settings ask for", () =>
    Effect.gen(function* () {
      const { passwords, port, taken } = yield* smtp()
      const layer = layerNotificationMailer(undefined, recorded(port, []))
      const user = { name: "ops", password: Redacted.make("right") }
      // This server offers no encryption.
      for (const encryption of ["starttls", "tls"] as const) {
        const error = yield* Effect.flip(Effect.provide(through({ ...server, encryption, user }), layer))
        expect(error).toBeInstanceOf(MailUnsent)
        expect(JSON.stringify(error)).not.toContain("right")
      }
      expect([passwords, taken]).toEqual([[], []])
    })
  )

  for (const encryption of ["starttls", "tls"] as const) {
    it.effect(`are sent with ${encryption}, after the server has shown a trusted certificate of its host`, () =>
      Effect.gen(function* () {
        const certificate = certificateOf(server.host)
        const { passwords, port, taken } = yield* smtp({ ...certificate, secure: encryption === "tls" })
        const layer = layerNotificationMailer(undefined, recorded(port, []))
        const chosen = { ...server, encryption, user: { name: "ops", password: Redacted.make("right") } }
        const send = (to: TeamMailServer) => Effect.provide(through(to), layer)
        const untrusted = yield* Effect.flip(send(chosen))
        expect(untrusted).toBeInstanceOf(MailUnsent)
        expect(untrusted.message).toMatch(/^self-signed certificate/)
        yield* trust(certificate.cert)
        expect(yield* Effect.flip(send({ ...chosen, host: "other.example" }))).toBeInstanceOf(MailUnsent)
        expect([passwords, taken]).toEqual([[], []])
        yield* send(chosen)
        expect([passwords, taken]).toEqual([["right (encrypted)"], ["ops ops@team.example ann@a.example"]])
      })
    )
  }

  it.effect("use the instance's mail server without the egress rule, and are not sent if there is none", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtp()
      const hosts: Array<string> = []
      const own = { host: "127.0.0.1", port, encrypted: false, user: undefined }
      const sent = Effect.flatMap(NotificationMailer, ({ instance }) => instance?.(mail) ?? Effect.die("none"))
      const layer = layerNotificationMailer({ server: own, from: "Slipway <deploy@a.example>" }, recorded(port, hosts))
      yield* Effect.provide(TestClock.withLive(sent), layer)
      expect([hosts, taken]).toEqual([[], ["anonymous deploy@a.example ann@a.example"]])
      const none = Effect.map(NotificationMailer, ({ instance }) => instance)
      expect(yield* Effect.provide(none, layerNotificationMailer(undefined, recorded(port, hosts)))).toBeNull()
    })
  )
})
