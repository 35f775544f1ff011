import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer, MailRefused, MailUnsent, Transaction } from "@slipway/domain"
import { JobStore, NoticeStore } from "@slipway/domain/forge/background"
import { RepositoryStore, watches } from "@slipway/domain/forge/code"
import {
  issueSubscriptions,
  issues,
  Markdown,
  notifications,
  wantsNotificationEmail
} from "@slipway/domain/forge/collaboration"
import { BlockStore, emails, type NewUser, type User, type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Jobs } from "@slipway/forge/background"
import { layerNotificationMail, NotificationMail, writeNotificationEmail } from "@slipway/forge/collaboration"
import { gitReader, gitRepositories, gitWriter, layer as memory } from "@slipway/memory/forge"
import { at, moment, newIssueIn, newRepository, newUser, testEnv } from "@slipway/testkit/forge"
import { Context, Deferred, Effect, Layer } from "effect"

/** A mail server, and its replies to the next emails. */
interface Server {
  readonly taken: Array<Mail>
  /** The result for each address until it is removed: postponed, rejected, or a crash of the process. */
  readonly meets: Map<string, "dies" | "putOff" | "refused">
  readonly tried: Array<string>
}
class Sent extends Context.Service<Sent, Server>()("test/Sent") {}

const server = Layer.sync(Sent, () => ({ taken: [], meets: new Map(), tried: [] }))
const mailer = Layer.effect(
  Mailer,
  Effect.map(Sent, ({ meets, taken, tried }) => ({
    send: (mail) =>
      Effect.suspend((): Effect.Effect<void, MailRefused | MailUnsent> => {
        const name = mail.to.address.split("@")[0] ?? ""
        tried.push(name)
        const met = meets.get(name) ?? meets.get("all")
        if (met === "putOff") return Effect.fail(new MailUnsent({ problem: "come back later" }))
        if (met === "refused") return Effect.fail(new MailRefused({ problem: "nobody here" }))
        if (met === "dies") return Effect.die(new Error("killed"))
        taken.push(mail)
        return Effect.void
      })
  }))
)
const rendering = Layer.succeed(Markdown, { render: ({ text }) => Effect.succeed(`<p>${text}</p>`) })
const stores = Layer.mergeAll(memory, gitRepositories, gitReader, gitWriter, rendering).pipe(
  Layer.provideMerge(testEnv({ rootUrl: "https://forge.test", host: "forge.test" }))
)
const fixture = Layer.provideMerge(layerNotificationMail, Layer.provideMerge(mailer, Layer.merge(stores, server)))

const people = (from: number, count: number, facts: Partial<NewUser> = {}) =>
  Effect.flatMap(UserStore, (users) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => from + index),
      (n) => Effect.orDie(users.insert(newUser(n, { name: `u${n}`, email: `u${n}@example.com`, ...facts })))
    )
  )

/** A repository of the first user with an issue, and some watchers. */
const site = Effect.fnUntraced(function* (watchers: number) {
  const [owner] = yield* people(1, 1)
  if (owner === undefined) return yield* Effect.die(new Error("nobody is there"))
  const home = yield* (yield* RepositoryStore).insert(newRepository(1, { kind: "user", id: owner.id }))
  const issue = yield* newIssueIn(home.id, owner.id, "The door")
  const watching = yield* people(2, watchers)
  const watch = (user: Pick<User, "id">, is = true) =>
    Effect.flatMap(watches.store, (rows) =>
      Effect.orDie(rows.insert({ userId: user.id, repositoryId: home.id, watching: is, createdAt: moment(0) }))
    )
  yield* Effect.forEach(watching, (user) => watch(user))
  /** Queues the notification that the owner closed the issue. */
  const closed = Effect.gen(function* () {
    const work = {
      _tag: "Notify",
      repositoryId: home.id,
      issueId: issue.id,
      what: "closed",
      commentId: null,
      audience: "followers",
      actorId: owner.id,
      at: moment(1),
      after: 0
    } as const
    yield* (yield* Transaction).run(Effect.flatMap(JobStore, (jobs) => jobs.add(work, moment(1))))
  })
  return { closed, home, issue, owner, watch, watching }
})

