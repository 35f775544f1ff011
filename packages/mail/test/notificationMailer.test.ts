import { type AddressInfo, connect as connectTo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { type Mail, MailRefused, MailUnsent } from "@slipway/domain"
import { EgressRefused, NotificationMailer, type TeamMailServer } from "@slipway/domain/deploy/infrastructure"
import { layerNotificationMailer } from "@slipway/mail"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SMTPServer } from "smtp-server"

/** Runs a mail server with accounts while the scope is open. */
const smtp = Effect.gen(function* () {
  const taken: Array<string> = []
  const hello: Array<unknown> = []
  const passwords: Array<unknown> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) => {
      passwords.push(password)
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
      const { hello, port, taken } = yield* smtp
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
      const { passwords, port, taken } = yield* smtp
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

  it.effect("use the instance's mail server without the egress rule, and are not sent if there is none", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtp
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
