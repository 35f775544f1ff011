import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import {
  type Action,
  type ActionName,
  actions,
  allows,
  type ItemKind,
  itemKinds,
  newSiteSwitches
} from "@slipway/domain/forge/access"
import { ArtifactId } from "@slipway/domain/forge/automation"
import { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore, type RepositoryWithGrants, repositoryFacts } from "@slipway/domain/forge/code"
import { itemKeysNamed, type LoadedKind, type Target } from "@slipway/domain/forge/entry"
import {
  type Actor,
  accessTokens,
  BlockStore,
  hashOf,
  makeTokenText,
  OrganizationStore,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Pushes } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { Effect, Layer } from "effect"
import { Base64 } from "effect/encoding"
import { NetAddress } from "effect/net"
import { type Contract, register } from "../contract.ts"
import type { Scenario } from "./access/Scenario.ts"
import type { Answered } from "./ask.ts"
import { all, newAccessToken } from "./builders.ts"
import type { Question } from "./parse.ts"
import {
  found,
  organizationNamed,
  plantResources,
  plantUsers,
  renewCode,
  teamAt,
  userNamed,
  worldCode,
  worldPassword
} from "./plant.ts"
import { branchRefusal, isBranchVerb } from "./pushes.ts"
import { type TestEnv, testEnv } from "./testEnv.ts"
import type { Asker, World } from "./World.ts"

/** Returns the authentication headers of a request by a caller of a test world. */
export const sentBy = Effect.fnUntraced(function* (asker: Asker) {
  const address = NetAddress.ipFromStringUnsafe("192.0.2.1")
  if (asker.name === undefined) return { address }
  const user = yield* userNamed(asker.name)
  if (asker.token === undefined) {
    const authorization = `Basic ${Base64.encode(`${asker.name}:${worldPassword}`)}`
    return { address, authorization, oneTimeCode: yield* worldCode }
  }
  const text = yield* makeTokenText
  const hash = yield* hashOf(text)
  const token = newAccessToken(1, user, { name: hash, scopes: asker.token, hash })
  yield* Effect.orDie((yield* accessTokens.store).insert(token))
  return { address, authorization: `Bearer ${text}` }
})

/** The actions on repositories of which the lists are compared with single decisions. */
const listedActions = [
  "repository.contents.read",
  "repository.contents.change",
  "repository.edit",
  "repository.delete",
  "git.push",
  "issue.create",
  "repository.fork.create"
] as const

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
    const viewer = { ...actor, switches: { ...newSiteSwitches, ...world.site } }
    const { rows, total } = yield* (yield* RepositoryStore).list(viewer, {}, all)
    assert.strictEqual(total, rows.length)
    const owners = rows.map(({ repository }) => repository.owner.id as UserId)
    const blockers = new Set(
      actor.userId === undefined ? [] : yield* (yield* BlockStore).blockersOf(actor.userId, owners)
    )
    for (const action of listedActions) {
      const isAllowed = (row: RepositoryWithGrants) => {
        const blocked = blockers.has(row.repository.owner.id as UserId)
        return allows(action, repositoryFacts(viewer, viewer.switches, { ...row, blocked }))
      }
      const listed = yield* (yield* RepositoryStore).list(viewer, { allowing: action }, all)
      assert.deepStrictEqual(listed.rows, rows.filter(isAllowed), action)
    }
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

const aLink = {
  use: "download",
  repositoryId: RepositoryId.make(1),
  artifactId: ArtifactId.make(1),
  jobId: null,
  by: null,
  until: "2100-01-01T00:00:00.000Z"
} as const

