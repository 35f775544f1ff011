import { type AddressInfo, createServer, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer, Transaction, Vault } from "@slipway/domain"
import { WorkflowReader } from "@slipway/domain/forge/automation"
import { JobStore, NoticeStore } from "@slipway/domain/forge/background"
import { SiteSettings } from "@slipway/domain/forge/base"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { Markdown, Recognition } from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import { type UserId, UserStore } from "@slipway/domain/forge/identity"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Jobs } from "@slipway/forge/background"
import { Mails } from "@slipway/forge/base"
import { EmailSubscriptions, layerNotificationMail } from "@slipway/forge/collaboration"
import { layerMailer, readMailServer } from "@slipway/mail"
import { gitReader, gitRepositories, gitWriter, layer as memory } from "@slipway/memory/forge"
import { newIssueIn, newRepository, newUser } from "@slipway/testkit/forge"
import { Effect, Fiber, Layer, Redacted, Result } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { SMTPServer } from "smtp-server"

interface Taken {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
}

/** Runs a server while the scope is open; `refusals` are its replies to the next recipients. */
const smtp = Effect.gen(function* () {
  const taken: Array<Taken> = []
  const refusals: Array<number> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onMailFrom: ({ address }, _session, callback) =>
      callback(address.startsWith("nobody@") ? Object.assign(new Error("sign in"), { responseCode: 530 }) : null),
    onRcptTo: (_address, _session, callback) => {
      const code = refusals.shift()
      callback(code === undefined ? null : Object.assign(new Error("refused"), { responseCode: code }))
    },
    onData: (stream, session, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? "" : (mailFrom?.address ?? "")
        taken.push({ from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
        callback()
      })
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () => Effect.promise(() => new Promise<void>((done) => server.close(() => done())))
  )
  const { port } = server.server.address() as AddressInfo
  const mailer = layerMailer(
    { host: "127.0.0.1", port, encrypted: false, user: undefined },
    "Slipway <forge@a.example>"
  )
  return { mailer, port, refusals, taken }
})

/** Runs a server with a single reply while the scope is open. */
const greeting = Effect.fnUntraced(function* (words: string) {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined))
    socket.write(words)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () =>
      Effect.promise(() => {
        for (const socket of sockets) socket.destroy()
        return new Promise<void>((done) => void server.close(() => done()))
      })
  )
  const { port } = server.address() as AddressInfo
  return layerMailer({ host: "127.0.0.1", port, encrypted: false, user: undefined }, "a@a.example")
})

const mail: Mail = {
  id: "0123456789abcdef",
  to: { name: "Ann", address: "ann@b.example" },
  subject: "Issue 7",
  text: "Plain text\n",
  html: "<p>HTML text</p>\n",
  unsubscribe: null
}

/** Sends emails with the clock of the machine, which sockets need. */
const send = (letter: Mail) => TestClock.withLive(Effect.flatMap(Mailer, (mailer) => mailer.send(letter)))

const headersOf = (raw: string) =>
  raw
    .slice(0, raw.indexOf("\r\n\r\n"))
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")

