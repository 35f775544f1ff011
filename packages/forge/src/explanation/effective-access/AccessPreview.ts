import { Level } from "@slipway/access"
import type { Page, PageRequest } from "@slipway/domain"
import { Transaction } from "@slipway/domain"
import type { SwitchFacts } from "@slipway/domain/forge/access"
import { anonymous, ordinary, type Unit, unitKeys } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  noRepositoryGrants,
  type Repository,
  RepositoryNotFound,
  RepositoryStore,
  repositoryFacts,
  viewerOn
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type AccessPair,
  EffectiveAccessStore,
  type Levels,
  levelsOf,
  type People,
  pairFacts,
  type RepositoryRange
} from "@slipway/domain/forge/explanation"
import type { Team, User, Viewer } from "@slipway/domain/forge/identity"
import { type Organization, OrganizationNotFound, OrganizationStore } from "@slipway/domain/forge/identity"
import { Data, Effect } from "effect"
import { findUserUnlessHiddenRename } from "../../identity/accounts/Users.ts"
import type { TeamEdit } from "../../identity/teams/Teams.ts"
import { knownTo, pairsWithin } from "./EffectiveAccesses.ts"

/** The two groups of callers without individual permissions: all anonymous callers, and all signed-in users. */
export const audiences = ["anonymous", "signed-in"] as const
export type Audience = (typeof audiences)[number]

/** A user or a group of callers with changed access. */
export type AffectedSubject =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "audience"; readonly audience: Audience }

/** The permission level before and after a change. */
export interface Step {
  readonly before: Level
  readonly after: Level
}

/**
 * The change of a user's access to a repository: the level on the repository, and the level on each unit (feature) that
 * differs.
 */
export interface Change {
  readonly who: AffectedSubject
  readonly repository: Repository
  readonly permission: Step
  readonly units: { readonly [U in Unit]?: Step }
}

/** Returns whether a change lowers the level on the repository or on a unit. */
export const loses = ({ permission, units }: Change): boolean =>
  [permission, ...Object.values(units)].some(({ after, before }) => after < before)

/** Returns whether a change raises the level on the repository or on a unit. */
export const gains = ({ permission, units }: Change): boolean =>
  [permission, ...Object.values(units)].some(({ after, before }) => after > before)

/** The permission levels of a user or group of callers on a repository at one time. */
interface AccessSnapshot {
  readonly who: AffectedSubject
  readonly repository: Repository
  readonly levels: Levels
}

const compare = (before: AccessSnapshot, after: AccessSnapshot): Change => ({
  who: before.who,
  repository: before.repository,
  permission: { before: before.levels.permission, after: after.levels.permission },
  units: Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const step = { before: before.levels.units[unit] ?? Level.none, after: after.levels.units[unit] ?? Level.none }
      return step.before === step.after ? [] : [[unit, step]]
    })
  )
})

const snapshotOf =
  (switches: SwitchFacts) =>
  (pair: AccessPair): AccessSnapshot => ({
    who: { kind: "user", user: pair.user },
    repository: pair.repository,
    levels: levelsOf(pairFacts(switches, pair))
  })

/** The two groups of callers as viewers without an account. */
export const audienceViewers: Readonly<Record<Audience, Viewer>> = {
  anonymous: { facts: anonymous, userId: undefined },
  // A second factor is required per user.
  "signed-in": { facts: { ...ordinary, secondFactor: true }, userId: undefined }
}

const audienceSnapshots =
  (switches: SwitchFacts) =>
  (repository: Repository): ReadonlyArray<AccessSnapshot> =>
    audiences.map((audience) => ({
      who: { kind: "audience", audience },
      repository,
      levels: levelsOf(repositoryFacts(audienceViewers[audience], switches, { repository, grants: noRepositoryGrants }))
    }))

/** Makes a transaction roll back, and passes the result out of it as an error. */
class Undone extends Data.TaggedError("Undone")<{ readonly page: Page<Change> }> {}

/** Effects that read the access before a change, and again after it. */
interface Look<R> {
  readonly before: Effect.Effect<Page<AccessSnapshot>, never, R>
  readonly again: (before: ReadonlyArray<AccessSnapshot>) => Effect.Effect<ReadonlyArray<AccessSnapshot>, never, R>
}

