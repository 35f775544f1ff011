import { describe, expect, it } from "@effect/vitest"
import { hookEventNames, hookTypes } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import known from "../known-payloads.json" with { type: "json" }
import { rootUrl } from "../support/harness.ts"
import { ann, at, bob, type Json, misshapen, type Observation, site } from "../support/observations.ts"

const words = (told: Observation) =>
  told.flatMap(({ event, payload, type }) =>
    event === "push" || event === "create" || event === "delete" ? [] : [[event, type, payload.action]]
  )

describe("webhook deliveries", () => {
  it.live("exist for every event type, in the documented format", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      const all: Array<Observation[number]> = []
      const keep = Effect.map(told, (some) => void all.push(...some))
      const { commit } = yield* file("a.txt", { new_branch: "door" })
      yield* api.ask(201, "POST", `${at}/tags`, { ...bob, body: { tag_name: "v1", target: "main" } })
      yield* api.ask(204, "DELETE", `${at}/tags/v1`, bob)
      yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "A door", head: "door", base: "main" } })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "It squeaks" } })
      const { id: label } = yield* api.ask(201, "POST", `${at}/labels`, {
        ...bob,
        body: { name: "wood", color: "#abc" }
      })
      const { id: milestone } = yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "1.0" } })
      for (const index of [1, 2]) {
        const on = `${at}/issues/${index}`
        yield* api.ask(200, "POST", `${on}/labels`, { ...bob, body: { labels: [label] } })
        yield* api.ask(201, "PATCH", on, { ...bob, body: { milestone, assignees: ["ann"], body: "See it" } })
        const { id } = yield* api.ask(201, "POST", `${on}/comments`, { ...ann, body: { body: "Fine" } })
        yield* keep
        yield* api.ask(200, "PATCH", `${at}/issues/comments/${id}`, { ...ann, body: { body: "Good" } })
        yield* keep
      }
      yield* api.ask(201, "POST", `${at}/pulls/1/requested_reviewers`, { ...bob, body: { reviewers: ["ann"] } })
      for (const event of ["COMMENT", "REQUEST_CHANGES", "APPROVED"]) {
        yield* api.ask(200, "POST", `${at}/pulls/1/reviews`, { ...ann, body: { event, body: "Look" } })
      }
      yield* file("b.txt", { branch: "door" })
      const status = { state: "success", context: "ci/build" }
      yield* api.ask(201, "POST", `${at}/statuses/${commit.sha}`, { ...bob, body: status })
      yield* api.ask(201, "POST", `${at}/releases`, { ...bob, body: { tag_name: "v2", name: "Two" } })
      yield* api.ask(201, "POST", `${at}/wiki/new`, { ...bob, body: { title: "Home", content_base64: "aGk=" } })
      yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
      yield* keep
      const config = { url: "https://bob.example/", content_type: "json" }
      const hook = { type: "gitea", active: true, config, events: ["repository"] }
      yield* api.ask(201, "POST", "/user/hooks", { ...bob, body: hook })
      yield* api.ask(204, "DELETE", at, bob)
      yield* keep
      // `workflow-hooks.test.ts` covers workflows, `packages.test.ts` packages.
      const later = ["package", "workflow_run", "workflow_job"]
      expect(new Set(all.map(({ type }) => type))).toEqual(
        new Set(hookEventNames.filter((name) => !later.includes(name)))
      )
      const [first] = all
      expect(misshapen("push", { ...first?.payload, sender: { id: "1" } })).toContain("push/sender/id must be integer")
    })
  )

  it.live("report pull requests: opened, changed, labeled, review requested, reviewed, pushed to, merged", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      yield* file("a.txt", { new_branch: "door" })
      yield* told
      yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "A door", head: "door", base: "main" } })
      const opened = yield* told
      expect(words(opened)).toEqual([["pull_request", "pull_request", "opened"]])
      const [{ payload } = { payload: {} as Json }] = opened
      expect(payload).toMatchObject({
        action: "opened",
        number: 1,
        commit_id: "",
        review: null,
        requested_reviewer: null,
        pull_request: {
          number: 1,
          title: "A door",
          state: "open",
          merged: false,
          user: { login: "bob" },
          head: { ref: "door", repo: { full_name: "bob/site" } },
          base: { ref: "main", repo: { full_name: "bob/site" } }
        },
        repository: { full_name: "bob/site" },
        sender: { login: "bob" }
      })

      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { title: "A gate" } })
      const { id: label } = yield* api.ask(201, "POST", `${at}/labels`, {
        ...bob,
        body: { name: "wood", color: "#aabbcc" }
      })
      const { id: milestone } = yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "1.0" } })
      yield* api.ask(200, "POST", `${at}/issues/1/labels`, { ...bob, body: { labels: [label] } })
      const sorted = yield* told
      expect(words(sorted)).toEqual([
        ["pull_request", "pull_request", "edited"],
        ["pull_request", "pull_request_label", "label_updated"]
      ])
      expect(sorted[0]?.payload.changes).toEqual({ title: { from: "A door" } })
      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { milestone, assignees: ["ann"] } })
      yield* api.ask(204, "DELETE", `${at}/issues/1/labels`, bob)
      expect(words(yield* told)).toEqual([
        ["pull_request", "pull_request_milestone", "milestoned"],
        ["pull_request", "pull_request_assign", "assigned"],
        ["pull_request", "pull_request_label", "label_cleared"]
      ])

      const asking = { ...bob, body: { reviewers: ["ann"] } }
      yield* api.ask(201, "POST", `${at}/pulls/1/requested_reviewers`, asking)
      yield* api.ask(204, "DELETE", `${at}/pulls/1/requested_reviewers`, asking)
      const requested = yield* told
      expect(words(requested)).toEqual([
        ["pull_request", "pull_request_review_request", "review_requested"],
        ["pull_request", "pull_request_review_request", "review_request_removed"]
      ])
      expect(requested.map(({ payload }) => payload.requested_reviewer)).toMatchObject([
        { login: "ann" },
        { login: "ann" }
      ])

      const review = (event: string, body: string) =>
        api.ask(200, "POST", `${at}/pulls/1/reviews`, { ...ann, body: { event, body } })
      yield* review("COMMENT", "Why?")
      yield* review("REQUEST_CHANGES", "Not yet")
      yield* review("APPROVED", "Now")
      const reviewed = yield* told
      expect(words(reviewed)).toEqual([
        ["pull_request_comment", "pull_request_review_comment", "reviewed"],
        ["pull_request_rejected", "pull_request_review_rejected", "reviewed"],
        ["pull_request_approved", "pull_request_review_approved", "reviewed"]
      ])
      expect(reviewed[2]?.payload).toMatchObject({
        review: { type: "pull_request_review_approved", content: "Now" },
        sender: { login: "ann" }
      })
      yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...ann, body: { body: "Fine" } })
      const said = yield* told
      expect(words(said)).toEqual([["issue_comment", "pull_request_comment", "created"]])
      expect(said[0]?.payload).toMatchObject({ is_pull: true, pull_request: { number: 1 }, comment: { body: "Fine" } })

      const before = (payload.pull_request as { readonly head: { readonly sha: string } }).head.sha
      const { commit } = yield* file("b.txt", { branch: "door" })
      const pushed = yield* told
      expect(words(pushed)).toEqual([["pull_request", "pull_request_sync", "synchronized"]])
      const [sync] = pushed.filter(({ event }) => event === "pull_request")
      expect(sync?.payload).toMatchObject({ before, after: commit.sha, pull_request: { head: { sha: commit.sha } } })

      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { state: "closed" } })
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { state: "open" } })
      yield* api.ask(200, "POST", `${at}/pulls/1/merge`, { ...bob, body: { Do: "merge" } })
      const merged = yield* told
      expect(words(merged)).toEqual([
        ["pull_request", "pull_request", "closed"],
        ["pull_request", "pull_request", "reopened"],
        ["pull_request", "pull_request", "closed"]
      ])
      const last = merged.filter(({ event }) => event === "pull_request").at(-1)
      expect(last?.payload).toMatchObject({ pull_request: { merged: true, state: "closed" }, sender: { login: "bob" } })
    })
  )

  it.live("report releases, except drafts, and commit statuses", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      const { commit } = yield* file("a.txt")
      yield* told
      const make = (body: Json) => api.ask(201, "POST", `${at}/releases`, { ...bob, body })
      const draft = yield* make({ tag_name: "v2", name: "Two", draft: true })
      yield* api.ask(200, "PATCH", `${at}/releases/${draft.id}`, { ...bob, body: { body: "Soon" } })
      expect(words(yield* told)).toEqual([])
      yield* api.ask(200, "PATCH", `${at}/releases/${draft.id}`, { ...bob, body: { draft: false } })
      yield* make({ tag_name: "v1", name: "One", body: "All of it" })
      const published = yield* told
      yield* api.ask(200, "PATCH", `${at}/releases/${draft.id}`, { ...bob, body: { name: "The second" } })
      yield* api.ask(204, "DELETE", `${at}/releases/tags/v1`, bob)
      const releases = [...published, ...(yield* told)].filter(({ event }) => event === "release")
      expect(
        releases.map(({ payload }) => [payload.action, (payload.release as { readonly tag_name: string }).tag_name])
      ).toEqual([
        ["published", "v2"],
        ["published", "v1"],
        ["updated", "v2"],
        ["deleted", "v1"]
      ])

      yield* api.ask(201, "POST", `${at}/statuses/${commit.sha}`, {
        ...bob,
        body: { state: "success", context: "ci/build", description: "All well", target_url: "https://ci.example/1" }
      })
      const [status] = yield* told
      expect(status).toMatchObject({
        event: "status",
        payload: {
          sha: commit.sha,
          state: "success",
          context: "ci/build",
          description: "All well",
          target_url: "https://ci.example/1",
          commit: { id: commit.sha, message: "Add a.txt\n", added: ["a.txt"] },
          repository: { full_name: "bob/site" },
          sender: { login: "bob" }
        }
      })
      expect(
        known.PayloadCommit.split(" ").filter((field) => !(field in ((status?.payload.commit ?? {}) as object)))
      ).toEqual([])
    })
  )

  it.live("report forks to the webhooks of both the parent and the fork's owner", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      const config = { url: "https://ann.example/", content_type: "json" }
      yield* api.ask(201, "POST", "/user/hooks", {
        ...ann,
        body: { type: "gitea", active: true, config, events: ["repository", "fork"] }
      })
      yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
      const seen = yield* told
      expect(seen.map(({ event, payload, url }) => [url, event, payload.action])).toEqual([
        ["https://ci.example/", "fork", undefined],
        ["https://ann.example/", "repository", "created"]
      ])
      expect(seen[0]?.payload).toMatchObject({
        forkee: { full_name: "bob/site" },
        repository: { full_name: "ann/copy", fork: true, parent: { full_name: "bob/site" } },
        sender: { login: "ann" }
      })
    })
  )

  it.live("use the format of each receiver type, with user text escaped", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      for (const type of hookTypes) {
        yield* api.ask(201, "POST", `${at}/hooks`, {
          ...bob,
          body: {
            type,
            active: true,
            config: { url: `https://${type}.example/`, channel: "#forge" },
            events: ["release"]
          }
        })
      }
      const title = "One <b>*door*</b>"
      yield* api.ask(201, "POST", `${at}/releases`, { ...bob, body: { tag_name: "v1", name: title } })
      const bodies = new Map((yield* told).map(({ payload, url }) => [new URL(url ?? "").host.split(".")[0], payload]))
      const link = `${rootUrl}/bob/site/releases/tag/v1`
      const head = "[bob/site] release published: One"
      const escaped = "&lt;b&gt;*door*&lt;/b&gt;"
      for (const type of ["gitea", "forgejo", "gogs"]) {
        expect(bodies.get(type)).toMatchObject({ action: "published", release: { name: title } })
      }
      expect(bodies.get("slack")).toMatchObject({ channel: "#forge", text: `<${link}|${head} ${escaped}>` })
      expect(bodies.get("discord")).toMatchObject({
        allowed_mentions: { parse: [] },
        embeds: [{ title: `${head} <b>*door*</b>`, url: link, author: { name: "bob" } }]
      })
      expect(bodies.get("telegram")).toMatchObject({
        text: `<a href="${link}">${head} ${escaped}</a>\n`,
        parse_mode: "HTML"
      })
      const inMarkdown = `[\\[bob/site\\] release published: One \\<b\\>\\*door\\*\\</b\\>](${link})`
      expect(bodies.get("dingtalk")).toMatchObject({ msgtype: "actionCard", actionCard: { singleURL: link } })
      expect((bodies.get("dingtalk")?.actionCard as { readonly text: string } | undefined)?.text).toContain(inMarkdown)
      expect(bodies.get("wechatwork")).toMatchObject({ msgtype: "markdown" })
      expect((bodies.get("wechatwork")?.markdown as { readonly content: string } | undefined)?.content).toContain(
        inMarkdown
      )
      expect(bodies.get("msteams")).toMatchObject({
        "@type": "MessageCard",
        title: `${head} <b>*door*</b>`,
        potentialAction: [{ "@type": "OpenUri", targets: [{ os: "default", uri: link }] }]
      })
      expect(bodies.get("feishu")).toMatchObject({ msg_type: "text" })
      expect(bodies.get("matrix")).toMatchObject({
        msgtype: "m.notice",
        formatted_body: `<a href="${link}">${head} ${escaped}</a><br>`
      })
      expect(bodies.get("packagist")).toEqual({ repository: { url: `${rootUrl}/bob/site` } })
    })
  )

  it.live("report issues that commits close, with the pusher as the sender", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "The door squeaks" } })
      yield* told
      yield* file("oil.txt", { message: "Oil the door\n\nCloses #1" })
      const closed = (yield* told).filter(({ event }) => event === "issues")
      expect(closed).toMatchObject([
        { payload: { action: "closed", issue: { number: 1, state: "closed" }, sender: { login: "bob" } } }
      ])
    })
  )
})