describe("Mailer", () => {
  it.effect("send an email as text and as HTML to its recipient", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      yield* Effect.provide(send(mail), mailer)
      expect(taken.map(({ from, to }) => [from, ...to])).toEqual([["forge@a.example", "ann@b.example"]])
      const raw = taken[0]?.raw ?? ""
      const headers = headersOf(raw)
      expect(headers).toContain("From: Slipway <forge@a.example>")
      expect(headers).toContain("To: Ann <ann@b.example>")
      expect(headers).toContain("Subject: Issue 7")
      expect(headers).toContain("Message-ID: <0123456789abcdef@a.example>")
      expect(headers).toContain("Auto-Submitted: auto-generated")
      expect(raw).toContain("Content-Type: text/plain; charset=utf-8")
      expect(raw).toContain("Plain text")
      expect(raw).toContain("Content-Type: text/html; charset=utf-8")
      expect(raw).toContain("<p>HTML text</p>")
      expect(headers.join("\n")).not.toContain("List-Unsubscribe")
    })
  )

  it.effect("add the one-click unsubscribe header when the email has one", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      yield* Effect.provide(send({ ...mail, unsubscribe: "https://a.example/unsubscribe?t=x" }), mailer)
      const headers = headersOf(taken[0]?.raw ?? "")
      expect(headers).toContain("List-Unsubscribe: <https://a.example/unsubscribe?t=x>")
      expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    })
  )

  it.effect("thread a conversation, and show the author's name with the address of the site", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      const headers = { "X-Gitea-Reason": "mention", Precedence: "list" }
      yield* Effect.provide(send({ ...mail, by: "Bob, of C", inReplyTo: "issue-7", headers }), mailer)
      const found = headersOf(taken[0]?.raw ?? "")
      expect(taken[0]?.from).toBe("forge@a.example")
      expect(found).toContain('From: "Bob, of C" <forge@a.example>')
      expect(found).toContain("In-Reply-To: <issue-7@a.example>")
      expect(found).toContain("References: <issue-7@a.example>")
      expect(found).toContain("X-Gitea-Reason: mention")
      expect(found).toContain("Precedence: list")
    })
  )

  it.effect("keep the content of an email out of its headers", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      const evil = "x\r\nBcc: evil@c.example\r\n\r\nbody"
      yield* Effect.provide(
        send({
          ...mail,
          subject: evil,
          by: evil,
          to: { name: evil, address: "ann@b.example" },
          headers: { "List-ID": evil, "X-Gitea-Sender": evil },
          text: "\r\n.\r\nQUIT\r\n"
        }),
        mailer
      )
      expect(taken.map(({ to }) => to)).toEqual([["ann@b.example"]])
      expect(headersOf(taken[0]?.raw ?? "").filter((each) => /^bcc/i.test(each))).toEqual([])
    })
  )

  it.effect("encode subjects that look like encoded words, so that readers see the original text", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      const subjects = [
        "[a/b] =?utf-8?B?aGVsbG8=?= (#1)",
        `=?iso-8859-1?Q?=41?= ${"döör 🚪 ".repeat(20)}end`,
        "=?utf-8?Q?a\r\nBcc: evil@c.example?="
      ]
      for (const subject of subjects) yield* Effect.provide(send({ ...mail, subject }), mailer)
      const decoded = taken.map(({ raw }) => {
        const header = headersOf(raw).find((each) => each.startsWith("Subject: ")) ?? ""
        const words = header.slice("Subject: ".length).split(" ")
        expect(words.filter((word) => !/^=\?UTF-8\?B\?[A-Za-z0-9+/=]{1,60}\?=$/.test(word))).toEqual([])
        return words.map((word) => Buffer.from(word.slice("=?UTF-8?B?".length, -2), "base64").toString()).join("")
      })
      expect(decoded).toEqual([subjects[0], subjects[1], "=?utf-8?Q?a Bcc: evil@c.example?="])
      expect(taken.flatMap(({ raw }) => headersOf(raw).filter((each) => /^bcc/i.test(each)))).toEqual([])
    })
  )

  it.effect("remove encoded words from display names", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      const name = "=?utf-8?B?aGVsbG8=?="
      yield* Effect.provide(send({ ...mail, by: name, to: { name, address: "ann@b.example" } }), mailer)
      const headers = headersOf(taken[0]?.raw ?? "")
      expect(headers).toContain('From: "= ?utf-8?B?aGVsbG8= ?=" <forge@a.example>')
      expect(headers).toContain('To: "= ?utf-8?B?aGVsbG8= ?=" <ann@b.example>')
    })
  )

  it.effect("distinguish permanent rejections from temporary failures", () =>
    Effect.gen(function* () {
      const { mailer, port, refusals, taken } = yield* smtp
      const tagAfter = (code: number) => {
        refusals.push(code)
        return Effect.map(Effect.flip(Effect.provide(send(mail), mailer)), ({ _tag }) => _tag)
      }
      expect(yield* tagAfter(550)).toBe("MailRefused")
      expect(yield* tagAfter(451)).toBe("MailUnsent")
      expect(taken).toEqual([])
      const nowhere = layerMailer({ host: "127.0.0.1", port: 1, encrypted: false, user: undefined }, "a@a.example")
      expect((yield* Effect.flip(Effect.provide(send(mail), nowhere)))._tag).toBe("MailUnsent")
      // The operator fixes a missing permission to send, so no email is dropped.
      const unknown = layerMailer({ host: "127.0.0.1", port, encrypted: false, user: undefined }, "nobody@a.example")
      expect((yield* Effect.flip(Effect.provide(send(mail), unknown)))._tag).toBe("MailUnsent")
    })
  )

  it.effect("treat a server that never finishes as a temporary failure, and report little of its output", () =>
    Effect.gen(function* () {
      const endless = yield* greeting("220-wait\r\n")
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const sending = yield* Effect.forkChild(Effect.flip(mailer.send(mail)), { startImmediately: true })
        yield* TestClock.adjust("2 minutes")
        const { _tag, problem } = yield* Fiber.join(sending)
        expect([_tag, problem]).toEqual(["MailUnsent", "the server took longer than two minutes"])
      }).pipe(Effect.provide(endless))
      const talkative = yield* greeting(`554 no\u001b[2J${"x".repeat(9_999)}\r\n`)
      const { problem } = yield* Effect.flip(Effect.provide(send(mail), talkative))
      expect([problem.length <= 300, /\p{Cc}/u.test(problem)]).toEqual([true, false])
    })
  )
})

