import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, rootUrl, type Service, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })
const at = "/repos/bob/site"

/** Bob's repository and another one, both public. Cat writes to the first. Eve has no permissions. */
const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
  for (const name of ["site", "other"]) yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name } })
  yield* api.ask(204, "PUT", `${at}/collaborators/cat`, { ...as("bob"), body: { permission: "write" } })
  for (const where of [at, "/repos/bob/other"]) {
    yield* api.ask(201, "POST", `${where}/issues`, { ...as("bob"), body: { title: "The door" } })
  }
  const comment = yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...as("eve"), body: { body: "It squeaks" } })
  return { api, comment: comment.id as number }
})

const shut = (api: Service) => api.ask(200, "PATCH", at, { ...as("bob"), body: { private: true } })

describe("reactions", () => {
  it.live("are added once, listed and removed, on issues and comments", () =>
    Effect.gen(function* () {
      const { api, comment } = yield* site
      for (const path of [`${at}/issues/1/reactions`, `${at}/issues/comments/${comment}/reactions`]) {
        const react = (who: string, content: string, method = "POST") =>
          Effect.map(api.send(method, path, { ...as(who), body: { content } }), ({ status }) => status)
        expect(yield* react("eve", "heart")).toBe(201)
        expect(yield* react("eve", "heart")).toBe(200)
        expect(yield* react("cat", "heart")).toBe(201)
        expect(yield* react("eve", "skull")).toBe(403)
        expect(yield* react("eve", "x".repeat(65))).toBe(422)
        const listed = yield* api.send("GET", path)
        const told = listed.json as ReadonlyArray<{ content: string; created_at: string; user: { login: string } }>
        expect(told.map(({ content, user }) => [content, user.login])).toEqual([
          ["heart", "eve"],
          ["heart", "cat"]
        ])
        expect(listed.headers.get("x-total-count")).toBe("2")
        expect(yield* react("eve", "heart", "DELETE")).toBe(200)
        expect(yield* react("eve", "heart", "DELETE")).toBe(200)
        expect((yield* api.ask(200, "GET", path)).length).toBe(1)
      }
      yield* api.ask(204, "PUT", `${at}/issues/1/lock`, { ...as("bob"), body: {} })
      yield* api.ask(403, "POST", `${at}/issues/1/reactions`, { ...as("eve"), body: { content: "heart" } })
      // I6: the id of a comment of another repository is missing.
      yield* api.ask(404, "GET", `/repos/bob/other/issues/comments/${comment}/reactions`)
    })
  )
})

