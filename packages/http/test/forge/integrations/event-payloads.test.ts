import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, at, bob, type Json, type Observation, site } from "../support/observations.ts"

type Row = { readonly [field: string]: unknown }

const of = (told: Observation, event: string) =>
  told.filter((each) => each.event === event).map(({ payload }) => payload)
const inside = (payload: Json, field: string) => (payload[field] ?? {}) as Row

describe("webhook payloads describe the moment of their event", () => {
  it.live("for an issue that is opened, retitled, labelled, unlabelled and closed before the delivery", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      const on = `${at}/issues/1`
      const { id: label } = yield* api.ask(201, "POST", `${at}/labels`, {
        ...bob,
        body: { name: "wood", color: "#abc" }
      })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      yield* api.ask(201, "PATCH", on, { ...bob, body: { title: "Second" } })
      yield* api.ask(200, "POST", `${on}/labels`, { ...bob, body: { labels: [label] } })
      yield* api.ask(204, "DELETE", `${on}/labels`, bob)
      yield* api.ask(201, "PATCH", on, { ...bob, body: { assignees: ["ann"] } })
      yield* api.ask(201, "PATCH", on, { ...bob, body: { state: "closed" } })
      const payloads = of(yield* told, "issues")
      expect(
        payloads.map((payload) => {
          const { assignee, labels, state, title } = inside(payload, "issue")
          const names = (labels as ReadonlyArray<Row>).map(({ name }) => name)
          return [payload.action, state, title, names, (assignee as Row | null)?.login]
        })
      ).toEqual([
        ["opened", "open", "First", [], undefined],
        ["edited", "open", "Second", [], undefined],
        ["label_updated", "open", "Second", ["wood"], undefined],
        ["label_cleared", "open", "Second", [], undefined],
        ["assigned", "open", "Second", [], "ann"],
        ["closed", "closed", "Second", [], "ann"]
      ])
      expect(payloads[1]?.changes).toEqual({ title: { from: "First" } })
    })
  )

  it.live("and announce the addition and the removal of a milestone once each", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      const { id: milestone } = yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "1.0" } })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { title: "Second" } })
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { milestone } })
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { milestone: 0 } })
      expect(
        of(yield* told, "issues").map((payload) => [
          payload.action,
          (inside(payload, "issue").milestone as Row | null)?.title
        ])
      ).toEqual([
        ["opened", undefined],
        ["edited", undefined],
        ["milestoned", "1.0"],
        ["demilestoned", undefined]
      ])
    })
  )

  it.live("for a comment that is written, edited and deleted before the delivery", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      const { id } = yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...ann, body: { body: "One" } })
      yield* api.ask(200, "PATCH", `${at}/issues/comments/${id}`, { ...ann, body: { body: "Two" } })
      yield* api.ask(204, "DELETE", `${at}/issues/comments/${id}`, ann)
      const payloads = of(yield* told, "issue_comment")
      expect(
        payloads.map((payload) => [payload.action, inside(payload, "comment").body, inside(payload, "issue").comments])
      ).toEqual([
        ["created", "One", 1],
        ["edited", "Two", 1],
        ["deleted", "Two", 0]
      ])
      expect(payloads[1]?.changes).toEqual({ body: { from: "One" } })
    })
  )

  it.live("for a deleted issue, which still has its labels", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      const { id: label } = yield* api.ask(201, "POST", `${at}/labels`, {
        ...bob,
        body: { name: "wood", color: "#abc" }
      })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First", labels: [label] } })
      yield* api.ask(204, "DELETE", `${at}/issues/1`, bob)
      const payloads = of(yield* told, "issues")
      expect(payloads).toMatchObject([
        { action: "opened", issue: { title: "First", labels: [{ name: "wood" }] } },
        { action: "deleted", issue: { title: "First", labels: [{ name: "wood" }] } }
      ])
    })
  )

  it.live("for a release that is published, renamed and deleted before the delivery", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      const { id } = yield* api.ask(201, "POST", `${at}/releases`, { ...bob, body: { tag_name: "v1", name: "One" } })
      yield* api.ask(200, "PATCH", `${at}/releases/${id}`, { ...bob, body: { name: "Two" } })
      yield* api.ask(204, "DELETE", `${at}/releases/${id}`, bob)
      expect(of(yield* told, "release").map((payload) => [payload.action, inside(payload, "release").name])).toEqual([
        ["published", "One"],
        ["updated", "Two"],
        ["deleted", "Two"]
      ])
    })
  )

  it.live("for a pull request that is reviewed, closed, reopened and merged before the delivery", () =>
    Effect.gen(function* () {
      const { api, file, told } = yield* site
      yield* file("a.txt", { new_branch: "door" })
      yield* told
      yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "A door", head: "door", base: "main" } })
      yield* api.ask(201, "POST", `${at}/pulls/1/requested_reviewers`, { ...bob, body: { reviewers: ["ann"] } })
      const review = { event: "APPROVED", body: "Good" }
      const { id } = yield* api.ask(200, "POST", `${at}/pulls/1/reviews`, { ...ann, body: review })
      yield* api.ask(200, "POST", `${at}/pulls/1/reviews/${id}/dismissals`, { ...bob, body: { message: "No" } })
      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { state: "closed" } })
      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { state: "open", title: "A gate" } })
      yield* api.ask(200, "POST", `${at}/pulls/1/merge`, { ...bob, body: { Do: "merge" } })
      const pulls = (yield* told).filter(({ payload }) => "pull_request" in payload)
      expect(
        pulls.map(({ event, payload }) => {
          const { merged, requested_reviewers: asked, state, title } = inside(payload, "pull_request")
          return [event, payload.action, state, merged, title, (asked as ReadonlyArray<Row>).length]
        })
      ).toEqual([
        ["pull_request", "opened", "open", false, "A door", 0],
        ["pull_request", "review_requested", "open", false, "A door", 1],
        ["pull_request_approved", "reviewed", "open", false, "A door", 0],
        ["pull_request", "closed", "closed", false, "A door", 0],
        ["pull_request", "edited", "open", false, "A gate", 0],
        ["pull_request", "reopened", "open", false, "A gate", 0],
        ["pull_request", "closed", "closed", true, "A gate", 0]
      ])
    })
  )

  it.live("for a fork that is deleted, and a repository that is renamed, before the delivery", () =>
    Effect.gen(function* () {
      const { api, told } = yield* site
      yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
      yield* api.ask(204, "DELETE", "/repos/ann/copy", ann)
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      yield* api.ask(200, "PATCH", at, { ...bob, body: { name: "place" } })
      const all = yield* told
      expect(of(all, "fork")).toMatchObject([
        { forkee: { full_name: "bob/site" }, repository: { full_name: "ann/copy" } }
      ])
      expect(of(all, "issues")).toMatchObject([
        { action: "opened", repository: { full_name: "bob/site" }, issue: { repository: { full_name: "bob/site" } } }
      ])
    })
  )
})
