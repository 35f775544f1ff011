import { assert, describe, it } from "@effect/vitest"
import { Provider, readEvent } from "@slipway/domain/deploy/apps"
import { processorTime } from "../../../../../../scripts/vitest/processor.ts"
import { bitbucketPoint, bitbucketPush, middle, newer, nothing, older, pullRequests, pushes } from "./samples.ts"

const encoder = new TextEncoder()

const read = (provider: Provider, event: string, payload: unknown, branch = "main") =>
  readEvent({ provider, event, contentType: "application/json", body: encoder.encode(JSON.stringify(payload)) }, branch)

const push = (provider: Provider, facts: object) => {
  const { event, payload } = pushes[provider]
  return read(provider, event, { ...payload, ...facts })
}

/** Returns the changed paths of a push in order; undefined for other events. */
const changedIn = (provider: Provider, facts: object) => {
  const event = push(provider, facts)
  return event._tag === "Push" ? (event.changed?.toSorted() ?? null) : undefined
}

type Told = readonly [from: string, to: string, event?: string]

/** Replacements that turn a payload into a closed pull request, another change, or a fork. */
const tellings: Readonly<Record<Provider, readonly [closed: Told, other: Told, fork: ReadonlyArray<Told>]>> = {
  github: [
    ['"synchronize"', '"closed"'],
    ['"synchronize"', '"labeled"'],
    [
      ['"repo":{"id":5}},"base"', '"repo":{"id":6}},"base"'],
      ['"repo":{"id":5}},"base"', '"repo":null},"base"'],
      [',"repo":{"id":5}', ""]
    ]
  ],
  gitlab: [
    ['"update"', '"merge"'],
    ['"oldrev"', '"newrev"'],
    [
      ['"source_project_id":5', '"source_project_id":6'],
      ['"source_project_id":5,"target_project_id":5,', ""]
    ]
  ],
  bitbucket: [
    ["", "", "pullrequest:fulfilled"],
    ["", "", "pullrequest:approved"],
    [
      ['"repository":{"full_name":"a/shop"}},"dest', '"repository":{"full_name":"b/shop"}},"dest'],
      [',"repository":{"full_name":"a/shop"}', ""]
    ]
  ],
  gitea: [
    ['"synchronized"', '"closed"'],
    ['"synchronized"', '"label_updated"'],
    [['"repo":{"id":5}},"base"', '"repo":{"id":6}},"base"']]
  ]
}