const taken = Effect.map(Sent, ({ taken }) => taken.splice(0).map(({ to }) => to.address.split("@")[0]))
const tried = Effect.map(Sent, ({ tried }) => tried.splice(0))
const meets = (name: string, what: "dies" | "putOff" | "refused" | undefined) =>
  Effect.map(Sent, ({ meets }) => (what === undefined ? meets.delete(name) : meets.set(name, what)))

describe("notification emails", () => {
  it.effect("are sent once per recipient in jobs of fifty, and retried when the server is back", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(120)
      yield* closed
      yield* meets("all", "putOff")
      // One job writes the inbox, and three send emails. Each stops after three rejected emails.
      expect(yield* at(10)(Jobs.runDue)).toBe(4)
      expect((yield* tried).length).toBe(9)
      expect(yield* at(11)(Jobs.runDue)).toBe(0)
      yield* meets("all", undefined)
      expect(yield* at(60)(Jobs.runDue)).toBe(3)
      const all = yield* taken
      expect([all.length, new Set(all).size]).toEqual([120, 120])
      expect(yield* at(99_999)(Jobs.runDue)).toBe(0)
      expect((yield* (yield* NoticeStore).list({ page: 1, perPage: 9 })).total).toBe(0)
    }).pipe(Effect.provide(fixture))
  )

  it.effect("do not wait for a postponed recipient, and are not sent twice after a kill", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(5)
      yield* closed
      yield* meets("u2", "putOff")
      yield* meets("u3", "refused")
      yield* meets("u5", "dies")
      yield* at(10)(Jobs.runDue)
      expect([yield* taken, yield* tried]).toEqual([["u4"], ["u2", "u3", "u4", "u5"]])
      yield* meets("u5", undefined)
      yield* at(100)(Jobs.runDue)
      expect([yield* taken, yield* tried]).toEqual([
        ["u5", "u6"],
        ["u5", "u6", "u2"]
      ])

      // An email is dropped after three days of retries.
      yield* at(400_000)(Jobs.runDue)
      expect([yield* tried, yield* at(900_000)(Jobs.runDue)]).toEqual([["u2"], 0])
    }).pipe(Effect.provide(fixture))
  )

  it.effect("reach later recipients even if the first ones are postponed repeatedly", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(5)
      yield* closed
      for (const name of ["u2", "u3", "u4"]) yield* meets(name, "putOff")
      yield* at(10)(Jobs.runDue)
      expect([yield* taken, yield* tried]).toEqual([[], ["u2", "u3", "u4"]])
      yield* at(100)(Jobs.runDue)
      expect([yield* taken, yield* tried]).toEqual([
        ["u5", "u6"],
        ["u5", "u6", "u2", "u3", "u4"]
      ])
    }).pipe(Effect.provide(fixture))
  )

  it.effect("and inbox notifications skip users who block the actor, even after the event", () =>
    Effect.gen(function* () {
      const { closed, home, owner, watching } = yield* site(3)
      const [first, second] = watching
      if (!first || !second) throw new Error("too few")
      const { add } = yield* BlockStore
      yield* add({ blocker: first.id, blocked: owner.id, note: "" })
      yield* closed
      yield* meets("all", "putOff")
      yield* at(10)(Jobs.runDue)
      expect(yield* tried).toEqual(["u3", "u4"])
      const told = yield* notifications.store
      const filter = { filter: { repositoryId: home.id } }
      const of = (userId: UserId) => Effect.map(told.list({ userId }, { limit: 9 }, filter), ({ rows }) => rows.length)
      expect([yield* of(first.id), yield* of(second.id)]).toEqual([0, 1])
      yield* meets("all", undefined)
      yield* add({ blocker: second.id, blocked: owner.id, note: "" })
      yield* at(100)(Jobs.runDue)
      expect(yield* taken).toEqual(["u4"])
    }).pipe(Effect.provide(fixture))
  )

  it.effect("are queued once by a process that was killed before it finished the job", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(250)
      yield* closed
      const jobs = yield* JobStore
      // The process is killed after the commit, so the job remains.
      const killed = { ...jobs, finish: () => Effect.void }
      yield* at(10)(Effect.provideService(Jobs.runDue, JobStore, killed))
      yield* taken
      yield* at(100)(Jobs.runDue)
      const all = yield* Effect.map(Sent, ({ tried }) => tried)
      expect([all.length, new Set(all).size]).toEqual([250, 250])
      expect(yield* at(9_999)(Jobs.runDue)).toBe(0)
    }).pipe(Effect.provide(fixture))
  )

  it.effect("are no longer sent by a process when another process has taken the job", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(3)
      yield* closed
      yield* meets("all", "putOff")
      yield* at(10)(Jobs.runDue)
      yield* tried
      yield* meets("all", undefined)
      const jobs = yield* JobStore
      const stalled = yield* jobs.take({ dueBy: moment(1_000), lane: "notifications" }, moment(1_000))
      const other = yield* jobs.take({ dueBy: moment(1_000), lane: "notifications" }, moment(2_000))
      if (stalled?.work._tag !== "SendNotificationEmails" || other?.work._tag !== "SendNotificationEmails")
        throw new Error("no emails wait")
      const { deliver } = yield* NotificationMail
      expect(yield* deliver({ ...stalled, work: stalled.work })).toBeUndefined()
      expect(yield* taken).toEqual(["u2"])
      expect(yield* deliver({ ...other, work: other.work })).toBe(true)
      expect(yield* taken).toEqual(["u2", "u3", "u4"])
    }).pipe(Effect.provide(fixture))
  )

  it.effect("I7, I8: are authorized again when they are sent (CVE-2026-0798, CVE-2026-58510)", () =>
    Effect.gen(function* () {
      const { closed, home, issue, watching } = yield* site(9)
      const [users, repositories] = [yield* UserStore, yield* RepositoryStore]
      const again = Effect.gen(function* () {
        yield* meets("all", "putOff")
        yield* closed
        yield* at(10)(Jobs.runDue)
        yield* meets("all", undefined)
        yield* tried
      })
      yield* again
      const [, off, barred, quiet, unheard, unproved, only] = watching
      if (!off || !barred || !quiet || !unheard || !unproved || !only) throw new Error("too few")
      yield* users.replace({ ...off, active: false })
      yield* users.replace({ ...barred, prohibited: true })
      yield* users.replace({ ...quiet, emailNotifications: "disabled" })
      const subscription = { issueId: issue.id, userId: unheard.id, subscribed: false, createdAt: moment(2) }
      yield* Effect.orDie((yield* issueSubscriptions.store).insert(subscription))
      const own = yield* (yield* emails.store).findBy("primary", { primaryOf: unproved.id })
      yield* Effect.orDie((yield* emails.store).patch({ userId: unproved.id }, own?.id ?? 0, { verified: false }))
      yield* users.replace({ ...only, emailNotifications: "onmention" })
      yield* at(100)(Jobs.runDue)
      expect([yield* taken, yield* at(9_999)(Jobs.runDue)]).toEqual([["u9", "u10", "u2"], 0])

      yield* again
      yield* repositories.replace({ ...home, private: true })
      yield* at(20_000)(Jobs.runDue)
      expect([yield* tried, yield* at(29_999)(Jobs.runDue)]).toEqual([[], 0])

      yield* repositories.replace({ ...home, private: false })
      yield* again
      yield* (yield* issues.store).remove({ repositoryId: home.id }, issue.id)
      yield* at(40_000)(Jobs.runDue)
      expect([yield* tried, yield* at(49_999)(Jobs.runDue)]).toEqual([[], 0])
    }).pipe(Effect.provide(fixture))
  )

  it.live("delay no other jobs when the mail server hangs", () =>
    Effect.gen(function* () {
      const { closed, home } = yield* site(1)
      const reached = yield* Deferred.make<void>()
      const hanging = Layer.succeed(Mailer, {
        send: () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      })
      yield* closed
      yield* Effect.forkScoped(Effect.provide(Jobs.worker("1 milli"), Layer.provide(layerNotificationMail, hanging)))
      yield* Deferred.await(reached)
      const { add, take } = yield* JobStore
      // Account emails do not wait for notification emails either.
      const others = [
        { _tag: "RemoveGit", repositoryId: home.id } as const,
        { _tag: "SendMail", id: "a", sealed: "b" } as const
      ]
      for (const work of others) {
        const { id } = yield* add(work, moment(1))
        const present = Effect.map(take({ id }, moment(1)), (job) => job !== undefined)
        yield* Effect.repeat(Effect.delay(present, "1 milli"), { while: (isThere) => isThere })
      }
    }).pipe(Effect.provide(stores), Effect.timeout("5 seconds"))
  )

  it.effect("are not queued while mail is off", () =>
    Effect.gen(function* () {
      const { closed } = yield* site(3)
      yield* closed
      expect(yield* at(10)(Jobs.runDue)).toBe(1)
    }).pipe(Effect.provide(stores))
  )
})