/**
 * Computes how a change would affect access: performs it in a transaction, compares the access before and after, and
 * rolls the transaction back.
 *
 * It runs the real use case, so that the preview matches the real effect. The total of a page counts all pairs of user
 * and repository; the page contains only those that differ.
 */
const undone = Effect.fnUntraced(function* <A, E, R, E2, R2, R3>(
  lock: Effect.Effect<void, E2, R2>,
  { again, before }: Look<R3>,
  change: Effect.Effect<A, E, R>
) {
  const transaction = yield* Transaction
  return yield* transaction
    .run(
      Effect.gen(function* () {
        yield* lock
        const { rows, ...rest } = yield* before
        yield* change
        const after = yield* again(rows)
        const changes = rows.flatMap((each, at) => {
          const then = after[at]
          return then === undefined ? [] : [compare(each, then)]
        })
        return yield* new Undone({ page: { ...rest, rows: changes.filter((each) => loses(each) || gains(each)) } })
      })
    )
    .pipe(
      Effect.catchIf(
        (error): error is Undone => error instanceof Undone,
        ({ page }) => Effect.succeed(page)
      )
    )
})

const lockOrganization = Effect.fnUntraced(function* ({ id, name }: Pick<Organization, "id" | "name">) {
  if ((yield* (yield* OrganizationStore).lock(id)) === undefined) return yield* new OrganizationNotFound({ name })
})

const lockRepository = Effect.fnUntraced(function* ({ id, name, owner }: Repository) {
  if (owner.kind === "organization") yield* (yield* OrganizationStore).lock(owner.id)
  const present = yield* (yield* RepositoryStore).lock(id)
  if (present === undefined) return yield* new RepositoryNotFound({ name: `${owner.name}/${name}` })
})

/** Returns the effects that read the access of pairs of users and repositories before a change, and again after it. */
const lookAtPairs = <R>(
  pairs: Effect.Effect<Page<AccessPair>, never, R>
): Look<R | EffectiveAccessStore | SiteSettings> => ({
  before: Effect.gen(function* () {
    const { switches } = yield* SiteSettings
    const { rows, ...rest } = yield* pairs
    return { ...rest, rows: rows.map(snapshotOf(switches)) }
  }),
  again: Effect.fnUntraced(function* (before) {
    const { switches } = yield* SiteSettings
    const ids = before.flatMap(({ repository, who }) =>
      who.kind === "user" ? [{ user: who.user.id, repository: repository.id }] : []
    )
    return (yield* (yield* EffectiveAccessStore).find(ids)).map(snapshotOf(switches))
  })
})

const pairsOf = (people: People, repositories: RepositoryRange, page: PageRequest) =>
  Effect.flatMap(EffectiveAccessStore, (store) => store.list(people, repositories, page))

const repositoriesOf = (
  { id, includesAllRepositories, organizationId }: Team,
  { includesAll = false, openToo = false } = {}
): RepositoryRange => ({
  kind: "organization",
  id: organizationId,
  ...(includesAllRepositories || includesAll ? {} : { grantedTo: id, openToo })
})

/**
 * Returns whether repositories that are not private are affected by membership changes. In a private organization they
 * are, because only its members can read them.
 */
const openTo = ({ visibility }: Organization) => ({ openToo: visibility === "private" })

/** Returns how the access of a team's members would change by an edit of the team. */
export const ofTeamEdit = <A, E, R>(
  { resource: { organization, team } }: Proof<"team.edit">,
  input: Pick<TeamEdit, "includesAllRepositories">,
  edit: Effect.Effect<A, E, R>,
  page: PageRequest
) => {
  const repositories = repositoriesOf(team, { includesAll: input.includesAllRepositories === true })
  const look = lookAtPairs(pairsOf({ kind: "team", id: team.id }, repositories, page))
  return undone(lockOrganization(organization), look, edit)
}

/** Returns the access that the members of a team would lose if the team were deleted. */
export const ofTeamDeletion = <A, E, R>(
  { resource: { organization, team } }: Proof<"team.delete">,
  remove: Effect.Effect<A, E, R>,
  page: PageRequest
) => {
  const look = lookAtPairs(pairsOf({ kind: "team", id: team.id }, repositoriesOf(team, openTo(organization)), page))
  return undone(lockOrganization(organization), look, remove)
}