const cryptography = Layer.mergeAll(
  Digest.layerWebCrypto,
  Aead.layerWebCrypto.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
)
const fixture = Layer.mergeAll(
  memory,
  gitRepositories,
  gitReader,
  gitWriter,
  SiteSettings.layer(),
  Layer.succeed(WorkflowReader, { read: () => Effect.succeed({ because: "nothing is read here" }) }),
  Layer.succeed(Recognition, {
    languages: Effect.succeed(() => undefined),
    license: () => undefined,
    editorSettings: () => Effect.succeed({}),
    issueTemplate: () => Effect.succeed(undefined),
    issueConfig: () => Effect.succeed(undefined)
  }),
  Vault.layer(Redacted.make(new Uint8Array(32).fill(7)))
).pipe(Layer.provideMerge(cryptography))

const content = {
  subject: "Reset\nyour password",
  paragraphs: ["Somebody <asked>"],
  action: { label: "Reset", address: "https://a.example/reset?token=s3cret&x=1" },
  reason: "You have an account."
}
const asked = Effect.flatMap(Transaction, ({ run }) =>
  Effect.map(run(Mails.send([{ to: mail.to, content }])), ([job]) => job)
)
/** Runs the due jobs, with the clock of the machine for sockets. */
const deliveryBy = (mailer: Layer.Layer<Mailer>) => Layer.provide(Mails.layerDelivery, mailer)

describe("the mail queue", () => {
  it.effect("stays empty while mail is off", () =>
    Effect.gen(function* () {
      expect(yield* asked).toBeUndefined()
      expect(yield* Jobs.runDue).toBe(0)
    }).pipe(Effect.provide(fixture))
  )

  it.live("encrypts queued emails, retries temporary failures, and drops emails that the server rejects", () =>
    Effect.gen(function* () {
      const { mailer, refusals, taken } = yield* smtp
      yield* Effect.gen(function* () {
        refusals.push(451, 550)
        const waiting = yield* asked
        expect(JSON.stringify(waiting?.work)).not.toMatch(/s3cret|ann@/)
        yield* Jobs.runNow(waiting)
        expect(taken).toEqual([])
        // The first is postponed and accepted at the retry; the second is rejected permanently.
        const kept = yield* (yield* JobStore).take({ id: waiting?.id ?? 0 }, "2020-01-01T00:00:00.000Z")
        expect(kept?.attempts).toBe(2)
        const refused = yield* asked
        yield* Jobs.runNow(refused)
        expect(yield* (yield* JobStore).take({ id: refused?.id ?? 0 }, "2020-01-01T00:00:00.000Z")).toBeUndefined()
        yield* Jobs.runDue
        expect(taken.map(({ to }) => to)).toEqual([["ann@b.example"]])
        expect(headersOf(taken[0]?.raw ?? "")).toContain("Subject: Reset your password")
        expect(taken[0]?.raw).toContain("Somebody &lt;asked&gt;")
        expect(yield* Jobs.runDue).toBe(0)
        expect((yield* (yield* NoticeStore).list({ page: 1, perPage: 9 })).total).toBe(0)
      }).pipe(Effect.provide(Layer.provideMerge(deliveryBy(mailer), fixture)))
    })
  )

  it.effect("is off by default", () =>
    Effect.gen(function* () {
      expect((yield* MailDelivery).on).toBe(false)
    })
  )
})

const rendering = Layer.succeed(Markdown, { render: ({ text }) => Effect.succeed(`<p>${text}</p>`) })