describe("the choice of notification emails", () => {
  it("depends on the preference of the user and on the reason of the notification", () => {
    const ties = [
      { because: "subscribed", personal: false },
      { because: "mention", personal: true },
      { because: "your_activity", personal: true }
    ] as const
    expect(
      (["enabled", "onmention", "andyourown", "disabled"] as const).map((each) =>
        ties.map((tie) => wantsNotificationEmail(each, tie))
      )
    ).toEqual([
      [true, true, false],
      [false, true, false],
      [true, true, true],
      [false, false, false]
    ])
  })
})

describe("a notification email", () => {
  it("shows a full name only to readers who may see the user, and names a release by its tag", () => {
    const user = (n: number, facts: Partial<User> = {}): User => ({
      ...newUser(n),
      id: n as User["id"],
      avatar: null,
      secondFactor: false,
      lastSignInAt: null,
      ...facts
    })
    const home = {
      ...newRepository(1, { kind: "user", id: 1 as User["id"] }),
      id: 1 as never,
      owner: { kind: "user", id: 1 as never, name: "ann", visibility: "public" }
    }
    const letter = (reader: User, actor: User | undefined) =>
      writeNotificationEmail(
        {
          site: { host: "forge.test", rootUrl: "https://forge.test", title: "Forge" },
          repository: home as never,
          subject: {
            _tag: "Release",
            release: { id: 7 as never, tag: "v/1", title: "One\r\nX: y", body: "" } as never
          },
          what: "published",
          at: moment(1),
          actor,
          said: { text: "", anchor: "" },
          html: ""
        },
        { user: reader, because: "subscribed", unsubscribe: "https://forge.test/x" }
      )
    const cat = user(3, { name: "cat", fullName: "Catherine", visibility: "private" })
    expect(letter(user(2), cat).by).toBe("cat")
    expect(letter(user(2, { admin: true }), cat).by).toBe("Catherine (cat)")
    const { id, inReplyTo, subject, text } = letter(user(2), undefined)
    expect([id, inReplyTo, subject]).toEqual(["release-7", undefined, "[ann/repository-1] One X: y (v/1)"])
    expect(text).toContain("Forge published the release One X: y.")
    expect(text).toContain("https://forge.test/ann/repository-1/releases/tag/v/1")
  })
})
