import { assert } from "@effect/vitest"
import { Vault } from "@slipway/domain"
import {
  type Action,
  type ActionName,
  type Actor,
  accessTokens,
  actions,
  BlockStore,
  type CollaboratorLevel,
  Entry,
  hashOf,
  type ItemKind,
  installed,
  itemKeysNamed,
  itemKinds,
  type LoadedKind,
  makeTokenText,
  OrganizationStore,
  type OwnerKey,
  PasswordHasher,
  type RepositoryId,
  RepositoryStore,
  SecondFactorStore,
  type Stores,
  secondFactorOwner,
  stepAt,
  switchesBut,
  type Target,
  TeamStore,
  trackedTimes,
  type UserId,
  UserStore
} from "@slipway/domain/forge"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import { type Contract, register } from "../contract.ts"
import type { Answered } from "./ask.ts"
import {
  all,
  moment,
  newAccessToken,
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
import { accessCases } from "./cases/access.ts"
import { parseQuestions, parseWorld, type Question } from "./parse.ts"
import { codeFor, type TestEnv, testEnv } from "./testEnv.ts"
import type { Asker, World, WorldItem } from "./World.ts"

const password = "correct horse battery"
const secret = Redacted.make("the secret of every second factor")

/** Gives a user of a world a second factor, whose codes `worldCode` makes. */
export const plantSecondFactor = Effect.fnUntraced(function* (userId: UserId) {
  const sealed = yield* (yield* Vault).seal(secondFactorOwner(userId), secret)
  yield* (yield* SecondFactorStore).write({ userId, secret: sealed, confirmed: true, lastStep: 0 })
})

/** The present code of every second factor of a world. */
export const worldCode = Effect.map(DateTime.now, (at) => codeFor(secret, stepAt(DateTime.toEpochMillis(at))))

/** Stores the users of a world, all with one password. */
export const plantUsers = Effect.fnUntraced(function* (world: World) {
  const users = yield* UserStore
  const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  for (const [n, each] of [...world.users.values()].entries()) {
    const { admin, createsOrganizations, name, restricted, secondFactor, visibility } = each
    const facts = { name, visibility, admin, restricted, passwordHash, mayCreateOrganizations: createsOrganizations }
    const { id } = yield* users.insert(newUser(n, facts))
    if (secondFactor) yield* plantSecondFactor(id)
  }
})

const found = <A>(thing: A | undefined): A => {
  assert.isDefined(thing)
  return thing
}

const userNamed = (name: string) =>
  Effect.flatMap(UserStore, (users) => Effect.map(users.named(name), (named) => found(named).user))

const organizationNamed = (name: string) =>
  Effect.flatMap(OrganizationStore, (store) => Effect.map(store.named(name), (named) => found(named).organization))

/** Finds a team that is there, by the names of its organization and its own. */
export const teamAt = Effect.fnUntraced(function* (path: string) {
  const [organization = "", name = ""] = path.split("/")
  return found(yield* (yield* TeamStore).named((yield* organizationNamed(organization)).id, name))
})

/** Finds a repository that is there, by the names of its owner and its own. */
export const repositoryAt = Effect.fnUntraced(function* (path: string) {
  const [owner = "", name = ""] = path.split("/")
  return found(yield* (yield* RepositoryStore).named(owner, name)).repository
})

/** Stores the organizations, repositories and teams of a world, after its users. */
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

/** Stores who blocks whom in a world, after its organizations. */
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

/** Stores a thing within a repository of a world, and answers the number that names it. */
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
  const given = facts.get(fact)
  return given === undefined || given === true ? undefined : given.user
}

/**
 * Stores the things within repositories of a world, after its repositories.
 *
 * Stores number them by themselves, so that a world has to name them in that order.
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

/** Stores all that is in a world, after its users. */
export const plantThings = Effect.fnUntraced(function* (world: World) {
  yield* plantOrganizations(world)
  yield* plantItems(world)
  yield* plantBlocks(world)
})

/** Returns what someone of a world sends to sign in. */
export const sentBy = Effect.fnUntraced(function* (asker: Asker) {
  const address = NetAddress.ipFromStringUnsafe("192.0.2.1")
  if (asker.name === undefined) return { address }
  const user = yield* userNamed(asker.name)
  if (asker.token === undefined) {
    const authorization = `Basic ${Base64.encode(`${asker.name}:${password}`)}`
    return { address, authorization, oneTimeCode: yield* worldCode }
  }
  const text = yield* makeTokenText
  const token = newAccessToken(1, user, { scopes: asker.token, hash: yield* hashOf(text) })
  yield* Effect.orDie((yield* accessTokens.store).insert(token))
  return { address, authorization: `Bearer ${text}` }
})

