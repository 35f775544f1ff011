import { expect, it } from "@effect/vitest"
import { trackedTimes } from "@slipway/domain/forge/collaboration"
import { IssueComments, Issues, Notifications, Times } from "@slipway/forge/collaboration"
import { Entry } from "@slipway/forge/entry"
import { migrations } from "@slipway/sql/forge"
import { recordStatements } from "@slipway/sql/testing"
import {
  all,
  moment,
  newCommentOn,
  parseWorld,
  plantOrganizations,
  plantUsers,
  sentBy,
  testEnv
} from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const world = parseWorld(`
  user ann
  user bob
  repository ann/site
  collaborator bob write ann/site
`)

onOneEngine((engine) => {
  it.live("every use case of issues takes at most six statements, whatever the number of rows", () =>
    Effect.gen(function* () {
      yield* plantUsers(world)
      yield* plantOrganizations(world)
      const bob = yield* sentBy({ name: "bob", token: ["all"] })
      const site = Entry.enter(bob, { kind: "site" })
      const home = { owner: "ann", repository: "site" }
      const inRepository = Entry.enter(bob, { kind: "repository", ...home })
      const onIssue = Entry.enter(bob, { kind: "issue", ...home, keys: { index: 1 } })
      const open = Effect.flatMap(inRepository, (entered) =>
        Effect.flatMap(Entry.authorize("issue.create", entered), (proof) => Issues.create(proof, { title: "The door" }))
      )
      const { issue } = yield* open
      yield* newCommentOn(issue, issue.authorId, "It squeaks")
      yield* (yield* trackedTimes.store).insertMany(
        [1, 2, 3].map((seconds) => ({
          issueId: issue.id,
          userId: issue.authorId,
          seconds,
          createdAt: moment(seconds)
        }))
      )
      const done = {
        open,
        list: Effect.flatMap(inRepository, (entered) =>
          Effect.flatMap(Entry.authorize("issue.list", entered), (proof) => Issues.list(proof, {}, "newest", all))
        ),
        search: Effect.flatMap(site, (entered) =>
          Effect.flatMap(Entry.authorize("issue.search", entered), (proof) => Issues.search(proof, {}, "newest", all))
        ),
        comments: Effect.flatMap(onIssue, (entered) =>
          Effect.flatMap(Entry.authorize("issue.comment.list", entered), (proof) => IssueComments.list(proof, {}, all))
        ),
        timeline: Effect.flatMap(onIssue, (entered) =>
          Effect.flatMap(Entry.authorize("issue.timeline.list", entered), (proof) =>
            IssueComments.timeline(proof, {}, all)
          )
        ),
        unread: Effect.flatMap(site, (entered) =>
          Effect.flatMap(Entry.authorize("notification.count-new", entered), Notifications.countNew)
        ),
        times: Effect.flatMap(site, (entered) =>
          Effect.flatMap(Entry.authorize("account.time.list", entered), (proof) => Times.ofSelf(proof, {}, all))
        )
      }
      const counted = Effect.map(
        Effect.forEach(Object.entries(done), ([name, each]) =>
          Effect.map(recordStatements(each as Effect.Effect<unknown, unknown>), ([, sent]) => [name, sent.length])
        ),
        (counts): Record<string, number> => Object.fromEntries(counts)
      )
      const few = yield* counted
      expect(few).toEqual({ open: 5, list: 4, search: 4, comments: 5, timeline: 3, unread: 2, times: 5 })
      for (let n = 0; n < 20; n++) yield* open
      expect(yield* counted).toEqual(few)
    }).pipe(Effect.provide(Layer.mergeAll(layerEmptied(engine), testEnv())))
  )
}, migrations)
