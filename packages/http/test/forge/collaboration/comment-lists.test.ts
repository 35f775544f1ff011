import { describe, expect, it } from "@effect/vitest"
import {
  type CommentList,
  type CommentListContent,
  commentListContent,
  commentLists,
  commentViewers,
  commentWorld,
  dice,
  expectedOf,
  plantComments
} from "@slipway/testkit/forge"
import { Effect } from "effect"
import { runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { type Service, start } from "../support/harness.ts"
import { headersOf, plant } from "../support/world.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Row = any

const pathIn = (url: string): string => {
  const [, owner, name, , number] = /\/([^/]+)\/([^/]+)\/(issues|pulls)\/(\d+)(?:#.*)?$/.exec(url) ?? []
  return `${owner}/${name}#${number}`
}

const addressOf = (item: string): string => {
  const [home, number] = item.split("#")
  return `/repos/${home}/issues/${number}`
}

const issuePath = ({ number, repository }: Row): string => `${repository.full_name}#${number}`

/** The path of each list, and the name of the resource in a row. */
const listing = (spoken: CommentList): { readonly path: string; readonly name: (row: Row) => string } => {
  switch (spoken.list) {
    case "search":
      return { path: "/repos/issues/search?state=all", name: issuePath }
    case "issues":
      return { path: `/repos/${spoken.repository}/issues?state=all`, name: issuePath }
    case "comments":
      return {
        path: `/repos/${spoken.repository}/issues/comments?`,
        name: ({ issue_url, pull_request_url }) => pathIn(issue_url || pull_request_url)
      }
    case "timeline":
      return {
        path: `${addressOf(spoken.item)}/timeline?`,
        name: ({ ref_issue, type }) => (type === "comment" ? type : ref_issue === null ? "?" : issuePath(ref_issue))
      }
    case "notifications":
      return { path: "/notifications?", name: ({ subject }) => pathIn(subject.html_url) }
    case "times":
      return { path: "/user/times?", name: ({ issue }) => issuePath(issue) }
    case "starred":
      return { path: "/user/starred?", name: ({ full_name }) => full_name }
    case "feed":
      return { path: `/users/${spoken.user}/activities/feeds?`, name: ({ repo }) => repo.full_name }
  }
}

type Sent = Readonly<Record<string, string>>

const answerOf = (api: Service, headers: Sent, spoken: CommentList) =>
  Effect.gen(function* () {
    const { name, path } = listing(spoken)
    const answer = yield* api.send("GET", `${path}&limit=50`, { headers })
    if (answer.status !== 200) return "refused" satisfies CommentListContent
    return commentListContent(answer.json.map(name), Number(answer.headers.get("x-total-count")))
  })

describe("lists of user activity", () => {
  for (const from of Array.from({ length: runs(1) }, (_, at) => seed + at)) {
    it.live(`contain and count exactly the entries that the caller can read, in the random world ${from} (B11)`, () =>
      Effect.gen(function* () {
        const { text, world } = commentWorld(dice(from))
        const api = yield* start()
        yield* plant(api, world)
        yield* Effect.orDie(api.within(plantComments(world)))
        for (const asker of commentViewers(world)) {
          const headers = yield* headersOf(api, asker)
          for (const spoken of commentLists(world)) {
            const told = { asker, spoken, answer: yield* answerOf(api, headers, spoken) }
            expect(told, text).toEqual({ asker, spoken, answer: expectedOf(world, asker, spoken) })
          }
          // Compares the search with reads of single issues.
          const one = yield* Effect.filter(world.items, ({ path }) =>
            Effect.map(api.send("GET", addressOf(path), { headers }), ({ status }) => status === 200)
          )
          const found = yield* answerOf(api, headers, { list: "search" })
          expect(found, text).toEqual(commentListContent(one.map(({ path }) => path).toReversed(), one.length))
        }
      })
    )
  }
})
