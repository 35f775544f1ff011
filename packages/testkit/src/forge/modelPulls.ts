import type { Stores } from "@slipway/domain/forge"
import { forks, ObjectId, RepositoryStore, transfers } from "@slipway/domain/forge/code"
import {
  type IssueId,
  issues,
  pulls,
  releases,
  reviewComments,
  reviewStates,
  reviews
} from "@slipway/domain/forge/collaboration"
import { mirrors, originName } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { all, missing, moment, newPullIn, userOwner } from "./builders.ts"
import { bare, type Command, type Dice, refusable } from "./model.ts"
import { firstOf, people, placeId, places, userId, userOf } from "./modelPlaces.ts"

const branches = ["door", "window"] as const
const tags = ["v1", "v2", "V1"] as const
const none = missing as number

/** Finds a pull request of a repository by its position in the list. */
const pullAt = Effect.fnUntraced(function* (place: string, at: number) {
  const repositoryId = yield* placeId(place)
  const { rows } = yield* (yield* pulls.store).list({ repositoryId }, { limit: 100 })
  const pull = firstOf(rows, at)
  return { repositoryId, pull, id: pull?.id ?? none, issueId: pull?.issueId ?? (none as IssueId) }
})

const reviewAt = Effect.fnUntraced(function* (issueId: IssueId, at: number) {
  return firstOf((yield* (yield* reviews.store).list({ issueId }, { limit: 100 })).rows, at)
})

/**
 * Generates a random command about pull requests, reviews, releases, forks, transfers and mirrors. `n` makes names
 * unique within one run.
 */
