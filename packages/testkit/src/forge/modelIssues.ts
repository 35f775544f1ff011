import type { Stores } from "@slipway/domain/forge"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { labels, RepositoryStore } from "@slipway/domain/forge/code"
import {
  assignees,
  comments,
  dependencies,
  type Issue,
  type IssueFilter,
  type IssueId,
  IssueStore,
  issueLabels,
  issueOrders,
  issues,
  mentions,
  milestones,
  NotificationStore,
  notificationStatuses,
  TimeStore,
  timelineEvents,
  trackedTimes
} from "@slipway/domain/forge/collaboration"
import { UserStore } from "@slipway/domain/forge/identity"
import { timelineEvent } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import {
  all,
  anonymousViewer,
  missing,
  moment,
  newRepository,
  newUser,
  userOwner,
  viewerOfSite,
  viewing
} from "./builders.ts"
import { bare, type Command, type Dice, refusable } from "./model.ts"
import { firstOf, people, placeId, places, userId, userOf } from "./modelPlaces.ts"

const words = ["door", "window", "roof", "the"] as const
const names = ["bug", "BUG", "late"] as const

/**
 * Stores the users and repositories for random commands about issues. All users can read one repository, and only two
 * users the other.
 */
export const issueFixture = Effect.gen(function* () {
  const users = yield* UserStore
  const inserted = yield* Effect.forEach(people, (name, n) =>
    users.insert(newUser(n, { name, email: `${name}@example.com` }))
  )
  const [ann, bob] = inserted
  if (ann === undefined || bob === undefined) return
  const repositories = yield* RepositoryStore
  for (const [n, name] of places.entries()) {
    const { id } = yield* repositories.insert(newRepository(n, userOwner(ann), { name, private: name === "vault" }))
    yield* repositories.setCollaborator(id, { userId: bob.id, level: 1 })
  }
})

/**
 * Finds an issue of a repository by its position in the list. Returns an issue that does not exist if the list is
 * empty.
 */
const issueAt = Effect.fnUntraced(function* (place: string, at: number) {
  const repositoryId = yield* placeId(place)
  const { rows } = yield* (yield* issues.store).list({ repositoryId }, { limit: 1_000 })
  const found: Issue | undefined = rows[at % Math.max(rows.length, 1)]
  return { repositoryId, id: found?.id ?? (missing as number as IssueId), issue: found }
})