describe("tracked times", () => {
  it.live("are added, listed to callers with permission, and deleted", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const track = (who: string, body: object, where = `${at}/issues/1/times`) =>
        api.send("POST", where, { ...as(who), body })
      const first = yield* track("cat", { time: 90, created: "2026-01-31T12:00:00Z" })
      expect([first.status, first.json]).toMatchObject([
        200,
        { time: 90, created: "2026-01-31T12:00:00Z", user_name: "cat", issue: { number: 1, title: "The door" } }
      ])
      expect((yield* track("bob", { time: 30, user_name: "cat" })).json).toMatchObject({ user_name: "cat" })
      expect((yield* track("bob", { time: 60 })).status).toBe(200)
      expect((yield* track("cat", { time: 30, user_name: "bob" })).status).toBe(403)
      expect((yield* track("eve", { time: 30 })).status).toBe(403)
      for (const time of [0, -5, 1.5, 1e12]) expect((yield* track("cat", { time })).status).toBe(422)
      const times = (who: string, path: string) =>
        Effect.map(api.send("GET", path, as(who)), ({ headers, json }) => [
          (json as ReadonlyArray<{ time: number }>).map(({ time }) => time),
          headers.get("x-total-count")
        ])
      expect(yield* times("cat", `${at}/issues/1/times`)).toEqual([[90, 30, 60], "3"])
      expect(yield* times("cat", `${at}/times?user=bob`)).toEqual([[60], "1"])
      expect(yield* times("cat", `${at}/times/cat?before=2026-02-01T00:00:00Z`)).toEqual([[90], "1"])
      expect(yield* times("cat", "/user/times")).toEqual([[90, 30], "2"])
      expect(yield* times("eve", `${at}/times`)).toEqual([[], "0"])
      yield* api.ask(403, "GET", `${at}/times?user=cat`, as("eve"))
      const [id] = [first.json.id as number]
      // I6: the id of a time below another issue is missing.
      yield* api.ask(404, "DELETE", `/repos/bob/other/issues/1/times/${id}`, as("bob"))
      yield* api.ask(204, "DELETE", `${at}/issues/1/times/${id}`, as("bob"))
      yield* api.ask(404, "DELETE", `${at}/issues/1/times/${id}`, as("bob"))
      yield* api.ask(204, "DELETE", `${at}/issues/1/times`, as("cat"))
      expect(yield* times("cat", `${at}/times`)).toEqual([[60], "1"])
      const events = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, as("bob"))
      const told = (who: string) =>
        Effect.map(api.ask(200, "GET", `${at}/issues/1/timeline`, as(who)), (rows) =>
          rows
            .filter(({ type }: { type: string }) => type === "add_time_manual")
            .map(({ body, tracked_time }: { body: string; tracked_time: { time: number } | null }) => [
              body,
              tracked_time?.time
            ])
        )
      // The timeline keeps deleted times without their row, and hides all times from others.
      expect(yield* told("bob")).toEqual([
        ["1 minute", undefined],
        ["30 seconds", undefined],
        ["1 minute", 60]
      ])
      expect(yield* told("eve")).toEqual([
        ["", undefined],
        ["", undefined],
        ["", undefined]
      ])
      expect(events.map(({ type }: { type: string }) => type)).toEqual([
        "comment",
        ...["add_time_manual", "add_time_manual", "add_time_manual", "delete_time_manual", "delete_time_manual"]
      ])
    })
  )

  it.live("can be measured by a stopwatch, and a user has one stopwatch for each issue", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const stopwatch = (verb: string, who = "cat") =>
        Effect.map(
          api.send(verb === "delete" ? "DELETE" : "POST", `${at}/issues/1/stopwatch/${verb}`, as(who)),
          ({ status }) => status
        )
      expect(yield* stopwatch("stop")).toBe(409)
      expect(yield* stopwatch("start")).toBe(201)
      expect(yield* stopwatch("start")).toBe(409)
      expect(yield* stopwatch("start", "eve")).toBe(403)
      const [running] = yield* api.ask(200, "GET", "/user/stopwatches", as("cat"))
      expect(running).toEqual({
        created: running.created,
        seconds: running.seconds,
        duration: `${running.seconds}s`,
        issue_index: 1,
        issue_title: "The door",
        repo_owner_name: "bob",
        repo_name: "site"
      })
      expect(yield* stopwatch("stop")).toBe(201)
      expect(yield* stopwatch("stop")).toBe(409)
      expect((yield* api.ask(200, "GET", "/user/times", as("cat")))[0]).toMatchObject({ user_name: "cat", time: 1 })
      expect(yield* stopwatch("start")).toBe(201)
      expect(yield* stopwatch("delete")).toBe(204)
      expect(yield* api.ask(200, "GET", "/user/stopwatches", as("cat"))).toEqual([])
    })
  )

  it.live("B5, I7: of unreadable issues are not returned (CVE-2026-58419)", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      yield* api.ask(200, "POST", `${at}/issues/1/times`, { ...as("cat"), body: { time: 90 } })
      yield* api.ask(201, "POST", `${at}/issues/1/stopwatch/start`, as("cat"))
      yield* shut(api)
      expect((yield* api.ask(200, "GET", "/user/times", as("cat"))).length).toBe(1)
      yield* api.ask(204, "DELETE", `${at}/collaborators/cat`, as("bob"))
      for (const path of ["/user/times", "/user/stopwatches"]) {
        const { headers, json } = yield* api.send("GET", path, as("cat"))
        expect([json, headers.get("x-total-count")]).toEqual([[], "0"])
      }
    })
  )
})

