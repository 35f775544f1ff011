import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { RepositoryStore, watches } from "@slipway/domain/forge/code"
import { comments, issues, releases } from "@slipway/domain/forge/collaboration"
import {
  type ActivitySource,
  type AuditFilter,
  activityDetails,
  EventStore,
  type FeedAction,
  type FeedFilter,
  feedActions,
  queuedHookEvents
} from "@slipway/domain/forge/events"
import {
  type NewEvent,
  type OrganizationId,
  OrganizationStore,
  type Person,
  TeamStore,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import {
  all,
  anonymousViewer,
  moment,
  newCommentOn,
  newEvent,
  newIssueIn,
  newReleaseIn,
  organizationOwner,
  userOwner,
  viewerOfSite,
  viewing
} from "../../builders.ts"
import { equal, organization, repository, run, samePaginated, team, user } from "../base/fixtures.ts"

const ann = { id: 11, name: "Ann" } as Person
const bob = { id: 12, name: "bob" } as Person
const acme = 21 as OrganizationId

const full = newEvent(1, {
  action: "team.member.add",
  actor: bob,
  signedInAs: ann,
  signedInWith: { kind: "token", id: 5, name: "laptop 😀" },
  address: "2001:db8::1",
  subject: { kind: "team", id: 31, name: "Ünïcödé 'quoted'" },
  organizationId: acme,
  teamId: 31 as NonNullable<NewEvent["teamId"]>,
  repositoryId: 41 as NonNullable<NewEvent["repositoryId"]>,
  details: { user: "cy", level: 2, all: true, none: null }
})

const appended = (...events: ReadonlyArray<NewEvent>) =>
  Effect.flatMap(EventStore, (store) => Effect.forEach(events, (event) => store.append(event)))

const logged = (filter: AuditFilter = {}, page = all) =>
  Effect.flatMap(EventStore, (store) =>
    Effect.map(store.audit(filter, page), ({ rows, total }) => {
      equal(rows.length <= (total ?? 0), true)
      return [rows.map((row) => row.at), total] as const
    })
  )

const refusal = (n: number, facts: Partial<NewEvent> = {}) =>
  newEvent(n, { outcome: "refused", refusedBy: "organization-owner", actor: ann, ...facts })

/**
 * Stores an organization with a public repository and a private one, a team with access to the private one, and a
 * repository of a user.
 */
const fixture = Effect.gen(function* () {
  const owner = yield* user(1)
  const member = yield* user(2)
  const hidden = yield* user(3, { visibility: "private" })
  const outsider = yield* user(4)
  const group = yield* organization(5)
  yield* team(1, group, { owners: true, includesAllRepositories: true }, [owner])
  const open = yield* repository(1, organizationOwner(group))
  const shut = yield* repository(2, organizationOwner(group), { private: true })
  const own = yield* repository(3, userOwner(owner))
  const crew = yield* team(2, group, {}, [member])
  yield* (yield* TeamStore).addRepository(crew.id, shut.id)
  const creation = (n: number, by: { readonly id: Person["id"]; readonly name: string }, at: typeof open) =>
    newEvent(n, {
      action: "organization.repository.create",
      actor: { id: by.id, name: by.name },
      organizationId: at.owner.kind === "organization" ? at.owner.id : null,
      repositoryId: at.id
    })
  yield* appended(
    creation(1, owner, open),
    creation(2, hidden, shut),
    creation(3, owner, own),
    { ...creation(4, owner, open), action: "repository.collaborator.add" },
    { ...creation(5, owner, open), outcome: "refused" }
  )
  return { owner, member, hidden, outsider, group, crew, open, shut, own }
})

const readFeed = (viewer: Parameters<EventStore["Service"]["feed"]>[0], filter: FeedFilter, page = all) =>
  Effect.flatMap(EventStore, (store) =>
    Effect.map(store.feed(viewer, filter, page), ({ rows, total }) => ({
      total,
      rows: rows.map(({ event, person, repository: of }) => [event.at, of.name, person?.name])
    }))
  )

/** Contract tests of the store of events. Every implementation must pass them. */
export const events: Contract<Stores> = {
  port: "EventStore",
  musts: {
    "return an event as added": Effect.gen(function* () {
      yield* appended(full, newEvent(2))
      const { rows } = yield* (yield* EventStore).audit({}, all)
      equal(
        rows.map(({ id: _, ...row }) => row),
        [newEvent(2), full]
      )
      assert.isAbove(rows[0]?.id ?? 0, rows[1]?.id ?? 0)
    }),
    "store the webhook payload of an event with it": Effect.gen(function* () {
      const events = yield* EventStore
      const place = yield* repository(1, userOwner(yield* user(1)))
      yield* events.append(full, { repository: place, before: {}, after: { fork: place } })
      yield* events.append(newEvent(2))
      const { rows } = yield* (yield* queuedHookEvents.store).list({}, all)
      equal(
        rows.map(({ id: _, ...row }) => row),
        [{ event: full, repository: place, before: {}, after: { fork: place } }]
      )
    }),
    "discard an event when the transaction that added it rolls back": Effect.gen(function* () {
      yield* Effect.flip(
        Effect.flatMap(Transaction, (transaction) =>
          transaction.run(Effect.andThen(appended(full), Effect.fail("undone" as const)))
        )
      )
      equal(yield* logged(), [[], 0])
      yield* run(appended(full))
      equal(yield* logged(), [[full.at], 1])
    }),
    "store at most one refusal per actor, action and resource in a minute": Effect.gen(function* () {
      const store = yield* EventStore
      const minute = "2026-03-04T05:06:"
      const at = (seconds: string) => ({ at: `${minute}${seconds}.000Z` })
      yield* Effect.forEach(["01", "02", "59"], (seconds) => store.refuse(refusal(0, at(seconds))), {
        concurrency: "unbounded"
      })
      equal((yield* logged())[1], 1)
      yield* store.refuse(refusal(0, { ...at("30"), actor: bob }))
      yield* store.refuse(refusal(0, { ...at("30"), action: "organization.delete" }))
      yield* store.refuse(refusal(0, { ...at("30"), subject: { kind: "organization", id: 1, name: "acme" } }))
      yield* store.refuse(refusal(0, { at: "2026-03-04T05:07:00.000Z" }))
      equal((yield* logged())[1], 5)
      // Repeated events are all listed.
      yield* appended(full, full)
      equal((yield* logged())[1], 7)
    }),
    "list the audit log, newest first, and count it": Effect.gen(function* () {
      yield* appended(newEvent(1), newEvent(3), newEvent(2))
      equal(yield* logged(), [[moment(2), moment(3), moment(1)], 3])
      equal(yield* logged({}, { page: 2, perPage: 2 }), [[moment(1)], 3])
      equal(yield* logged({}, { page: 3, perPage: 2 }), [[], 3])
      const store = yield* EventStore
      yield* samePaginated((page) => store.audit({}, page))
      yield* samePaginated((page) => store.audit({ action: newEvent(1).action }, page))
    }),
    "list only the audit log of the given organization": Effect.gen(function* () {
      yield* appended(newEvent(1), full, newEvent(3, { organizationId: 22 as OrganizationId }))
      equal(yield* logged({ organization: acme }), [[full.at], 1])
      equal(yield* logged({ organization: 99 as OrganizationId }), [[], 0])
    }),
    "filter the audit log by actor, action and time": Effect.gen(function* () {
      yield* appended(full, newEvent(2, { actor: ann }), newEvent(3, { actor: bob, action: "team.delete" }))
      equal(yield* logged({ actor: "ANN" }), [[moment(2), full.at], 2])
      yield* Effect.flatMap(EventStore, (store) => samePaginated((page) => store.audit({ actor: "ANN" }, page)))
      equal(yield* logged({ actor: "BOB" }), [[moment(3), full.at], 2])
      equal(yield* logged({ action: "team.delete" }), [[moment(3)], 1])
      equal(yield* logged({ since: moment(2) }), [[moment(3), moment(2)], 2])
      equal(yield* logged({ until: moment(2) }), [[full.at], 1])
      equal(yield* logged({ actor: "bob", action: "team.member.add", since: moment(1), until: moment(2) }), [
        [full.at],
        1
      ])
      for (const text of ["", "nobody", "\0", "\ud800", "%"]) equal(yield* logged({ actor: text }), [[], 0])
    }),
    "keep events of removed resources": Effect.gen(function* () {
      const { group, open, own, owner, shut } = yield* fixture
      const before = yield* logged()
      const repositories = yield* RepositoryStore
      for (const { id } of [open, own, shut]) yield* repositories.remove(id)
      yield* (yield* OrganizationStore).remove(group.id)
      yield* (yield* UserStore).remove(owner.id)
      equal(yield* logged(), before)
      equal((yield* logged({ actor: owner.name }))[1], 4)
    }),
    "return the id of the newest event, and zero without events": Effect.gen(function* () {
      const store = yield* EventStore
      equal(yield* store.newest, 0)
      yield* appended(newEvent(2), newEvent(1))
      const { rows } = yield* store.audit({}, all)
      equal(yield* store.newest, Math.max(...rows.map(({ id }) => id)))
      const before = yield* store.newest
      yield* appended(newEvent(3))
      assert.isAbove(yield* store.newest, before)
    }),
    "delete the oldest events before a given time, up to a limit, and return their number": Effect.gen(function* () {
      const store = yield* EventStore
      yield* appended(newEvent(3), newEvent(1), newEvent(2), newEvent(4))
      equal(yield* store.forget(moment(4), 2), 2)
      equal(yield* logged(), [[moment(4), moment(3)], 2])
      equal(yield* store.forget(moment(4), 2), 1)
      equal(yield* store.forget(moment(4), 2), 0)
      yield* appended(newEvent(5))
      equal(yield* logged(), [[moment(5), moment(4)], 2])
    }),
    "list activities in repositories that the viewer sees now, newest first, with the matching total": Effect.gen(
      function* () {
        const { group, member, open, outsider, owner, shut } = yield* fixture
        const of: FeedFilter<ActivitySource> = { of: { organization: group.id }, privateToo: true }
        const names = (viewer: Parameters<typeof readFeed>[0]) =>
          Effect.map(readFeed(viewer, of), ({ rows, total }) => [rows.map(([, name]) => name), total])
        equal(yield* names(viewerOfSite(viewing(owner))), [[shut.name, open.name], 2])
        equal(yield* names(viewerOfSite(viewing(member))), [[shut.name, open.name], 2])
        equal(yield* names(viewerOfSite(viewing(outsider))), [[open.name], 1])
        equal(yield* names(viewerOfSite(anonymousViewer)), [[open.name], 1])
        const page = yield* readFeed(viewerOfSite(viewing(owner)), of, { page: 2, perPage: 1 })
        equal([page.rows.map(([, name]) => name), page.total], [[open.name], 2])
        const store = yield* EventStore
        yield* samePaginated((each) => store.feed(viewerOfSite(viewing(owner)), of, each))
        // Invariants I7 and I8: hidden repositories reveal nothing of earlier events.
        const repositories = yield* RepositoryStore
        yield* repositories.replace({ ...open, private: true })
        equal(yield* names(viewerOfSite(viewing(outsider))), [[], 0])
        yield* repositories.remove(shut.id)
        equal(yield* names(viewerOfSite(viewing(owner))), [[open.name], 1])
      }
    ),
    "list the activities of an organization, team, user or repository, with private ones only on request": Effect.gen(
      function* () {
        const { crew, group, open, own, owner, shut } = yield* fixture
        const viewer = viewerOfSite(viewing(owner))
        const names = (filter: FeedFilter) =>
          Effect.map(readFeed(viewer, filter), ({ rows }) => rows.map(([, name]) => name))
        equal(yield* names({ of: { organization: group.id }, privateToo: false }), [open.name])
        equal(yield* names({ of: { team: crew }, privateToo: true }), [shut.name])
        equal(yield* names({ of: { team: crew }, privateToo: false }), [])
        equal(yield* names({ of: { user: owner.id }, privateToo: true }), [own.name, open.name])
        equal(yield* names({ of: { repository: shut.id }, privateToo: true }), [shut.name])
        equal(yield* names({ of: { repository: shut.id }, privateToo: false }), [])
        const time = { since: moment(2), until: moment(3) }
        equal(yield* names({ of: { organization: group.id }, privateToo: true, ...time }), [shut.name])
        const each = (Object.keys(feedActions) as ReadonlyArray<FeedAction>).map((action, n) =>
          newEvent(10 + n, { action, repositoryId: own.id, details: { unit: "repo.issues" } })
        )
        yield* appended(...each)
        equal((yield* readFeed(viewer, { of: { repository: own.id }, privateToo: true })).total, each.length + 1)
      }
    ),
    "list on request also the activities of other users in the repositories that a user watches": Effect.gen(
      function* () {
        const { group, member, open, outsider, own, owner, shut } = yield* fixture
        const watched = yield* watches.store
        const watch = (who: typeof owner, what: typeof open, watching = true) =>
          Effect.orDie(watched.insertMany([{ userId: who.id, repositoryId: what.id, watching, createdAt: moment(1) }]))
        yield* watch(member, open)
        yield* watch(member, shut)
        yield* watch(member, own, false)
        yield* watch(outsider, own)
        yield* appended(
          newEvent(6, { action: "git.push", actor: member, repositoryId: open.id, organizationId: group.id }),
          newEvent(7, { action: "git.push", actor: member, repositoryId: own.id })
        )
        const times = (viewer: Parameters<typeof readFeed>[0], who: typeof owner, privateToo = true) =>
          Effect.map(readFeed(viewer, { of: { receiver: who.id }, privateToo }), ({ rows, total }) => [
            rows.map(([at]) => at),
            total
          ])
        const [seenByMember, seenByOutsider] = [viewerOfSite(viewing(member)), viewerOfSite(viewing(outsider))]
        equal(yield* times(seenByMember, member), [[moment(7), moment(6), moment(2), moment(1)], 4])
        equal(yield* times(seenByMember, member, false), [[moment(7), moment(6), moment(1)], 3])
        // Activities in a private repository stay hidden from users without access to it.
        equal(yield* times(seenByOutsider, member), [[moment(7), moment(6), moment(1)], 3])
        equal(yield* times(seenByOutsider, outsider), [[moment(7), moment(3)], 2])
        equal(yield* times(viewerOfSite(anonymousViewer), owner), [[moment(3), moment(1)], 2])
        const store = yield* EventStore
        yield* samePaginated((page) =>
          store.feed(seenByMember, { of: { receiver: member.id }, privateToo: true }, page)
        )
        const day = { since: moment(2), until: moment(7) }
        const within = yield* readFeed(seenByMember, { ...day, of: { receiver: member.id }, privateToo: true })
        equal(
          within.rows.map(([at]) => at),
          [moment(6), moment(2)]
        )
      }
    ),
    "list for an organization or a team only activities from the time when the organization owned the repository":
      Effect.gen(function* () {
        const { crew, group, own, owner, shut } = yield* fixture
        const repositories = yield* RepositoryStore
        yield* Effect.orDie(repositories.transfer(own.id, organizationOwner(group)))
        yield* appended(newEvent(6, { action: "repository.edit", organizationId: null, repositoryId: shut.id }))
        const times = (of: FeedFilter["of"]) =>
          Effect.map(readFeed(viewerOfSite(viewing(owner)), { of, privateToo: true }), ({ rows }) =>
            rows.map(([at]) => at)
          )
        equal(yield* times({ organization: group.id }), [moment(2), moment(1)])
        equal(yield* times({ team: crew }), [moment(2)])
        equal(yield* times({ repository: shut.id }), [moment(6), moment(2)])
        equal(yield* times({ repository: own.id }), [moment(3)])
      }),
    "list pushes only for viewers who can read the code": Effect.gen(function* () {
      const { group, member, outsider, owner, shut } = yield* fixture
      const scribes = yield* team(9, group, { units: { "repo.wiki": 2 } }, [outsider])
      yield* (yield* TeamStore).addRepository(scribes.id, shut.id)
      yield* appended(newEvent(6, { action: "git.push", repositoryId: shut.id }))
      const actions = (viewer: typeof owner) =>
        Effect.flatMap(EventStore, (store) =>
          Effect.map(
            store.feed(viewerOfSite(viewing(viewer)), { of: { repository: shut.id }, privateToo: true }, all),
            ({ rows, total }) => [rows.map(({ event }) => event.action), total]
          )
        )
      equal(yield* actions(member), [["git.push", "organization.repository.create"], 2])
      equal(yield* actions(owner), [["git.push", "organization.repository.create"], 2])
      equal(yield* actions(outsider), [["organization.repository.create"], 1])
    }),
    "list activities of issues, pull requests and releases that exist, only to readers of their unit": Effect.gen(
      function* () {
        const { group, member, outsider, owner, shut } = yield* fixture
        const readers = yield* team(9, group, { units: { "repo.issues": 1, "repo.releases": 1 } }, [outsider])
        yield* (yield* TeamStore).addRepository(readers.id, shut.id)
        const issue = yield* newIssueIn(shut.id, owner.id, "The door")
        const pull = yield* newIssueIn(shut.id, owner.id, "A new door", { pull: true })
        const comment = yield* newCommentOn(issue, owner.id, "It is stuck")
        const release = yield* newReleaseIn(shut.id, owner.id, "v1", { draft: false })
        const on = (n: number, action: FeedAction, ...details: Parameters<typeof activityDetails>) =>
          newEvent(n, { action, repositoryId: shut.id, details: activityDetails(...details) })
        yield* appended(
          on(11, "issue.create", "repo.issues", { issueId: issue.id }, issue.title),
          on(12, "issue.comment.create", "repo.issues", { issueId: issue.id, commentId: comment.id }, comment.body),
          on(13, "pull.create", "repo.pulls", { issueId: pull.id }, pull.title),
          on(14, "repository.release.create", "repo.releases", { releaseId: release.id }, "One"),
          // An edit without a unit in its details, and an issue that is gone, are no activities.
          newEvent(15, { action: "issue.edit", repositoryId: shut.id, details: { changed: "title" } }),
          on(16, "issue.create", "repo.issues", { issueId: issue.id + 1_000 }, "gone")
        )
        const store = yield* EventStore
        const of: FeedFilter<ActivitySource> = { of: { repository: shut.id }, privateToo: true }
        const texts = (viewer: typeof owner) =>
          Effect.map(store.feed(viewerOfSite(viewing(viewer)), of, all), ({ rows, total }) => [
            rows.flatMap(({ event: { details } }) => details.text ?? []),
            total
          ])
        equal(yield* texts(owner), [["One", "A new door", "It is stuck", "The door"], 5])
        equal(yield* texts(outsider), [["One", "It is stuck", "The door"], 4])
        equal(yield* texts(member), [[], 1])
        equal(yield* store.activeTimes(viewerOfSite(viewing(outsider)), of), [{ seconds: 1_767_225_600, count: 4 }])
        yield* samePaginated((page) => store.feed(viewerOfSite(viewing(owner)), of, page))
        yield* Effect.orDie((yield* releases.store).patch({ repositoryId: shut.id }, release.id, { draft: true }))
        yield* (yield* comments.store).remove({ issueId: issue.id }, comment.id)
        equal(yield* texts(owner), [["A new door", "The door"], 3])
        yield* (yield* issues.store).remove({ repositoryId: shut.id }, issue.id)
        equal(yield* texts(owner), [["A new door"], 2])
      }
    ),
    "return the actor only to viewers who can see the account": Effect.gen(function* () {
      const { group, hidden, member, owner } = yield* fixture
      const of: FeedFilter<ActivitySource> = { of: { organization: group.id }, privateToo: true }
      const doers = (viewer: Parameters<typeof readFeed>[0]) =>
        Effect.map(readFeed(viewer, of), ({ rows }) => rows.map(([, , name]) => name))
      equal(yield* doers(viewerOfSite(viewing(member))), [undefined, owner.name])
      equal(yield* doers(viewerOfSite(viewing({ ...member, admin: true }))), [hidden.name, owner.name])
    }),
    "count the listed activities per quarter of an hour, earliest first": Effect.gen(function* () {
      const { group, outsider, owner } = yield* fixture
      const store = yield* EventStore
      const of: FeedFilter<ActivitySource> = { of: { organization: group.id }, privateToo: true }
      const counts = (viewer: ReturnType<typeof viewing>, filter = of) =>
        store.activeTimes(viewerOfSite(viewer), filter)
      // All events of the fixture happened in the first quarter of 2026.
      equal(yield* counts(viewing(owner)), [{ seconds: 1_767_225_600, count: 2 }])
      equal(yield* counts(viewing(outsider)), [{ seconds: 1_767_225_600, count: 1 }])
      equal(yield* counts(viewing(owner), { ...of, since: moment(1_000) }), [])
    })
  }
}