export const pullCommand = (dice: Dice, n: number): Command => {
  const [person, place, elsewhere] = [dice.of(people), dice.of(places), dice.of(places)]
  const [branch, tag, state] = [dice.of(branches), dice.of(tags), dice.of(reviewStates)]
  const [at, other] = [dice.below(6), dice.below(6)]
  const [flag, another, rarely] = [dice.of([true, false]), dice.of([true, false]), dice.below(8) === 0]
  const page = dice.of([all, { page: 1, perPage: 2 }, { page: 2, perPage: 2 }])
  const commit = ObjectId.make(String(dice.below(3)).repeat(40))
  const now = moment(n)
  const between = `${elsewhere}:${branch}`
  const say = <E>(text: string, answer: Effect.Effect<unknown, E, Stores>): Command => ({
    text,
    answer: Effect.map(Effect.orDie(answer), bare)
  })
  const makers: readonly [() => Command, ...ReadonlyArray<() => Command>] = [
    ...([0, 1].map(
      () => () =>
        say(
          `${person} opens a pull request in ${place} from ${branch} of ${elsewhere}`,
          Effect.gen(function* () {
            const lenderId = another ? yield* userId(person) : null
            const headRepositoryId = yield* placeId(elsewhere)
            const more = { headRepositoryId, allowMaintainerEdit: another, lenderId, pushedBy: flag ? lenderId : null }
            return yield* newPullIn(yield* placeId(place), yield* userId(person), `${branch} ${n}`, more)
          })
        )
    ) as [() => Command, () => Command]),
    () =>
      say(
        `pull request ${at} of ${place} goes from ${between}`,
        Effect.gen(function* () {
          const { id, repositoryId } = yield* pullAt(place, at)
          const open = { open: true, headBranch: branch, openBetween: between }
          const closed = { open: false, openBetween: null, merged: another, mergedAt: another ? now : null }
          return yield* refusable((yield* pulls.store).patch({ repositoryId }, id, flag ? open : closed))
        })
      ),
    () =>
      say(
        `pull request ${at} of ${place} goes with its issue`,
        Effect.gen(function* () {
          if (!rarely) return undefined
          const { issueId, repositoryId } = yield* pullAt(place, at)
          return yield* (yield* issues.store).remove({ repositoryId }, issueId)
        })
      ),
    () =>
      say(
        `pull requests of ${place}`,
        Effect.gen(function* () {
          const store = yield* pulls.store
          const repositoryId = yield* placeId(place)
          const filter = another ? { open: flag } : { headBranch: branch, mergeCommit: null }
          return [
            yield* store.list({ repositoryId }, page, { filter }),
            yield* store.list({ headRepositoryId: repositoryId }, page, { filter: { open: flag } })
          ]
        })
      ),
    () =>
      say(
        `${person} says ${state} of pull request ${at} of ${place}`,
        Effect.gen(function* () {
          const { issueId, repositoryId } = yield* pullAt(place, at)
          const store = yield* reviews.store
          const row = { issueId, repositoryId, reviewerId: yield* userId(person), teamId: null, state, commit }
          const rest = { body: branch, baseVersion: other, official: another, dismissed: false }
          return yield* refusable(store.insert({ ...row, ...rest, submittedAt: now, updatedAt: now }))
        })
      ),
    () =>
      say(
        `review ${other} of pull request ${at} of ${place} changes`,
        Effect.gen(function* () {
          const { issueId } = yield* pullAt(place, at)
          const review = yield* reviewAt(issueId, other)
          const store = yield* reviews.store
          if (rarely) return yield* store.removeWhere({ issueId }, { state })
          return yield* store.patch({ issueId }, review?.id ?? none, { dismissed: flag, state, updatedAt: now })
        })
      ),
    () =>
      say(
        `reviews of pull request ${at} of ${place} that say ${state}`,
        Effect.gen(function* () {
          const { issueId } = yield* pullAt(place, at)
          const store = yield* reviews.store
          return [
            yield* store.list({ issueId }, page, { filter: { state }, order: "submitted" }),
            ((yield* store.listFor("issueId", [issueId], 3, { order: "submitted" })).get(issueId) ?? []).map(bare)
          ]
        })
      ),
    () =>
      say(
        `${person} comments on a line in review ${other} of pull request ${at} of ${place}`,
        Effect.gen(function* () {
          const { issueId, repositoryId } = yield* pullAt(place, at)
          const review = yield* reviewAt(issueId, other)
          const store = yield* reviewComments.store
          const last = (yield* store.list({ issueId }, { limit: 100 })).rows.at(-1)
          if (rarely && last !== undefined) return yield* store.remove({ issueId }, last.id)
          const resolverId = flag ? yield* userId(person) : null
          if (another && last !== undefined)
            return yield* store.patch({ issueId }, last.id, { line: other, resolverId })
          const on = { path: branch, side: flag ? "old" : "new", originalLine: at, line: at, hunk: "" } as const
          const said = { issueId, repositoryId, reviewId: review?.id ?? none, authorId: yield* userId(person) }
          const rest = {
            originalCommit: commit,
            commit,
            body: branch,
            resolverId: null,
            createdAt: now,
            updatedAt: now
          }
          return yield* refusable(store.insert({ ...said, ...on, ...rest, repliesToId: rarely ? none : null }))
        })
      ),
    () =>
      say(
        `${person} releases ${tag} of ${place}`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* releases.store
          const present = yield* store.findBy("tag", { repositoryId, tag })
          if (present !== undefined && rarely) return yield* store.remove({ repositoryId }, present.id)
          const times = { createdAt: now, publishedAt: flag ? null : now }
          const set = { tag, draft: flag, prerelease: another, title: branch, body: "", target: "main", ...times }
          const changed = firstOf((yield* store.list({ repositoryId }, { limit: 10 })).rows, other)
          return another && changed !== undefined
            ? yield* refusable(store.patch({ repositoryId }, changed.id, set))
            : yield* refusable(store.insert({ ...set, repositoryId, authorId: yield* userId(person) }))
        })
      ),
    () =>
      say(
        `releases of ${place}`,
        Effect.gen(function* () {
          const filter = another ? { draft: flag } : { prerelease: flag }
          const order = rarely ? "newest" : "published"
          return yield* (yield* releases.store).list({ repositoryId: yield* placeId(place) }, page, { filter, order })
        })
      ),
    () =>
      say(
        `${place} is offered to ${person}, who takes it or doesn't`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* transfers.store
          const offer = yield* store.findBy("repository", { repositoryId })
          const user = yield* userOf(person)
          if (offer === undefined || user === undefined) {
            const row = { repositoryId, doerId: yield* userId("ann"), userId: yield* userId(person) }
            const rest = { organizationId: null, teamIds: [], lent: flag, createdAt: now }
            return yield* refusable(store.insert({ ...row, ...rest }))
          }
          const moved = flag
            ? yield* refusable((yield* RepositoryStore).transfer(repositoryId, userOwner(user)))
            : false
          return [
            moved,
            yield* store.removeBy("repository", { repositoryId }),
            yield* store.list({ userId: user.id }, page)
          ]
        })
      ),
    () =>
      say(
        `${place} is a fork of ${elsewhere}, or no longer`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* forks.store
          if (rarely) return yield* store.removeBy("repository", { repositoryId })
          const parentId = yield* placeId(elsewhere)
          const added = yield* refusable(store.insert({ repositoryId, parentId, ownerId: yield* userId(person) }))
          return [added, yield* store.list({ parentId }, page)]
        })
      ),
    () =>
      say(
        `${place} ${flag ? "follows another host" : `is followed by ${branch}`}, or no longer`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* mirrors.store
          const key = { repositoryId, name: flag ? originName : branch }
          if (rarely) return yield* store.removeBy("name", key)
          const asked = { running: another, asked: other, dueAt: another ? now : null }
          const present = yield* store.findBy("name", key)
          if (present !== undefined) return yield* store.patch({}, present.id, asked)
          return yield* refusable(
            store.insert({
              ...key,
              ...asked,
              direction: flag ? "pull" : "push",
              url: `https://${branch}.example/${place}`,
              username: person,
              uuid: `${n}`,
              password: null,
              interval: at * 600,
              onCommit: another,
              oneTime: rarely,
              wiki: another,
              createdAt: now,
              syncedAt: null,
              lastError: ""
            })
          )
        })
      ),
    () =>
      say(
        `what ${place} follows, and which mirrors are due`,
        Effect.gen(function* () {
          const store = yield* mirrors.store
          const filter = { repositoryId: yield* placeId(place), direction: flag ? "pull" : "push" } as const
          return [
            yield* store.list({}, page, { filter }),
            yield* store.list({}, page, { filter: { dueAt: { before: now } }, order: "due" })
          ]
        })
      )
  ]
  return dice.of(makers)()
}
