import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer, MailUnsent } from "@slipway/domain"
import { JobStore } from "@slipway/domain/forge/background"
import { Jobs } from "@slipway/forge/background"
import { Mails } from "@slipway/forge/base"
import { layerNotificationMail, Releases } from "@slipway/forge/collaboration"
import { Entry } from "@slipway/forge/entry"
import { Effect, Layer } from "effect"
import { NetAddress } from "effect/net"
import { basic, rootUrl, start } from "../support/harness.ts"
import { commitTo } from "../support/repositories.ts"

const as = (name: string) => ({ headers: basic(name) })
const at = "/repos/bob/site"

/** Bob's repository, which he watches, on a site with mail; the server rejects addresses in `refuse` temporarily. */
const site = Effect.gen(function* () {
  const sent: Array<Mail> = []
  const putOff = new Set<string>()
  const tried: Array<string> = []
  const mailer = Layer.succeed(Mailer, {
    send: (mail) =>
      Effect.suspend(() => {
        tried.push(mail.to.address)
        if (putOff.has(mail.to.address) || putOff.has("all")) return Effect.fail(new MailUnsent({ problem: "later" }))
        sent.push(mail)
        return Effect.void
      })
  })
  const api = yield* start({
    outside: Layer.provide(Layer.merge(Mails.layerDelivery, layerNotificationMail), mailer),
    site: { rootUrl }
  })
  for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "site" } })
  yield* api.ask(204, "PUT", `${at}/collaborators/cat`, { ...as("bob"), body: { permission: "write" } })
  const open = (who: string, title: string, body = "") =>
    api.ask(201, "POST", `${at}/issues`, { ...as(who), body: { title, body } })
  const comment = (who: string, body: string, issue = 1) =>
    api.ask(201, "POST", `${at}/issues/${issue}/comments`, { ...as(who), body: { body } })
  const wants = (who: string, email_notifications_preference: string) =>
    api.ask(200, "PATCH", "/user/settings", { ...as(who), body: { email_notifications_preference } })
  /** Runs due jobs, and returns the sent emails. */
  const letters = Effect.map(api.within(Jobs.runDue), () => sent.splice(0))
  const to = Effect.map(letters, (all) => all.map(({ to }) => to.address.split("@")[0]))
  const why = Effect.map(letters, (all) =>
    all.map(({ headers, to }) => [to.address.split("@")[0], headers?.["X-Gitea-Reason"]])
  )
  return { api, comment, letters, open, putOff, sent, to, tried, wants, why }
})