const targets: Targets = {
  ...itemTargets,
  site: () => Effect.succeed({ kind: "site" }),
  user: (name) => Effect.succeed({ kind: "user", name }),
  organization: (organization) => Effect.succeed({ kind: "organization", organization }),
  organizationUser: (organization, name) => Effect.succeed({ kind: "organizationUser", organization, name }),
  team: (path, named) => Effect.map(teamAt(path), ({ id }) => ({ kind: "team", id, named })),
  teamRepository: (path, repository) =>
    Effect.map(teamAt(path), ({ id }) => ({ kind: "teamRepository", id, ...named(repository) })),
  repository: (path, beside) => Effect.succeed({ kind: "repository", ...named(path), named: beside }),
  packageOwner: (owner) => Effect.succeed({ kind: "packageOwner", owner }),
  signedLink: (signature) => Effect.succeed({ kind: "signedLink", opens: signature === "valid" ? aLink : undefined })
}

/** Answers from the stores whether a user can change a branch, with the reason of a denial. */
const askBranch = Effect.fnUntraced(function* (sent: Entry.EntryRequest, { action, things }: Question) {
  const [path = "", branch = ""] = things
  const entered = yield* Entry.enter(sent, { kind: "repository", ...named(path) })
  const proof = yield* Entry.authorize("git.push", entered)
  const { rules, who } = yield* Pushes.rulesOf(proof)
  const refusal = isBranchVerb(action) ? branchRefusal(rules, who, action, branch) : undefined
  return refusal === undefined ? { answer: "allowed", by: proof.by } : { answer: "403", by: [refusal] }
})

/** Answers an access question from the stores, like a request to the service. */
export const askStored = (world: World, question: Question): Effect.Effect<Answered, unknown, TestEnv> =>
  Effect.catch(
    Effect.gen(function* () {
      const sent = yield* sentBy(question.asker)
      const [first = "", second = ""] = question.things
      if (question.action === "lists") {
        const { actor } = yield* Entry.enter(sent, { kind: "site" })
        return { answer: (yield* found(lists[first])(actor, world)).join(", "), by: [] }
      }
      if (isBranchVerb(question.action)) return yield* askBranch(sent, question)
      const action = question.action as "user.read"
      const { on } = actions[action as ActionName] as Action
      const about: Target<LoadedKind> = yield* targets[on as LoadedKind](first, second)
      const entered = yield* Entry.enter(sent, about)
      return { answer: "allowed", by: (yield* Entry.authorize(action, entered as never)).by }
    }),
    (error) =>
      error instanceof Entry.AccessRefused
        ? Effect.succeed({ answer: String(error.decision.answer.status), by: error.decision.by })
        : Effect.fail(error)
  )

/** Returns whether stores can answer an access question: whether they can contain its resource. */
export const isStored = ({ action, things }: Question): boolean =>
  action === "lists"
    ? (things[0] ?? "") in lists
    : isBranchVerb(action) || (actions[action as ActionName] as Action).on in targets

/** Returns an answer with its names sorted, because stores return them in different orders. */
export const inOrder = ({ answer, by }: Answered): Answered => ({
  answer: answer.split(", ").toSorted().join(", "),
  by
})

/**
 * Registers tests that stores answer the questions of scenarios as expected.
 *
 * Each scenario is stored separately. `layer` is rebuilt for each, and must start empty.
 */
export const worlds = <E>(name: string, layer: Layer.Layer<Stores, E>, scenarios: ReadonlyArray<Scenario>): void => {
  for (const { name: port, questions, world } of scenarios) {
    const asked = questions.filter(isStored)
    if (asked.length === 0) continue
    const answers = Effect.gen(function* () {
      yield* plantUsers(world)
      yield* plantResources(world)
      for (const question of asked) {
        yield* renewCode(world, question.asker)
        const got = inOrder(yield* askStored(world, question))
        const { answer, by, text } = question
        assert.deepStrictEqual({ text, ...got }, { text, ...inOrder({ answer, by: by.length === 0 ? got.by : by }) })
      }
    })
    const site = testEnv({ switches: { ...newSiteSwitches, ...world.site } })
    const contract: Contract<TestEnv> = { port, musts: { "all requests get the expected answers": answers } }
    register(name, Layer.mergeAll(layer, site), [contract])
  }
}
