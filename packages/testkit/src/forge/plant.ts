import { assert } from "@effect/vitest"
import { Vault } from "@slipway/domain"
import type { ItemKind } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type CollaboratorLevel,
  type OwnerKey,
  ProtectionStore,
  RepositoryStore,
  switchesBut
} from "@slipway/domain/forge/code"
import { trackedTimes } from "@slipway/domain/forge/collaboration"
import {
  BlockStore,
  OrganizationStore,
  PasswordHasher,
  SecondFactorStore,
  secondFactorOwner,
  stepAt,
  type TeamId,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { DateTime, Effect, Redacted } from "effect"
import {
  moment,
  newCommentOn,
  newIssueIn,
  newOrganization,
  newPullIn,
  newReleaseIn,
  newRepository,
  newReviewCommentIn,
  newReviewOf,
  newTeam,
  newUser
} from "./builders.ts"
import { rulesOfProtection } from "./pushes.ts"
import { codeFor, type TestEnv } from "./testEnv.ts"
import type { Asker, World, WorldItem } from "./World.ts"

/** The password of every user of a test world. */
export const worldPassword = "correct horse battery"
const secret = Redacted.make("the secret of every second factor")

/** Enables a second factor for a user of a test world. `worldCode` returns its current code. */
export const plantSecondFactor = Effect.fnUntraced(function* (userId: UserId) {
  const sealed = yield* (yield* Vault).seal(secondFactorOwner(userId), secret)
  yield* (yield* SecondFactorStore).write({ userId, secret: sealed, confirmed: true, lastStep: 0 })
})

/** Returns the current one-time code, which is the same for all users of a test world. */
export const worldCode = Effect.map(DateTime.now, (at) => codeFor(secret, stepAt(DateTime.toEpochMillis(at))))

/** Stores the users of a test world. All have the same password. */
export const plantUsers = Effect.fnUntraced(function* (world: World) {
  const users = yield* UserStore
  const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(worldPassword))
  for (const [n, each] of [...world.users.values()].entries()) {
    const { admin, createsOrganizations, name, restricted, secondFactor, visibility } = each
    const facts = { name, visibility, admin, restricted, passwordHash, mayCreateOrganizations: createsOrganizations }
    const { id } = yield* users.insert(newUser(n, facts))
    if (secondFactor) yield* plantSecondFactor(id)
  }
})

/** Returns a value; fails the test if it is undefined. */
export const found = <A>(thing: A | undefined): A => {
  assert.isDefined(thing)
  return thing
}

/** Finds a user by name; fails the test if the user does not exist. */
export const userNamed = (name: string) =>
  Effect.flatMap(UserStore, (users) => Effect.map(users.named(name), (named) => found(named).user))

/** Finds an organization by name; fails the test if it does not exist. */
export const organizationNamed = (name: string) =>
  Effect.flatMap(OrganizationStore, (store) => Effect.map(store.named(name), (named) => found(named).organization))

/** Finds a team by the path `organization/team`; fails the test if it does not exist. */
export const teamAt = Effect.fnUntraced(function* (path: string) {
  const [organization = "", name = ""] = path.split("/")
  return found(yield* (yield* TeamStore).named((yield* organizationNamed(organization)).id, name))
})

/** Finds a repository by the path `owner/repository`; fails the test if it does not exist. */
export const repositoryAt = Effect.fnUntraced(function* (path: string) {
  const [owner = "", name = ""] = path.split("/")
  return found(yield* (yield* RepositoryStore).named(owner, name)).repository
})

/**
 * Resets the replay protection of the one-time codes of a user, so that the next sign-in can use the same code again.
 */
export const renewCode = Effect.fnUntraced(function* ({ users }: World, { name, token }: Asker) {
  if (name === undefined || token !== undefined || users.get(name)?.secondFactor !== true) return
  yield* plantSecondFactor((yield* userNamed(name)).id)
})

