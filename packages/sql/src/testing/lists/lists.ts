import type { Page, PageRequest } from "@slipway/domain"
import { anonymous, fullScope, newSiteSwitches } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore, type RepositoryViewer } from "@slipway/domain/forge/code"
import { EventStore } from "@slipway/domain/forge/events"
import { EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import {
  callerFacts,
  EmailSearch,
  MemberStore,
  type OrganizationId,
  OrganizationStore,
  type TeamId,
  TeamStore,
  type UserId,
  UserStore,
  type Viewer
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { seededNumbers } from "./seed.ts"

const first = { page: 1, perPage: 30 }
const third = { page: 3, perPage: 30 }
const tooDeep = { page: 10_000, perPage: 30 }

/**
 * The number of 8 KiB pages that a query may read and still count as constant: pages of the index of the list, and of
 * thirty rows that are read by id with their owners. A row takes two pages on a small site and three on a larger site.
 */
const few = 150

/**
 * Returns the factor by which the number of pages that a list reads grows from a small site to a larger site.
 *
 * @example
 * pageGrowthOf(40, 180) // => 1.2
 * pageGrowthOf(400, 600) // => 1.5
 */
export const pageGrowthOf = (before: number, after: number): number => after / Math.max(before, few)

/** Pages of one list, by request. */
type Asks<R> = Readonly<Record<string, Effect.Effect<Page<unknown>, never, R>>>

const pagesOf = <R>(name: string, list: (page: PageRequest) => Effect.Effect<Page<unknown>, never, R>): Asks<R> => ({
  [name]: list(first),
  [`${name}, page 3`]: list(third),
  [`${name}, page 10,000`]: list(tooDeep)
})

/** Returns the viewer of lists for a user id, or the anonymous viewer. */
export const viewerOf = Effect.fnUntraced(function* (id: number) {
  const user = yield* (yield* UserStore).find(id as UserId)
  const viewer: Viewer =
    user === undefined
      ? { facts: anonymous, userId: undefined }
      : { facts: callerFacts(user, fullScope, { withPassword: false, sudo: false }), userId: user.id }
  return { ...viewer, switches: newSiteSwitches } satisfies RepositoryViewer
})

/**
 * Returns the queries of all lists of the forge that grow with the site, for measurement on the rows of `seedLists`.
 */
export const measuredLists = (numbers: ReturnType<typeof seededNumbers>) =>
  Effect.gen(function* () {
    const repositories = yield* RepositoryStore
    const users = yield* UserStore
    const organizations = yield* OrganizationStore
    const members = yield* MemberStore
    const teams = yield* TeamStore
    const emails = yield* EmailSearch
    const events = yield* EventStore
    const access = yield* EffectiveAccessStore
    const admin = yield* viewerOf(numbers.admin)
    const ordinary = yield* viewerOf(numbers.ordinary)
    const nobody = yield* viewerOf(0)
    const organization = numbers.organization as OrganizationId
    const team = numbers.allOfFirst as TeamId
    const repository = numbers.repository as RepositoryId
    const owner = organization
    const search = (viewer: RepositoryViewer, filter: Parameters<typeof repositories.list>[1]) => (page: PageRequest) =>
      repositories.list(viewer, filter, page)
    const behind = <R>(list: (page: PageRequest) => Effect.Effect<Page<unknown>, never, R>, after: string) =>
      list({ ...first, after })
    /** The pages that a preview of a list of pairs reads: before the change, and after it. */
    const dryRun = (page: PageRequest) =>
      Effect.tap(
        access.list({ kind: "team", id: team }, { kind: "organization", id: organization }, page),
        ({ rows }) => access.find(rows.map((pair) => ({ user: pair.user.id, repository: pair.repository.id })))
      )
    return {
      ...pagesOf("repositories, anonymous", search(nobody, {})),
      ...pagesOf("repositories, a user", search(ordinary, {})),
      ...pagesOf("repositories, an administrator", search(admin, {})),
      ...pagesOf("repositories by name", search(ordinary, { order: "fullName" })),
      ...pagesOf("repositories, the newest first", search(ordinary, { order: "createdAt", descending: true })),
      "repositories by change": search(ordinary, { order: "updatedAt" })(first),
      "repositories, the largest first": search(ordinary, { order: "size", descending: true })(first),
      "repositories by name after a cursor": behind(
        search(ordinary, { order: "fullName" }),
        '["organization-2", "repository-2", 600]'
      ),
      "repositories, those of an owner first": search(ordinary, { first: owner, order: "fullName" })(third),
      "repositories of an organization, the newest first": search(ordinary, {
        owner,
        order: "createdAt",
        descending: true
      })(first),
      "repositories by name, q with every name": search(ordinary, { text: "repo", order: "fullName" })(first),
      "repositories after a cursor": behind(search(ordinary, {}), "[600]"),
      "repositories, q without a hit": search(ordinary, { text: "zebra" })(first),
      "repositories, q of two characters without a hit": search(ordinary, { text: "zz" })(first),
      "repositories, q with one hit": search(admin, { text: "single" })(first),
      "repositories, q with every name": search(ordinary, { text: "repo" })(first),
      ...pagesOf("repositories of an organization, a member", search(ordinary, { owner })),
      "repositories of an organization, anonymous": search(nobody, { owner })(first),
      "repositories of an organization, q without a hit": search(ordinary, { owner, text: "zebra" })(first),
      ...pagesOf("repositories of a team", search(ordinary, { team })),
      ...pagesOf("users, anonymous", (page) => users.search(nobody, {}, page)),
      "users, q without a hit": users.search(nobody, { text: "zebra" }, first),
      "users, q with every name": users.search(nobody, { text: "user" }, first),
      ...pagesOf("users, an administrator", (page) => users.search(admin, {}, page)),
      "users after a cursor": behind((page) => users.search(nobody, {}, page), '["user-250"]'),
      ...pagesOf("organizations, anonymous", (page) => organizations.directory(nobody, page)),
      "organizations, a user": organizations.directory(ordinary, first),
      ...pagesOf("members, a member", (page) =>
        members.list(ordinary, organization, { hiddenToo: false, publicOnes: false }, page)
      ),
      "members, an owner": members.list(admin, organization, { hiddenToo: true, publicOnes: false }, first),
      "public members, anonymous": members.list(nobody, organization, { hiddenToo: false, publicOnes: true }, first),
      ...pagesOf("members of a team", (page) => teams.members(ordinary, team, page)),
      ...pagesOf("teams, an owner", (page) => teams.list(admin, organization, {}, page)),
      "teams, a member": teams.list(ordinary, organization, {}, first),
      "teams, q without a hit": teams.list(admin, organization, { text: "zebra" }, first),
      "teams, by name": teams.list(admin, organization, { name: "TEAM-1" }, { page: 1, perPage: 1 }),
      ...pagesOf("addresses", (page) => emails.search("", page)),
      "addresses, q without a hit": emails.search("zebra", first),
      "addresses, q with every address": emails.search("example", first),
      ...pagesOf("log", (page) => events.audit({}, page)),
      "log of an organization": events.audit({ organization }, first),
      "log of a user": events.audit({ actor: "user-2" }, first),
      "log of an action": events.audit({ action: "repository.edit" }, first),
      "log of an action without a hit": events.audit({ action: "team.create" }, first),
      ...pagesOf("access to a repository", (page) =>
        access.list(
          { kind: "repository", id: repository, membersToo: false },
          { kind: "repository", id: repository },
          page
        )
      ),
      ...pagesOf("access of a team", (page) =>
        access.list({ kind: "team", id: team }, { kind: "organization", id: organization }, page)
      ),
      ...pagesOf("dry run of a team", dryRun),
      "access of a team after a cursor": behind(
        (page) => access.list({ kind: "team", id: team }, { kind: "organization", id: organization }, page),
        '[1,"user-12"]'
      )
    }
  })