/** Generates a random command about issues and related resources. `n` makes names unique within one run. */
export const issueCommand = (dice: Dice, n: number): Command => {
  const [person, place, elsewhere] = [dice.of(people), dice.of(places), dice.of(places)]
  const [word, second, name] = [dice.of(words), dice.of(words), dice.of(names)]
  const choice = dice.below(10)
  const [at, other] = [dice.below(8), dice.below(8)]
  const [flag, another, rarely] = [dice.of([true, false]), dice.of([true, false]), dice.below(6) === 0]
  const page = dice.of([all, { page: 1, perPage: 2 }, { page: 2, perPage: 2 }])
  const order = dice.of(issueOrders)
  const status = dice.of(notificationStatuses)
  const now = moment(n)
  const state = flag ? "open" : "closed"
  const say = <E>(text: string, answer: Effect.Effect<unknown, E, Stores>): Command => ({
    text,
    answer: Effect.map(Effect.orDie(answer), bare)
  })
  const viewer = Effect.map(userOf(person), (user) =>
    viewerOfSite(rarely || user === undefined ? anonymousViewer : viewing(user))
  )
  const milestoneAt = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
    const { rows } = yield* (yield* milestones.store).list({ repositoryId }, { limit: 100 })
    return firstOf(rows, other)
  })
  const labelAt = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
    const { rows } = yield* (yield* labels.store).list({ repositoryId }, { limit: 100 })
    return firstOf(rows, other)
  })
  const makers: readonly [() => Command, ...ReadonlyArray<() => Command>] = [
    () =>
      say(
        `details of issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id } = yield* issueAt(place, at)
          const found = (yield* (yield* IssueStore).details([id])).get(id)
          return found && { ...found, assigneeIds: found.assigneeIds.length }
        })
      ),
    ...[0, 1].map(
      () => () =>
        say(
          `${person} opens an issue in ${place}`,
          Effect.gen(function* () {
            const repositoryId = yield* placeId(place)
            const inside = another ? yield* milestoneAt(repositoryId) : undefined
            return yield* (yield* issues.store).insert({
              repositoryId,
              pull: rarely,
              title: `${word} ${n}`,
              body: flag ? `a ${second}` : "",
              contentVersion: 0,
              state,
              authorId: yield* userId(person),
              milestoneId: inside?.id ?? null,
              ref: "",
              locked: false,
              lockReason: "",
              pinOrder: 0,
              timeEstimate: 0,
              dueAt: another ? moment(other) : null,
              closedAt: null,
              createdAt: now,
              updatedAt: now
            })
          })
        )
    ),
    () =>
      say(
        `change issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id, repositoryId } = yield* issueAt(place, at)
          const inside = yield* milestoneAt(repositoryId)
          const set = another ? { title: `${word} anew`, milestoneId: inside?.id ?? null } : { state, body: word }
          return yield* (yield* issues.store).patch({ repositoryId }, id, { ...set, updatedAt: now } as Partial<Issue>)
        })
      ),
    () =>
      say(
        `remove issue ${at} of ${place}`,
        Effect.gen(function* () {
          if (!rarely) return undefined
          const { id, repositoryId } = yield* issueAt(place, at)
          return yield* (yield* issues.store).remove({ repositoryId }, id)
        })
      ),
    () =>
      say(
        `${person} comments on issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id: issueId, repositoryId } = yield* issueAt(place, at)
          const store = yield* comments.store
          const { rows } = yield* store.list({ issueId }, { limit: 100 })
          const last = rows.at(-1)
          if (rarely && last !== undefined) return yield* store.remove({ issueId }, last.id)
          if (another && last !== undefined) {
            return yield* store.patch({ issueId }, last.id, { body: word, updatedAt: now })
          }
          const said = { issueId, repositoryId, authorId: yield* userId(person), body: word, contentVersion: 0 }
          return yield* refusable(store.insert({ ...said, createdAt: now, updatedAt: now }))
        })
      ),
    () =>
      say(
        `label ${name} in ${place}`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* labels.store
          const present = yield* labelAt(repositoryId)
          if (rarely && present !== undefined) return yield* store.remove({ repositoryId }, present.id)
          const label = { name, color: "ffffff", description: "", exclusive: flag, archived: false }
          return yield* refusable(store.insert({ ...label, organizationId: null, repositoryId }))
        })
      ),
    () =>
      say(
        `tag issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id: issueId, repositoryId } = yield* issueAt(place, at)
          const label = yield* labelAt(repositoryId)
          const pair = { issueId, labelId: label?.id ?? (missing as number as never) }
          const store = yield* issueLabels.store
          return flag ? yield* refusable(store.insert(pair)) : yield* store.removeBy("pair", pair)
        })
      ),
    () =>
      say(
        `milestone in ${place}`,
        Effect.gen(function* () {
          const repositoryId = yield* placeId(place)
          const store = yield* milestones.store
          const present = yield* milestoneAt(repositoryId)
          if (present !== undefined && another) {
            return rarely
              ? yield* store.remove({ repositoryId }, present.id)
              : yield* store.patch({ repositoryId }, present.id, { state, updatedAt: now })
          }
          const due = { dueAt: flag ? moment(other) : null, closedAt: null, createdAt: now, updatedAt: now }
          return yield* store.insert({ repositoryId, title: word, description: "", state: "open", ...due })
        })
      ),
    () =>
      say(
        `${person} is to see to issue ${at} of ${place}, and is named in it`,
        Effect.gen(function* () {
          const pair = { issueId: (yield* issueAt(place, at)).id, userId: yield* userId(person) }
          const store = yield* assignees.store
          return [
            flag ? yield* refusable(store.insert(pair)) : yield* store.removeBy("pair", pair),
            yield* refusable((yield* mentions.store).insertIfAbsent(pair))
          ]
        })
      ),
    () =>
      say(
        `issue ${at} of ${place} waits for ${other} of ${elsewhere}`,
        Effect.gen(function* () {
          const [one, two] = [yield* issueAt(place, at), yield* issueAt(elsewhere, other)]
          const store = yield* IssueStore
          const circular = one.id === two.id || (yield* store.waitsFor(two.id, one.id))
          const pair = { issueId: one.id, dependsOnId: two.id }
          const added = circular ? "circular" : yield* refusable((yield* dependencies.store).insert(pair))
          return [added, yield* store.isWaiting(one.id), (yield* store.setState([one.id], state, now)).length]
        })
      ),
    () =>
      say(
        `${place} refers to issue ${at} of ${elsewhere}`,
        Effect.gen(function* () {
          const [to, from] = [yield* issueAt(elsewhere, at), yield* issueAt(place, other)]
          if (to.issue === undefined || from.issue === undefined) return undefined
          return yield* (yield* timelineEvents.store).insert(
            timelineEvent(to.issue, "issue_ref", from.issue.authorId, now, {
              otherIssueId: from.id,
              sourceRepositoryId: from.repositoryId,
              sourceUnit: from.issue.pull ? "repo.pulls" : "repo.issues"
            })
          )
        })
      ),
    () =>
      say(
        `${person} reads the timeline of ${at} of ${place}`,
        Effect.gen(function* () {
          return yield* (yield* IssueStore).timeline(yield* viewer, (yield* issueAt(place, at)).id, {}, page)
        })
      ),
    ...[0, 1, 2].map(
      () => () =>
        say(
          `${person} searches ${word} by ${order} in ${flag ? place : "all"}`,
          Effect.gen(function* () {
            const repositoryId = yield* placeId(place)
            const choices: ReadonlyArray<IssueFilter> = [
              {},
              { labels: [name] },
              { withoutLabels: [name] },
              { milestones: [word] },
              { since: moment(Math.floor(n / 2)) },
              { before: moment(Math.floor(n / 2)) },
              { authorId: yield* userId(person) },
              { assigneeId: yield* userId(person) },
              { mentionedId: yield* userId(person) },
              { neededBy: (yield* issueAt(place, at)).id }
            ]
            const filter: IssueFilter = {
              text: another ? word : undefined,
              state: rarely ? "open" : undefined,
              ...choices[choice]
            }
            const scope = flag ? { repositoryId, issues: true, pulls: another } : { viewer: yield* viewer }
            const store = yield* IssueStore
            const found = yield* store.search(scope, filter, order, page)
            const ids = found.rows.map(({ issue }) => issue.id)
            const details = yield* store.details(ids)
            return [
              found,
              ids.map((id) => {
                const { assigneeIds = [], ...others } = details.get(id) ?? {}
                return [others, assigneeIds.length]
              })
            ]
          })
        )
    ),
    () =>
      say(
        `${person} works on issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id: issueId, repositoryId } = yield* issueAt(place, at)
          const worker = yield* userId(person)
          const time = { issueId, userId: worker, seconds: n, createdAt: now }
          const added = yield* refusable((yield* trackedTimes.store).insert(time))
          const times = yield* TimeStore
          return [
            added,
            yield* times.list(
              { repositoryId, issues: true, pulls: flag },
              { userId: another ? worker : undefined },
              page
            ),
            yield* times.list({ viewer: yield* viewer }, { userId: worker }, page)
          ]
        })
      ),
    () =>
      say(
        `people are notified of issue ${at} of ${place}`,
        Effect.gen(function* () {
          const { id: issueId, issue, repositoryId } = yield* issueAt(place, at)
          if (issue === undefined) return undefined
          const store = yield* NotificationStore
          const audience = flag ? "followers" : "assignees"
          const found = yield* store.recipients({ issueId, audience }, { after: 0, limit: 10 })
          const actor = yield* userId(person)
          const users = found.filter(({ userId }) => userId !== actor)
          yield* store.notify(
            users.map(({ userId }) => userId),
            { issueId, commentId: null, repositoryId, at: now }
          )
          return users.map(({ because }) => because)
        })
      ),
    () =>
      say(
        `${person} marks ${status}`,
        Effect.gen(function* () {
          const store = yield* NotificationStore
          const by = yield* viewer
          const filter = { statuses: another ? [status] : undefined, pull: rarely ? flag : undefined }
          const before = yield* store.list(by, filter, page)
          const marked = yield* store.mark(by, { ...filter, upTo: moment(n - other) }, flag ? "read" : "unread", 3)
          return [before, marked.length, yield* store.list(by, { statuses: ["unread"] }, all)]
        })
      )
  ]
  return dice.of(makers)()
}