/** Stores the organizations, repositories and teams of a test world. Its users must be stored first. */
export const plantOrganizations = Effect.fnUntraced(function* (world: World) {
  const organizations = yield* OrganizationStore
  const repositories = yield* RepositoryStore
  const teams = yield* TeamStore
  for (const [n, { name, visibility }] of [...world.organizations.values()].entries()) {
    yield* organizations.insert(newOrganization(n, { name, visibility }))
  }
  for (const [n, each] of world.repositories.entries()) {
    const { archived, mirror, name, off, private: isPrivate } = each
    const owner: OwnerKey = world.organizations.has(each.owner)
      ? { kind: "organization", id: (yield* organizationNamed(each.owner)).id }
      : { kind: "user", id: (yield* userNamed(each.owner)).id }
    const units = switchesBut(...off)
    const { id } = yield* repositories.insert(
      newRepository(n, owner, { name, private: isPrivate, archived, mirror, units })
    )
    for (const [user, level] of each.collaborators) {
      yield* repositories.setCollaborator(id, {
        userId: (yield* userNamed(user)).id,
        level: level as CollaboratorLevel
      })
    }
  }
  for (const [n, each] of world.teams.entries()) {
    const { createsRepositories, members, name, owners, repositories: held, units, visibility } = each
    const { id } = yield* teams.insert(
      newTeam(n, yield* organizationNamed(each.organization), {
        name,
        units,
        visibility,
        owners,
        includesAllRepositories: held === "all",
        mayCreateRepositories: createsRepositories
      })
    )
    for (const member of members) yield* teams.addMember(id, (yield* userNamed(member)).id)
    for (const repository of held === "all" ? [] : held) {
      const isHeld = yield* teams.addRepository(id, (yield* repositoryAt(`${each.organization}/${repository}`)).id)
      assert.isTrue(isHeld)
    }
  }
})

/** Stores the blocks between users of a test world. Its organizations must be stored first. */
const plantBlocks = Effect.fnUntraced(function* (world: World) {
  for (const { blocked, blocker } of world.blocks) {
    const by = world.organizations.has(blocker) ? yield* organizationNamed(blocker) : yield* userNamed(blocker)
    yield* (yield* BlockStore).add({ blocker: by.id, blocked: (yield* userNamed(blocked)).id, note: "" })
  }
})

type Planter = (
  item: WorldItem,
  repository: RepositoryId,
  author: UserId
) => Effect.Effect<number | string, never, TestEnv>

const isOn = ({ facts }: WorldItem, fact: string): boolean => facts.get(fact) === true

const plantPull = (item: WorldItem, repository: RepositoryId, author: UserId) =>
  newPullIn(repository, author, item.path, { locked: isOn(item, "locked") })

const plantReview = Effect.fnUntraced(function* (item: WorldItem, repository: RepositoryId, author: UserId) {
  const issue = yield* plantPull(item, repository, author)
  const reviewer = userOf(item, "reviewer")
  const state = isOn(item, "pending") ? ("pending" as const) : ("commented" as const)
  const by = reviewer === undefined ? author : (yield* userNamed(reviewer)).id
  const { id } = yield* newReviewOf(issue, by, { state })
  return { issue, number: issue.number, id, by }
})

const plantThread = Effect.fnUntraced(function* (item: WorldItem, repository: RepositoryId, author: UserId) {
  const { by, id, issue, number } = yield* plantReview(item, repository, author)
  return { number, id: (yield* newReviewCommentIn(issue, id, by)).id }
})