describe("subscriptions to issues", () => {
  it.live("are set by the user or an administrator, and determine notifications", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      yield* api.user("root", { admin: true })
      const path = `${at}/issues/1/subscriptions`
      const set = (method: string, who: string, user: string) =>
        Effect.map(api.send(method, `${path}/${user}`, as(who)), ({ status }) => status)
      const check = (who: string) =>
        Effect.map(api.ask(200, "GET", `${path}/check`, as(who)), (told) => told.subscribed)
      expect([yield* check("bob"), yield* check("cat"), yield* check("eve")]).toEqual([true, false, true])
      expect(yield* set("PUT", "cat", "CAT")).toBe(201)
      expect(yield* set("PUT", "cat", "cat")).toBe(200)
      expect(yield* set("PUT", "cat", "eve")).toBe(403)
      // An explicit subscription overrides that of a repository watcher.
      expect(yield* set("PUT", "root", "eve")).toBe(200)
      expect(yield* set("PUT", "root", "nobody")).toBe(404)
      const listed = yield* api.ask(200, "GET", path)
      expect(listed.map(({ login }: { login: string }) => login)).toEqual(["cat", "eve"])
      expect(yield* set("DELETE", "bob", "bob")).toBe(201)
      expect(yield* set("DELETE", "bob", "bob")).toBe(200)
      expect([yield* check("bob"), yield* check("cat")]).toEqual([false, true])
      expect(yield* api.ask(200, "GET", `${path}/check`, as("cat"))).toEqual({
        subscribed: true,
        ignored: false,
        reason: null,
        created_at: (yield* api.ask(200, "GET", `${at}/issues/1`)).created_at,
        url: `${rootUrl}/api/v1/repos/bob/site/issues/1/subscriptions`,
        repository_url: `${rootUrl}/api/v1/repos/bob/site`
      })
      expect((yield* api.send("PUT", `${path}/eve`)).status).toBe(401)
      yield* shut(api)
      expect(yield* set("PUT", "eve", "eve")).toBe(404)
    })
  )
})

const form = (text: string, name: string, part = "attachment") => {
  const body = [
    "--border",
    `content-disposition: form-data; name="${part}"; filename="${name}"`,
    "content-type: application/octet-stream",
    "",
    text,
    "--border--",
    ""
  ].join("\r\n")
  return { raw: body, type: { "content-type": "multipart/form-data; boundary=border" } }
}