const answered = (
  effect: Effect.Effect<ReadonlyArray<string>, unknown, TestEnv>
): Effect.Effect<Answered, unknown, TestEnv> =>
  Effect.matchEffect(effect, {
    onSuccess: (by): Effect.Effect<Answered, unknown> => Effect.succeed({ answer: "allowed", by }),
    onFailure: (error) =>
      error instanceof Entry.AccessRefused
        ? Effect.succeed({ answer: String(error.decision.answer.status), by: error.decision.by })
        : Effect.fail(error)
  })

const lists: Readonly<
  Record<string, (actor: Actor, world: World) => Effect.Effect<ReadonlyArray<string>, never, TestEnv>>
> = {
  user: (actor) =>
    Effect.flatMap(UserStore, (store) =>
      Effect.map(store.search(actor, {}, all), ({ rows }) => rows.map((row) => row.name))
    ),
  "organization-directory": (actor) =>
    Effect.flatMap(OrganizationStore, (store) =>
      Effect.map(store.directory(actor, all), ({ rows }) => rows.map((row) => row.name))
    ),
  team: Effect.fnUntraced(function* (actor, world) {
    const names: Array<string> = []
    for (const organization of world.organizations.keys()) {
      const { id } = yield* organizationNamed(organization)
      const { rows } = yield* (yield* TeamStore).list(actor, id, {}, all)
      names.push(...rows.map((row) => `${organization}/${row.name}`))
    }
    return names
  }),
  repository: Effect.fnUntraced(function* (actor, world) {
    const viewer = { ...actor, switches: { ...installed, ...world.site } }
    const { rows, total } = yield* (yield* RepositoryStore).list(viewer, {}, all)
    assert.strictEqual(total, rows.length)
    return rows.map(({ repository }) => `${repository.owner.name}/${repository.name}`)
  })
}

const named = (path: string) => {
  const [owner = "", repository = ""] = path.split("/")
  return { owner, repository }
}

const itemTarget = (kind: ItemKind) => (path: string) => {
  const [repository = "", key = ""] = path.split("#")
  return Effect.succeed({ kind, ...named(repository), keys: itemKeysNamed(kind, key) })
}

const itemTargets = Object.fromEntries(itemKinds.map((kind) => [kind, itemTarget(kind)])) as unknown as Pick<
  Targets,
  ItemKind
>

type Targets = { readonly [K in LoadedKind]: (a: string, b: string) => Effect.Effect<Target<K>, never, TestEnv> }

const targets: Targets = {
  ...itemTargets,
  site: () => Effect.succeed({ kind: "site" }),
  user: (name) => Effect.succeed({ kind: "user", name }),
  organization: (organization) => Effect.succeed({ kind: "organization", organization }),
  organizationUser: (organization, name) => Effect.succeed({ kind: "organizationUser", organization, name }),
  team: (path) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id })),
  teamRepository: (path, repository) =>
    Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, ...named(repository) })),
  repository: (path) => Effect.succeed({ kind: "repository", ...named(path) }),
  packageOwner: (owner) => Effect.succeed({ kind: "packageOwner", owner })
}

/** Answers a question from the stores, as a request would be answered. */
const askStored = Effect.fnUntraced(function* (world: World, question: Question) {
  const sent = yield* sentBy(question.asker)
  const [first = "", second = ""] = question.things
  if (question.action === "lists") {
    const { actor } = yield* Entry.enter(sent, { kind: "site" })
    const names = yield* found(lists[first])(actor, world)
    return { answer: names.join(", "), by: [] }
  }
  const action = question.action as "user.read"
  const { on } = actions[action as ActionName] as Action
  const about: Target<LoadedKind> = yield* targets[on as LoadedKind](first, second)
  return yield* answered(
    Effect.flatMap(Entry.enter(sent, about), (entered) =>
      Effect.map(Entry.authorize(action, entered as never), (proof) => proof.by)
    )
  )
})

const isStored = ({ action, things }: Question): boolean =>
  action === "lists" ? (things[0] ?? "") in lists : (actions[action as ActionName] as Action).on in targets

const inOrder = (answer: Answered): Answered =>
  answer.answer.includes(", ") ? { ...answer, answer: answer.answer.split(", ").toSorted().join(", ") } : answer

/** Registers the questions of the worlds that stores answer; `layer` is built anew for each, and empty. */
export const worlds = <E>(name: string, layer: Layer.Layer<Stores, E>): void => {
  for (const each of accessCases) {
    const world = parseWorld(each.world)
    const questions = parseQuestions(each.questions).filter(isStored)
    if (questions.length === 0) continue
    const contract: Contract<TestEnv> = {
      port: each.name,
      musts: Object.fromEntries(
        questions.map((question) => [
          question.text,
          Effect.gen(function* () {
            yield* plantUsers(world)
            yield* plantThings(world)
            const { answer, by } = question
            assert.deepStrictEqual(inOrder(yield* askStored(world, question)), inOrder({ answer, by }))
          })
        ])
      )
    }
    const site = testEnv({ switches: { ...installed, ...world.site } })
    register(name, Layer.mergeAll(layer, site), [contract])
  }
}
