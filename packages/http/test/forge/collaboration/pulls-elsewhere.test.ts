import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Service } from "../support/harness.ts"
import { ann, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const [[, inMemory]] = kindsOfGit
const [own, foreign] = ["/repos/ann/app", "/repos/ann/other"]

/** Creates a repository with a pull request, a review with a comment, and a release with a file. */
const planted = Effect.fnUntraced(function* (api: Service, name: string) {
  const at = `/repos/ann/${name}`
  const post = (path: string, body: object, status = 201) =>
    api.ask(status, "POST", `${at}${path}`, { ...ann, body }) as Effect.Effect<{ readonly id: number }>
  const id = yield* makeRepository(api, name)
  yield* commitTo(api, id, { "a.txt": "one\n" })
  yield* commitTo(api, id, { "a.txt": "two\n" }, { branch: "topic", from: "main" })
  yield* post("/pulls", { title: "Two", head: "topic", base: "main" })
  const comments = [{ path: "a.txt", new_position: 1, body: "Why?" }]
  const review = (yield* post("/pulls/1/reviews", { event: "COMMENT", body: "So", comments }, 200)).id
  const [comment] = yield* api.ask(200, "GET", `${at}/pulls/1/reviews/${review}/comments`, ann)
  const release = (yield* post("/releases", { tag_name: "v1" })).id
  const asset = yield* api.ask(201, "POST", `${at}/releases/${release}/assets?name=a.zip`, {
    headers: { ...ann.headers, "content-type": "application/octet-stream" },
    raw: "bytes"
  })
  const label = (yield* post("/labels", { name: "bug", color: "f00000" })).id
  const milestone = (yield* post("/milestones", { title: "soon" })).id
  return { review, comment: comment.id as number, release, asset: asset.id as number, label, milestone }
})

type Ids = Effect.Success<ReturnType<typeof planted>>

it.live("I6: ids of reviews, comments, releases and files of another repository are 404", () =>
  Effect.gen(function* () {
    const api = yield* withPeople(inMemory)
    const mine = yield* planted(api, "app")
    const theirs = yield* planted(api, "other")
    const questions = (ids: Ids): ReadonlyArray<readonly [method: string, path: string, body?: object]> => [
      ["GET", `/pulls/1/reviews/${ids.review}`],
      ["POST", `/pulls/1/reviews/${ids.review}`, { event: "APPROVED" }],
      ["DELETE", `/pulls/1/reviews/${ids.review}`],
      ["GET", `/pulls/1/reviews/${ids.review}/comments`],
      ["POST", `/pulls/1/reviews/${ids.review}/dismissals`, { message: "No" }],
      ["POST", `/pulls/1/reviews/${ids.review}/undismissals`],
      ["POST", `/pulls/1/comments/${ids.comment}/replies`, { body: "So" }],
      ["POST", `/pulls/comments/${ids.comment}/resolve`],
      ["POST", `/pulls/comments/${ids.comment}/unresolve`],
      ["PATCH", "/pulls/1", { labels: [ids.label] }],
      ["PATCH", "/pulls/1", { milestone: ids.milestone }],
      ["GET", `/releases/${ids.release}`],
      ["PATCH", `/releases/${ids.release}`, { name: "Mine" }],
      ["DELETE", `/releases/${ids.release}`],
      ["GET", `/releases/${ids.release}/assets`],
      ["POST", `/releases/${ids.release}/assets?name=b.zip`, {}],
      ...[ids.release, mine.release].flatMap((release) => {
        const path = `/releases/${release}/assets/${ids.asset}`
        return [["GET", path] as const, ["PATCH", path, { name: "b.zip" }] as const, ["DELETE", path] as const]
      })
    ]
    const nothing = { review: 9_999, comment: 9_999, release: 9_999, asset: 9_999, label: 9_999, milestone: 9_999 }
    const asked = (ids: Ids) =>
      Effect.forEach(questions(ids), ([method, path, body]) =>
        Effect.map(api.send(method, `${own}${path}`, { ...ann, ...(body && { body }) }), ({ json, status }) => [
          status,
          // Messages about fields repeat the id of the request.
          json?.message?.replace(/`\d+`/, "`id`")
        ])
      )
    const found = yield* asked(theirs)
    // A label or a milestone that a body names is wrong input; a resource that a path names does not exist.
    expect(found.map(([status]) => status)).toEqual(
      questions(theirs).map(([method, path]) => (method === "PATCH" && path === "/pulls/1" ? 422 : 404))
    )
    expect(found).toEqual(yield* asked(nothing))
    // The named resources are unchanged.
    expect((yield* api.ask(200, "GET", `${foreign}/releases/${theirs.release}`, ann)).name).not.toBe("Mine")
    expect((yield* api.ask(200, "GET", `${foreign}/pulls/1/reviews/${theirs.review}`, ann)).state).toBe("COMMENT")
  })
)