describe("attachments", () => {
  it.live("are uploaded, listed, renamed, downloaded and deleted, on issues and comments", () =>
    Effect.gen(function* () {
      const { api, comment } = yield* site
      for (const path of [`${at}/issues/1/assets`, `${at}/issues/comments/${comment}/assets`]) {
        const upload = (who: string, { raw, type }: ReturnType<typeof form>, query = "") =>
          api.send("POST", `${path}${query}`, { raw, headers: { ...basic(who), ...type } })
        const made = yield* upload("cat", form("hello", "a.txt"))
        expect([made.status, made.json]).toEqual([
          201,
          {
            id: made.json.id,
            name: "a.txt",
            size: 5,
            download_count: 0,
            created_at: made.json.created_at,
            uuid: made.json.uuid,
            type: "attachment",
            browser_download_url: `${rootUrl}/attachments/${made.json.uuid}`
          }
        ])
        expect((yield* upload("cat", form("hello", "b.txt"), "?name=c.txt")).json.name).toBe("c.txt")
        expect((yield* upload("cat", form("hello", "b.txt", "other"))).status).toBe(422)
        expect((yield* upload("cat", form("hello", ".."))).status).toBe(422)
        expect((yield* upload("cat", { raw: "x", type: { "content-type": "text/plain" } })).status).toBe(422)
        const one = `${path}/${made.json.id}`
        expect(yield* api.ask(200, "GET", one)).toEqual(made.json)
        const beside = yield* api.ask(200, "GET", path)
        expect(beside.length).toBe(2)
        // The issue or comment contains its attachments, also in lists.
        const thing = path.slice(0, -"/assets".length)
        expect((yield* api.ask(200, "GET", thing)).assets).toEqual(beside)
        const listed = yield* api.ask(
          200,
          "GET",
          thing.includes("comments") ? `${at}/issues/1/comments` : `${at}/issues`
        )
        expect(listed[0].assets).toEqual(beside)
        expect((yield* api.ask(201, "PATCH", one, { ...as("cat"), body: { name: "d.html" } })).name).toBe("d.html")
        const got = yield* api.fetch("GET", `/attachments/${made.json.uuid}`)
        expect([got.status, got.text, got.headers.get("content-disposition"), got.headers.get("content-type")]).toEqual(
          [200, "hello", `attachment; filename="d.html"; filename*=UTF-8''d.html`, "text/plain; charset=utf-8"]
        )
        expect(got.headers.get("x-content-type-options")).toBe("nosniff")
        expect((yield* api.ask(200, "GET", one)).download_count).toBe(1)
        yield* api.ask(204, "DELETE", one, as("cat"))
        yield* api.ask(404, "GET", one)
        expect((yield* api.fetch("GET", `/attachments/${made.json.uuid}`)).status).toBe(404)
      }
      const mine = yield* api.send("POST", `${at}/issues/1/assets`, {
        raw: form("a", "a.txt").raw,
        headers: { ...basic("eve"), ...form("a", "a.txt").type }
      })
      expect(mine.status).toBe(403)
    })
  )

  it.live(
    "B5, I6, I8: are found only below their own issue or comment, and hidden with it (CVE-2026-20736, CVE-2026-20912, CVE-2026-57886)",
    () =>
      Effect.gen(function* () {
        const { api } = yield* site
        const { raw, type } = form("secret", "a.txt")
        const made = yield* api.ask(201, "POST", `${at}/issues/1/assets`, {
          raw,
          headers: { ...basic("cat"), ...type }
        })
        yield* api.ask(404, "GET", `/repos/bob/other/issues/1/assets/${made.id}`, as("bob"))
        yield* api.ask(404, "DELETE", `/repos/bob/other/issues/1/assets/${made.id}`, as("bob"))
        yield* shut(api)
        const download = (who: string) =>
          Effect.map(api.fetch("GET", `/attachments/${made.uuid}`, as(who)), ({ json, status, text }) => [
            status,
            status === 200 ? text : json.message
          ])
        const absent = yield* api.fetch("GET", "/attachments/00000000-0000-4000-8000-000000000000", as("eve"))
        expect(yield* download("cat")).toEqual([200, "secret"])
        expect(yield* download("eve")).toEqual([404, absent.json.message])
        expect((yield* api.fetch("GET", `/attachments/${made.uuid}`, { headers: basic("eve", "wrong") })).status).toBe(
          401
        )
        // The uploader loses access with the permission, and can't reach the file through another repository.
        yield* api.ask(204, "DELETE", `${at}/collaborators/cat`, as("bob"))
        yield* api.ask(201, "POST", "/user/repos", { ...as("cat"), body: { name: "own" } })
        yield* api.ask(201, "POST", "/repos/cat/own/issues", { ...as("cat"), body: { title: "Mine" } })
        for (const home of [at, "/repos/cat/own"])
          yield* api.ask(404, "DELETE", `${home}/issues/1/assets/${made.id}`, as("cat"))
        expect(yield* download("cat")).toEqual([404, absent.json.message])
        expect(yield* download("bob")).toEqual([200, "secret"])
      })
  )
})