describe("notification emails", () => {
  it.live("form a thread, name the author, and stop after the unsubscribe link is used", () =>
    Effect.gen(function* () {
      const { mailer, taken } = yield* smtp
      const site = SiteSettings.layer({ rootUrl: "https://forge.test", host: "forge.test" })
      const stores = Layer.mergeAll(fixture, site, rendering)
      const news = Layer.provide(layerNotificationMail, stores)
      yield* Effect.gen(function* () {
        const ann = yield* (yield* UserStore).insert(newUser(1, { email: "ann@b.example" }))
        const bob = yield* (yield* UserStore).insert(
          newUser(2, { name: "bob", fullName: 'Bob\r\nBcc: "x" <e@c.example>' })
        )
        const own = { kind: "user", id: bob.id } as const
        const home = yield* (yield* RepositoryStore).insert(newRepository(1, own, { name: "site" }))
        const title = "Tür\r\nBcc: evil@c.example"
        const issue = yield* newIssueIn(home.id, ann.id, title, { body: "It **squeaks**" })
        const at = "2026-01-01T00:00:00.000Z"
        const told = Effect.gen(function* () {
          const work = {
            _tag: "Notify",
            repositoryId: home.id,
            issueId: issue.id,
            what: "closed",
            commentId: null,
            audience: "followers",
            actorId: bob.id,
            at,
            after: 0
          } as const
          const { run } = yield* Transaction
          yield* run(Effect.flatMap(JobStore, (jobs) => jobs.add(work, at)))
          yield* Jobs.runDue
        })
        yield* told
        const [letter] = taken
        expect([letter?.from, letter?.to]).toEqual(["forge@a.example", ["ann@b.example"]])
        const headers = headersOf(letter?.raw ?? "")
        expect(headers.filter((each) => /^bcc/i.test(each))).toEqual([])
        const named = (name: string) =>
          headers.find((each) => each.toLowerCase().startsWith(`${name}: `.toLowerCase()))?.slice(name.length + 2)
        expect(named("From")).toBe('"Bob Bcc: \\"x\\" <e@c.example> (bob)" <forge@a.example>')
        expect(named("Message-ID")).toBe(`<issue-${issue.id}-closed-20260101000000000@a.example>`)
        expect(named("In-Reply-To")).toBe(`<issue-${issue.id}@a.example>`)
        expect(named("References")).toBe(`<issue-${issue.id}@a.example>`)
        expect(named("List-ID")).toBe("bob/site <site.bob.forge.test>")
        expect(named("List-Archive")).toBe("<https://forge.test/bob/site>")
        expect(named("Precedence")).toBe("list")
        expect(named("Auto-Submitted")).toBe("auto-generated")
        expect([named("X-Gitea-Reason"), named("X-GitHub-Reason")]).toEqual(["author", "author"])
        const [, token = ""] =
          headers
            .map((each) =>
              /^List-Unsubscribe: <https:\/\/forge\.test\/notifications\/unsubscribe\/([\w-]+)>$/.exec(each)
            )
            .find((each) => each !== null) ?? []
        expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
        expect(token).not.toBe("")
        // The quoted-printable text wraps its lines; its link opens the same page.
        expect((letter?.raw ?? "").replaceAll(/=\r\n/g, "")).toContain(`Unsubscribe: https://forge.test`)
        const from = { address: NetAddress.ipFromStringUnsafe("192.0.2.1"), forwardedFor: undefined }
        expect(yield* EmailSubscriptions.unsubscribe(`${token}x`, from)).toBe(false)
        expect(yield* EmailSubscriptions.unsubscribe(token, from)).toBe(true)
        expect(yield* EmailSubscriptions.unsubscribe(token, from)).toBe(true)
        yield* told
        expect(taken.length).toBe(1)
        const { rows } = yield* (yield* EventStore).audit({}, { page: 1, perPage: 9 })
        expect(rows.map(({ action, actor, address }) => [action, actor?.name, address])).toEqual([
          ["issue.subscription.remove", ann.name, "192.0.2.1"]
        ])
      }).pipe(
        Effect.provide(
          Layer.provideMerge(Layer.provide(Layer.merge(Mails.layerDelivery, news), Layer.merge(mailer, stores)), stores)
        )
      )
    })
  )
})

describe("unsubscribe tokens", () => {
  it.effect("reveal their user and subject to the server only, and cannot be forged", () =>
    Effect.gen(function* () {
      const subscription = { userId: 7 as UserId, about: "issue:12" }
      const token = yield* Mails.unsubscribeToken(subscription)
      expect(token).toMatch(/^[\w-]+$/)
      expect(yield* Mails.readUnsubscribeToken(token)).toEqual(subscription)
      const altered = (token.startsWith("A") ? "B" : "A") + token.slice(1)
      for (const each of [altered, token.slice(0, -4), "", "x", `${token}=`, "a".repeat(100_000)]) {
        expect(yield* Mails.readUnsubscribeToken(each)).toBeUndefined()
      }
    }).pipe(Effect.provide(fixture))
  )
})

describe("the address of a mail server", () => {
  it("has a host, an optional port and an optional user", () => {
    const read = (text: string) => Result.getOrThrow(readMailServer(text))
    expect(read("smtp://a.example")).toEqual({ host: "a.example", port: 587, encrypted: false, user: undefined })
    expect(read("smtps://a.example")).toMatchObject({ port: 465, encrypted: true })
    expect(read("smtp://[::1]:25")).toMatchObject({ host: "::1", port: 25 })
    const { user } = read("smtp://ann%40b:p%2Fw@a.example:2525")
    expect([user?.name, user && Redacted.value(user.password)]).toEqual(["ann@b", "p/w"])
  })

  it.each([
    "",
    "a.example",
    "http://a.example",
    "smtp://",
    "smtp://ann@a.example",
    "smtp://a.example/x",
    "smtp://ann:hidden@a.example?x=1"
  ])("is rejected in any other form: %s", (text) => {
    const problem = Result.getOrThrow(Result.flip(readMailServer(text)))
    expect(problem).toMatch(/^must be smtp:/)
    expect(problem).not.toContain("hidden")
  })
})