describe("a received webhook", () => {
  it("names its user only by a positive id, from the sender if there is no pusher", () => {
    const pusherIn = (pusher: unknown, sender?: unknown) => {
      const event = push("gitea", { pusher, sender })
      return event._tag === "Push" ? event.pusher : undefined
    }
    for (const user of [undefined, null, "bo", { login: "bo" }, { id: "3", login: "bo" }, { id: -1, login: "Ghost" }]) {
      assert.strictEqual(pusherIn(user), null)
    }
    assert.deepStrictEqual(pusherIn(null, { id: 4, login: "cy" }), { id: "4", name: "cy" })
    assert.deepStrictEqual(pusherIn({ id: 3, login: "bo" }, { id: 4, login: "cy" }), { id: "3", name: "bo" })
  })

  for (const provider of Provider.literals) {
    it(`is read as the same push from ${provider}`, () => {
      const event = push(provider, {})
      assert.strictEqual(event._tag, "Push")
      const { changed, ...rest } = event as Extract<typeof event, { _tag: "Push" }>
      assert.deepStrictEqual(rest, {
        _tag: "Push",
        branch: "main",
        commit: newer,
        before: older,
        deleted: false,
        author: "Bo Stern",
        message: "Drop ropes\n\nNobody bought one.\n",
        pusher: provider === "gitea" ? { id: "3", name: "bo" } : null
      })
      const paths = ["src/anchors.ts", "src/index.ts", "src/ropes.ts"]
      assert.deepStrictEqual(changed?.toSorted() ?? null, provider === "bitbucket" ? null : paths)
    })

    it(`is read as the same pull request from ${provider}`, () => {
      const { event, payload } = pullRequests[provider]
      assert.deepStrictEqual(read(provider, event, payload), {
        _tag: "PullRequest",
        number: 12,
        change: "updated",
        head: "ropes",
        base: "main",
        commit: provider === "bitbucket" ? null : newer,
        fork: false,
        open: true,
        at: "2026-03-01T10:00:00.000Z"
      })
    })

    it(`is read as a pull request that is closed, unchanged or from a fork, for ${provider} (invariant I21)`, () => {
      const { event, payload } = pullRequests[provider]
      const told = (from: string, to: string, sent: string = event) => {
        const event_ = read(provider, sent, JSON.parse(JSON.stringify(payload).replaceAll(from, to)))
        return event_._tag === "PullRequest" ? [event_.change, event_.fork] : event_
      }
      const [closed, other, fork] = tellings[provider]
      assert.deepStrictEqual(told(...closed), ["closed", false])
      assert.deepStrictEqual(told(...other), ["other", false])
      for (const each of fork) assert.deepStrictEqual(told(...each), ["updated", true], each[1])
    })

    it(`is read from ${provider} even if its time is invalid or its pull request is already closed`, () => {
      const { event, payload } = pullRequests[provider]
      const sent = JSON.stringify(payload)
      const told = (from: RegExp, to: string) => {
        const read_ = read(provider, event, JSON.parse(sent.replace(from, to)))
        return read_._tag === "PullRequest" ? [read_.change, read_.open, read_.at] : read_
      }
      const at = "2026-03-01T10:00:00.000Z"
      for (const state of ["closed", "merged", "MERGED", "DECLINED", "SUPERSEDED"]) {
        assert.deepStrictEqual(told(/"state":"\w+"/, `"state":"${state}"`), ["updated", false, at], state)
      }
      assert.deepStrictEqual(told(/"state":"\w+",/, ""), ["updated", true, at])
      for (const moment of ['"soon"', '""', "null", '"+012026-03-01T10:00:00Z"']) {
        assert.deepStrictEqual(told(/(?<="updated_(?:at|on)":)"[^"]+"/, moment), ["updated", true, null], moment)
      }
    })

    it(`is unreadable if its payload does not have the form of ${provider}`, () => {
      const { event } = pushes[provider]
      for (const payload of [null, [], {}, 5, "push", { ref: 5 }, { object_kind: "push" }, { push: {} }]) {
        assert.deepStrictEqual(read(provider, event, payload), { _tag: "Unreadable" }, JSON.stringify(payload))
      }
    })
  }

  it("has no list of changed paths if the payload may be truncated or the branch is new", () => {
    const { commits } = pushes.github.payload
    assert.isNull(changedIn("github", { forced: true }))
    assert.isNull(changedIn("github", { commits: commits.slice(0, 1) }))
    assert.isNull(changedIn("github", { commits: [] }))
    assert.isNull(changedIn("github", { commits: Array.from({ length: 2_048 }, () => commits[1]) }))
    assert.isNull(changedIn("github", { commits: [{ id: newer }] }))
    assert.isNull(changedIn("gitlab", { total_commits_count: 21 }))
    assert.isNull(changedIn("gitlab", { total_commits_count: undefined }))
    assert.isNull(changedIn("gitea", { total_commits: 6 }))
    assert.isNull(changedIn("gitea", { total_commits: undefined }))
    for (const provider of ["github", "gitlab", "gitea"] as const) {
      assert.isNull(changedIn(provider, { before: nothing }), provider)
      assert.lengthOf(changedIn(provider, {}) ?? [], 3, provider)
    }
  })

  it("has no list of changed paths if their number is above the limit (invariant I25)", () => {
    const added = Array.from({ length: 10_001 }, (_, n) => `src/${n}`)
    const commitOf = (paths: ReadonlyArray<string>) => [{ id: newer, added: paths, modified: [], removed: [] }]
    assert.isNull(changedIn("github", { commits: commitOf(added) }))
    assert.lengthOf(changedIn("github", { commits: commitOf(added.slice(1)) }) ?? [], 10_000)
  })

  it("is read as a deleted branch or a tag", () => {
    for (const provider of ["github", "gitlab", "gitea"] as const) {
      assert.deepInclude(push(provider, { after: nothing, commits: [] }), { _tag: "Push", deleted: true })
      assert.deepStrictEqual(push(provider, { ref: "refs/tags/v1" }), { _tag: "Tag", name: "v1" })
      assert.deepStrictEqual(push(provider, { ref: "refs/notes/x" }), { _tag: "Unreadable" })
    }
    const removed = bitbucketPush({ old: bitbucketPoint(older), new: null })
    assert.deepInclude(read("bitbucket", "repo:push", removed), { branch: "main", commit: nothing, deleted: true })
    const tag = bitbucketPush({ old: null, new: bitbucketPoint(newer, "v1", "tag") })
    assert.deepStrictEqual(read("bitbucket", "repo:push", tag), { _tag: "Tag", name: "v1" })
  })

  it("is read for the branch that the application follows if one push changes several branches", () => {
    const payload = bitbucketPush(
      { old: null, new: bitbucketPoint(middle, "ropes") },
      { old: null, new: bitbucketPoint(newer, "main", "tag") },
      { old: bitbucketPoint(older), new: bitbucketPoint(newer) }
    )
    assert.deepInclude(read("bitbucket", "repo:push", payload), { branch: "main", commit: newer })
    assert.deepInclude(read("bitbucket", "repo:push", payload, "ropes"), { branch: "ropes", commit: middle })
    assert.deepInclude(read("bitbucket", "repo:push", payload, "other"), { branch: "ropes" })
  })

  it("names the author without an email address, in bounded time (invariant I25)", () => {
    const authorOf = (raw: string) => {
      const point = bitbucketPoint(newer)
      const event = read(
        "bitbucket",
        "repo:push",
        bitbucketPush({ old: null, new: { ...point, target: { ...point.target, author: { raw } } } })
      )
      return event._tag === "Push" ? event.author : undefined
    }
    assert.strictEqual(authorOf("Ada \t Rope <ada@ropes.example> <b>"), "Ada \t Rope")
    assert.strictEqual(authorOf("Ada "), "Ada ")
    const time = processorTime()
    assert.strictEqual(authorOf(`a${" ".repeat(1_000_000)}b`)?.length, 1_000_002)
    assert.isBelow(time(), 2_000)
  })

  it("is read as a ping or another event by its name", () => {
    assert.deepStrictEqual(read("github", "ping", { zen: "Keep it simple." }), { _tag: "Ping" })
    assert.deepStrictEqual(read("bitbucket", "diagnostics:ping", {}), { _tag: "Ping" })
    assert.deepStrictEqual(read("github", "issues", {}), { _tag: "Other", event: "issues" })
    assert.deepStrictEqual(read("gitea", "fork", {}), { _tag: "Other", event: "fork" })
    assert.deepStrictEqual(read("bitbucket", "repo:fork", {}), { _tag: "Other", event: "repo:fork" })
    assert.deepStrictEqual(read("gitlab", "Push Hook", { object_kind: "note" }), { _tag: "Other", event: "note" })
  })

  it("can also be sent as a form in UTF-8", () => {
    const sent = (contentType: string, body: Uint8Array) =>
      readEvent({ provider: "github", event: "push", contentType, body }, "main")
    const form = new URLSearchParams({ payload: JSON.stringify(pushes.github.payload) }).toString()
    assert.deepInclude(sent("application/x-www-form-urlencoded; charset=utf-8", encoder.encode(form)), {
      commit: newer
    })
    const others = "a&".repeat(500_000)
    const time = processorTime()
    for (const among of [`b=1&${form}&c=2`, `${form}&${others}`, `${others}${form}`]) {
      assert.deepInclude(sent("application/x-www-form-urlencoded", encoder.encode(among)), { commit: newer })
    }
    assert.deepStrictEqual(sent("application/x-www-form-urlencoded", encoder.encode(others)), { _tag: "Unreadable" })
    assert.isBelow(time(), 2_000)
    assert.deepStrictEqual(sent("application/json", encoder.encode(form)), { _tag: "Unreadable" })
    assert.deepStrictEqual(sent("application/json", Uint8Array.of(0x22, 0xff, 0x22)), { _tag: "Unreadable" })
  })
})