describe("notification emails", () => {
  it.live("go to the notified users, with the event, the actor and the reason", () =>
    Effect.gen(function* () {
      const { api, comment, letters, open, why } = yield* site
      yield* open(
        "cat",
        "The <door>\u2028 squeaks",
        "See [it](docs/a.md) ![p](//t.example/p) ![q](https://t.example/q) <script>alert(1)</script> @eve\n\n**Now**"
      )
      const [first, second] = yield* letters
      expect(first).toMatchObject({
        to: { name: "bob", address: "bob@example.com" },
        by: "cat",
        subject: "[bob/site] The <door> squeaks (#1)"
      })
      expect(first?.inReplyTo).toBeUndefined()
      expect(first?.headers).toEqual({
        "List-ID": "bob/site <site.bob.forge.test>",
        "List-Archive": `<${rootUrl}/bob/site>`,
        Precedence: "list",
        "X-Gitea-Reason": "subscribed",
        "X-Gitea-Sender": "cat",
        "X-Gitea-Recipient": "bob",
        "X-Gitea-Repository": "site",
        "X-Gitea-Repository-Path": "bob/site",
        "X-Gitea-Repository-Link": `${rootUrl}/bob/site`,
        "X-Gitea-Issue-ID": "1",
        "X-Gitea-Issue-Link": `${rootUrl}/bob/site/issues/1`,
        "X-Forgejo-Reason": "subscribed",
        "X-GitHub-Reason": "subscribed",
        "X-GitHub-Sender": "cat",
        "X-GitHub-Recipient": "bob",
        "X-GitLab-NotificationReason": "subscribed"
      })
      expect(first?.text.split("\n")[0]).toBe("cat opened issue #1.")
      expect(first?.text).toContain("**Now**")
      expect(first?.text).toContain(`Read it: ${rootUrl}/bob/site/issues/1\n`)
      expect(first?.text).toContain("You receive this email because you watch bob/site.")
      expect(first?.html).toContain(`href="${rootUrl}/bob/site/docs/a.md"`)
      expect(first?.html).toContain("<strong>Now</strong>")
      expect(first?.html).not.toContain("<script")
      // The author can't track who opened the email: images become links.
      expect(first?.html).toContain('<a href="https://t.example/q" rel="nofollow">q</a>')
      expect(first?.html).not.toContain("<img")
      expect([second?.to.address, second?.headers?.["X-Gitea-Reason"], second?.id]).toEqual([
        "eve@example.com",
        "mention",
        first?.id
      ])
      const said = yield* comment("eve", "It *is* open")
      const all = yield* letters
      expect(all.map(({ inReplyTo, subject, to }) => [to.address, subject, inReplyTo])).toEqual(
        ["bob", "cat"].map((name) => [`${name}@example.com`, "Re: [bob/site] The <door> squeaks (#1)", first?.id])
      )
      expect(all[0]?.id).toBe(`${first?.id}-issuecomment-${said.id}`)
      expect(all[0]?.text).toContain(`${rootUrl}/bob/site/issues/1#issuecomment-${said.id}`)
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...as("bob"), body: { state: "closed" } })
      expect(yield* why).toEqual([
        ["cat", "author"],
        ["eve", "mention"]
      ])
      // Closing a closed issue sends nothing.
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...as("bob"), body: { state: "closed" } })
      expect(yield* why).toEqual([])
      const assign = (...assignees: ReadonlyArray<string>) =>
        api.ask(201, "POST", `${at}/issues/1/assignees`, { ...as("bob"), body: { assignees } })
      yield* assign("cat")
      const [assigned] = yield* letters
      expect([assigned?.to.address, assigned?.headers?.["X-Gitea-Reason"], assigned?.text.split("\n")[0]]).toEqual([
        "cat@example.com",
        "assign",
        "bob assigned issue #1 to you."
      ])
      // A user who is already assigned gets no second email.
      yield* assign("cat", "bob")
      expect(yield* why).toEqual([])
    })
  )

  it.live("follow the preference in each user's settings", () =>
    Effect.gen(function* () {
      const { api, comment, open, to, wants } = yield* site
      expect(yield* api.ask(200, "GET", "/user/settings", as("bob"))).toMatchObject({
        email_notifications_preference: "enabled"
      })
      expect(yield* wants("bob", "onmention")).toMatchObject({ email_notifications_preference: "onmention" })
      yield* api.ask(422, "PATCH", "/user/settings", {
        ...as("bob"),
        body: { email_notifications_preference: "sometimes" }
      })
      yield* open("cat", "The door", "It squeaks")
      expect(yield* to).toEqual([])
      // An assignee of a new issue gets the direct email too.
      yield* api.ask(201, "POST", `${at}/issues`, { ...as("cat"), body: { title: "For you", assignees: ["bob"] } })
      expect(yield* to).toEqual(["bob"])
      yield* comment("cat", "@bob?")
      expect(yield* to).toEqual(["bob"])
      yield* comment("cat", "Well")
      expect(yield* to).toEqual([])
      yield* wants("cat", "andyourown")
      yield* comment("cat", "I see")
      expect(yield* to).toEqual(["cat"])
      yield* comment("bob", "No")
      expect(yield* to).toEqual(["cat"])
      yield* wants("cat", "disabled")
      yield* comment("bob", "@cat, no")
      expect(yield* to).toEqual([])
      // Notifications on the site exist in any case, except for the user's own actions.
      expect((yield* api.ask(200, "GET", "/notifications/new", as("cat"))).new).toBe(1)
      expect((yield* api.ask(200, "GET", "/notifications/new", as("bob"))).new).toBe(2)
    })
  )
  it.live(
    "I7, I8: are withheld if access ends or the repository becomes private while the email waits (CVE-2026-0798)",
    () =>
      Effect.gen(function* () {
        const { api, comment, open, putOff, to, tried } = yield* site
        yield* open("eve", "The door", "@cat")
        yield* comment("bob", "Yes")
        yield* to
        /** Makes the waiting emails due. */
        const later = api.within(
          Effect.gen(function* () {
            putOff.clear()
            const jobs = yield* JobStore
            yield* jobs.take({ dueBy: "2100-01-01T00:00:00.000Z", lane: "notifications" }, "2020-01-01T00:00:00.000Z")
          })
        )
        putOff.add("all")
        yield* comment("bob", "A secret")
        expect([yield* to, tried.splice(0).includes("eve@example.com")]).toEqual([[], true])
        yield* api.ask(200, "PATCH", at, { ...as("bob"), body: { private: true } })
        yield* later
        expect(yield* to).toEqual(["cat"])
        expect(tried.splice(0)).toEqual(["cat@example.com"])
        putOff.add("all")
        yield* comment("bob", "Another secret")
        yield* to
        yield* api.ask(204, "DELETE", `${at}/collaborators/cat`, as("bob"))
        tried.splice(0)
        yield* later
        expect([yield* to, tried]).toEqual([[], []])
      })
  )

  it.live("have an unsubscribe link, which applies to one conversation", () =>
    Effect.gen(function* () {
      const { api, comment, letters, open, to } = yield* site
      yield* api.ask(200, "PUT", `${at}/subscription`, as("eve"))
      yield* open("bob", "One")
      yield* open("bob", "Two")
      const [first] = yield* letters
      const end = Effect.map(
        api.fetch("POST", (first?.unsubscribe ?? "").slice(rootUrl.length), {
          raw: "List-Unsubscribe=One-Click",
          headers: { "content-type": "application/x-www-form-urlencoded" }
        }),
        ({ status }) => status
      )
      expect([first?.to.address, first?.subject]).toEqual(["eve@example.com", "[bob/site] One (#1)"])
      expect([yield* end, yield* end]).toEqual([200, 200])
      yield* comment("bob", "Well", 1)
      expect(yield* to).toEqual([])
      yield* comment("bob", "Well", 2)
      expect(yield* to).toEqual(["eve"])
    })
  )

  it.live("announce each release to watchers once, but no drafts and prereleases", () =>
    Effect.gen(function* () {
      const { api, letters, to } = yield* site
      yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "app", auto_init: true } })
      for (const who of ["cat", "eve"]) yield* api.ask(200, "PUT", "/repos/bob/app/subscription", as(who))
      const release = (tag_name: string, more: object = {}) =>
        api.ask(201, "POST", "/repos/bob/app/releases", { ...as("bob"), body: { tag_name, ...more } })
      const edit = (id: number, body: object) =>
        api.ask(200, "PATCH", `/repos/bob/app/releases/${id}`, { ...as("bob"), body })
      yield* letters
      const draft = yield* release("v1", { name: "First", body: "It **works**", draft: true })
      yield* release("v2-rc", { prerelease: true })
      expect(yield* to).toEqual([])
      // Publishing it twice concurrently announces it once.
      yield* api.within(
        Effect.gen(function* () {
          const request = { address: NetAddress.ipFromStringUnsafe("192.0.2.1"), ...basic("bob") }
          const about = { kind: "release", owner: "bob", repository: "app", keys: { id: draft.id } } as const
          const proof = yield* Entry.authorize("repository.release.edit", yield* Entry.enter(request, about))
          for (const _ of ["one", "other"]) yield* Releases.edit(proof, { draft: false })
        })
      )
      const [letter, ...others] = yield* letters
      expect(letter).toMatchObject({
        id: `release-${draft.id}`,
        to: { address: "cat@example.com" },
        by: "bob",
        subject: "[bob/app] First (v1)"
      })
      expect(letter?.text).toContain(`Read it: ${rootUrl}/bob/app/releases/tag/v1\n`)
      expect(letter?.html).toContain("<strong>works</strong>")
      expect(others.map(({ to }) => to.address)).toEqual(["eve@example.com"])
      yield* edit(draft.id, { name: "The first" })
      expect(yield* to).toEqual([])
      const path = (letter?.unsubscribe ?? "").slice(rootUrl.length)
      for (const _ of ["once", "twice"]) expect((yield* api.fetch("POST", path)).status).toBe(200)
      yield* release("v3")
      expect(yield* to).toEqual(["eve"])
      // Private releases are announced to no other user (I8).
      yield* api.ask(200, "PATCH", "/repos/bob/app", { ...as("bob"), body: { private: true } })
      yield* release("v4")
      expect(yield* to).toEqual([])
    })
  )

  it.live("create no jobs if mail is disabled", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "app", auto_init: true } })
      yield* api.ask(201, "POST", "/repos/bob/app/tags", { ...as("bob"), body: { tag_name: "v1" } })
      yield* api.within(Jobs.runDue)
      yield* api.ask(201, "POST", "/repos/bob/app/releases", { ...as("bob"), body: { tag_name: "v1" } })
      expect(yield* api.within(Jobs.runDue)).toBe(0)
    })
  )

  it.live("report pull requests: opened, review requested, reviewed, replied to and merged", () =>
    Effect.gen(function* () {
      const { api, letters } = yield* site
      const base = "/repos/bob/app"
      const post = (who: string, path: string, body: object, status = 201) =>
        api.ask(status, "POST", `${base}${path}`, { ...as(who), body })
      const { id } = yield* api.ask(201, "POST", "/user/repos", {
        ...as("bob"),
        body: { name: "app", auto_init: true }
      })
      yield* api.ask(204, "PUT", `${base}/collaborators/cat`, { ...as("bob"), body: { permission: "write" } })
      yield* commitTo(api, id, { "a.txt": "a\n" }, { branch: "topic", from: "main" })
      const told = Effect.map(letters, (all) =>
        all.map(({ headers, text, to }) => [to.address.split("@")[0], text.split("\n")[0], headers?.["X-Gitea-Reason"]])
      )
      yield* post("cat", "/pulls", { title: "A", head: "topic", base: "main", body: "Please" })
      expect(yield* told).toEqual([["bob", "cat opened pull request #1.", "subscribed"]])
      yield* post("cat", "/pulls/1/requested_reviewers", { reviewers: ["bob"] })
      expect(yield* told).toEqual([["bob", "cat asked you for a review of pull request #1.", "review_requested"]])
      // A pending review is private.
      const comments = [{ path: "a.txt", body: "Why `a`?", new_position: 1 }]
      const pending = yield* post("bob", "/pulls/1/reviews", { body: "Hm", comments }, 200)
      expect(yield* told).toEqual([])
      yield* post("bob", `/pulls/1/reviews/${pending.id}`, { event: "REQUEST_CHANGES", body: "No" }, 200)
      const [review] = yield* letters
      expect([review?.to.name, review?.text.split("\n")[0], review?.subject]).toEqual([
        "cat",
        "bob asked for changes in pull request #1.",
        "Re: [bob/app] A (#1)"
      ])
      expect(review?.text).toContain("No\n\n`a.txt`, line 1:\n\nWhy `a`?")
      expect(review?.text).toContain(`${rootUrl}/bob/app/pulls/1#review-${pending.id}`)
      const [remark] = yield* api.ask(200, "GET", `${base}/pulls/1/reviews/${pending.id}/comments`, as("bob"))
      yield* post("cat", `/pulls/1/comments/${remark.id}/replies`, { body: "Because" })
      expect(yield* told).toEqual([["bob", "cat replied in a review of pull request #1.", "comment"]])
      yield* post("bob", "/pulls/1/merge", { Do: "merge" }, 200)
      expect(yield* told).toEqual([["cat", "bob merged pull request #1.", "author"]])
    })
  )
})