/** The functions that store a resource within a repository and return its number, by resource type. */
const planters: { readonly [K in ItemKind]: Planter } = {
  issue: (item, repository, author) =>
    Effect.map(
      newIssueIn(repository, author, item.path, { pull: isOn(item, "pull"), locked: isOn(item, "locked") }),
      ({ number }) => number
    ),
  subscriber: (item, repository, author) => planters.issue(item, repository, author),
  comment: Effect.fnUntraced(function* (item, repository, author) {
    const writer = userOf(item, "commentAuthor")
    const issue = yield* newIssueIn(repository, author, item.path, {
      pull: isOn(item, "pull"),
      locked: isOn(item, "locked")
    })
    const wrote = writer === undefined ? author : (yield* userNamed(writer)).id
    return (yield* newCommentOn(issue, wrote, item.path)).id
  }),
  trackedTime: Effect.fnUntraced(function* (item, repository, author) {
    const worker = userOf(item, "worker")
    const { id, number } = yield* newIssueIn(repository, author, item.path, {
      pull: isOn(item, "pull"),
      locked: isOn(item, "locked")
    })
    const userId = worker === undefined ? author : (yield* userNamed(worker)).id
    const time = { issueId: id, userId, seconds: 60, createdAt: moment(1) }
    return `${number}/${(yield* Effect.orDie((yield* trackedTimes.store).insert(time))).id}`
  }),
  pull: (item, repository, author) => Effect.map(plantPull(item, repository, author), ({ number }) => number),
  review: (item, repository, author) =>
    Effect.map(plantReview(item, repository, author), ({ id, number }) => `${number}/${id}`),
  reviewComment: (item, repository, author) => Effect.map(plantThread(item, repository, author), ({ id }) => id),
  reviewThread: (item, repository, author) =>
    Effect.map(plantThread(item, repository, author), ({ id, number }) => `${number}/${id}`),
  release: (item, repository, author) =>
    Effect.map(newReleaseIn(repository, author, item.path, { draft: isOn(item, "draft") }), ({ id }) => id),
  taggedRelease: (item, repository, author) =>
    Effect.map(
      newReleaseIn(repository, author, item.path.split("#")[1] ?? "", { draft: isOn(item, "draft") }),
      ({ tag }) => tag
    ),
  repositoryUser: ({ path }) => Effect.succeed(path.split("#")[1] ?? ""),
  heldTeam: ({ path }) => Effect.succeed(path.split("#")[1] ?? "")
}

const userOf = ({ facts }: WorldItem, fact: string): string | undefined => {
  const value = facts.get(fact)
  return value === undefined || value === true ? undefined : value.user
}

/**
 * Stores the resources within repositories of a test world, such as issues. Its repositories must be stored first.
 *
 * Stores assign the numbers of these resources, so a world must list them in the order of their numbers.
 */
const plantItems = Effect.fnUntraced(function* (world: World) {
  for (const item of world.items) {
    const [path = "", key = ""] = item.path.split("#")
    const repository = yield* repositoryAt(path)
    const author = userOf(item, "author") ?? [...world.users.keys()][0] ?? ""
    const number = yield* planters[item.kind](item, repository.id, (yield* userNamed(author)).id)
    assert.strictEqual(String(number), key, `${item.kind} ${item.path} is stored under another number`)
  }
})

/** Stores the branch protections of a test world. Its teams must be stored first. */
const plantProtections = Effect.fnUntraced(function* ({ protections, teams, users }: World) {
  for (const [n, each] of protections.entries()) {
    const { id, owner } = yield* repositoryAt(each.repository)
    const named = [each.push, each.force].flatMap((list) => (list === "*" ? [] : list))
    const userIds = new Map<string, UserId>()
    for (const name of named) if (users.has(name)) userIds.set(name, (yield* userNamed(name)).id)
    const teamIds = new Map<string, TeamId>()
    for (const { name, organization } of teams) {
      if (organization === owner.name && named.includes(name)) {
        teamIds.set(name, (yield* teamAt(`${organization}/${name}`)).id)
      }
    }
    const numbers = { user: (name: string) => userIds.get(name), team: (name: string) => teamIds.get(name) }
    yield* Effect.orDie(
      (yield* ProtectionStore).insertBranch({
        ...rulesOfProtection(each, numbers),
        repositoryId: id,
        ruleName: each.rule,
        priority: 1,
        createdAt: moment(n),
        updatedAt: moment(n)
      })
    )
  }
})

/** Stores all resources of a test world. Its users must be stored first. */
export const plantResources = Effect.fnUntraced(function* (world: World) {
  yield* plantOrganizations(world)
  yield* plantProtections(world)
  yield* plantItems(world)
  yield* plantBlocks(world)
})