/** Returns the access that a user would gain as a new member of a team. */
export const ofNewMember = Effect.fnUntraced(function* <A, E, R>(
  { resource: { actor, organization, team } }: Proof<"team.member.add">,
  name: string,
  add: Effect.Effect<A, E, R>,
  page: PageRequest
) {
  const { id } = yield* findUserUnlessHiddenRename(actor, name)
  const look = lookAtPairs(pairsOf({ kind: "user", id }, repositoriesOf(team, openTo(organization)), page))
  return yield* undone(lockOrganization(organization), look, add)
})

/** Returns the access that a user would lose by removal from a team or an organization. */
export const ofFormerMember = Effect.fnUntraced(function* <A, E, R>(
  { resource: { actor, organization } }: Proof<"team.member.remove"> | Proof<"organization.member.remove">,
  name: string,
  remove: Effect.Effect<A, E, R>,
  page: PageRequest
) {
  const user = yield* findUserUnlessHiddenRename(actor, name)
  return yield* undone(lockOrganization(organization), lookAtPairs(pairsWithin(user, organization, page)), remove)
})

/**
 * Returns how the access of a team's members would change if a repository were added to the team or removed from it.
 */
export const ofTeamRepository = <A, E, R>(
  {
    resource: { actor, organization, membership, repository, team }
  }: Proof<"team.repository.add"> | Proof<"team.repository.remove">,
  change: Effect.Effect<A, E, R>,
  page: PageRequest
) => {
  const people: People = { kind: "team", id: team.id, ...knownTo(actor, membership) }
  const look = lookAtPairs(pairsOf(people, { kind: "repository", id: repository.id }, page))
  return undone(lockOrganization(organization), look, change)
}

/**
 * Returns how the access of anonymous callers and of signed-in users would change with the visibility of an
 * organization.
 *
 * Members and collaborators are not compared, because they keep their permissions.
 */
export const ofOrganization = <A, E, R>(
  { resource: { actor, organization } }: Proof<"organization.edit">,
  edit: Effect.Effect<A, E, R>,
  page: PageRequest
) => {
  const look: Look<RepositoryStore | SiteSettings> = {
    before: Effect.gen(function* () {
      const viewer = yield* viewerOn(actor)
      const { rows, ...rest } = yield* (yield* RepositoryStore).list(viewer, { owner: organization.id }, page)
      const { switches } = yield* SiteSettings
      return { ...rest, rows: rows.flatMap(({ repository }) => audienceSnapshots(switches)(repository)) }
    }),
    again: Effect.fnUntraced(function* () {
      const viewer = yield* viewerOn(actor)
      const { rows } = yield* (yield* RepositoryStore).list(viewer, { owner: organization.id }, page)
      const { switches } = yield* SiteSettings
      return rows.flatMap(({ repository }) => audienceSnapshots(switches)(repository))
    })
  }
  return undone(lockOrganization(organization), look, edit)
}

/**
 * Returns how access to a repository would change with its visibility: for anonymous callers, signed-in users,
 * organization members and collaborators.
 */
export const ofRepository = <A, E, R>(
  { resource: { actor, grants, repository } }: Proof<"repository.edit">,
  edit: Effect.Effect<A, E, R>,
  page: PageRequest
) => {
  const people: People = {
    kind: "repository",
    id: repository.id,
    membersToo: true,
    ...knownTo(actor, grants.membership)
  }
  const pairs = lookAtPairs(pairsOf(people, { kind: "repository", id: repository.id }, page))
  // The audiences precede the users, on the first page.
  const everybody = (present: Repository) =>
    Effect.map(SiteSettings, ({ switches }) =>
      page.page === 1 && page.after === undefined ? audienceSnapshots(switches)(present) : []
    )
  const look: Look<EffectiveAccessStore | RepositoryStore | SiteSettings> = {
    before: Effect.gen(function* () {
      const { rows, ...rest } = yield* pairs.before
      return { ...rest, rows: [...(yield* everybody(repository)), ...rows] }
    }),
    again: Effect.fnUntraced(function* (before) {
      const present = (yield* (yield* RepositoryStore).find(repository.id)) ?? repository
      return [...(yield* everybody(present)), ...(yield* pairs.again(before))]
    })
  }
  return undone(lockRepository(repository), look, edit)
}
