import { Level } from "@slipway/access"
import type { Action, ActionName, Explanation, FactsAbout, Kind } from "@slipway/domain/forge/access"
import {
  changesOf,
  decide,
  explainToKeeper,
  type ItemKind,
  itemKinds,
  repositoryLevel,
  rulebookOf
} from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { hasRelation as isTiedToRepository } from "@slipway/domain/forge/code"
import type { LoadedKind, Proof } from "@slipway/domain/forge/entry"
import {
  type CallerKey,
  FactsStore,
  type ItemViewer,
  isItemKind,
  itemKeysNamed,
  kinds,
  type LoadedResources,
  numberIn,
  type ResourceDecision,
  type Target
} from "@slipway/domain/forge/entry"
import { asViewer, EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import type { Viewer } from "@slipway/domain/forge/identity"
import { type Actor, MemberStore, nobody, sameName, signedInUser, type User } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { withEditableHeadBranches } from "../../collaboration/pulls/maintainerEdits.ts"
import * as OwnThings from "../../entry/CustomResources.ts"
import { findUserUnlessHiddenRename, isVisible } from "../../identity/accounts/Users.ts"

/** The question whether a user may perform an action on a resource, and why. */
export interface AccessQuestion {
  /** The name of a user; if omitted, the question is about an anonymous caller. */
  readonly user?: string | undefined
  /** The name of an action in the access tables. */
  readonly action: string
  /**
   * The resource: `org:<name>`, `team:<id>` or `repo:<owner>/<name>`, each followed by `/<user>` if the action is about
   * a user in it; `user:<name>`, `packages:<owner>` or `site`; a resource in a repository, such as
   * `issue:<owner>/<name>#<number>`; or a custom resource type and a name.
   */
  readonly resource: string
}

/** Reports that a field of a question about access is invalid. */
export class AccessQuestionInvalid extends Schema.TaggedError<AccessQuestionInvalid>()("AccessQuestionInvalid", {
  field: Schema.Literals(["user", "action", "resource"]),
  problem: Schema.String
}) {}

/** Reports that a resource does not exist, or that the caller may not ask questions about access to it. */
export class ResourceNotFound extends Schema.TaggedError<ResourceNotFound>()("ResourceNotFound", {}) {}

/** The reasons for an access decision, with those teams of the user that are relevant. */
export interface AccessExplanation extends Explanation {
  /** The changes (for example of a membership) that would reverse the decision. */
  readonly changes: ReadonlyArray<string>
  readonly user: User | undefined
  readonly teams: ReadonlyArray<string>
}

type ExplainedTarget = Target<"site" | "user" | "organization" | "team" | "repository" | "packageOwner" | ItemKind>

/**
 * Parses the resource in a question about access; undefined if it is invalid.
 *
 * @example
 * parseResource("repo:acme/site") // => { kind: "repository", owner: "acme", repository: "site" }
 * parseResource("team:12/bob") // => { kind: "team", id: 12, named: "bob" }
 * parseResource("issue:acme/site#3") // => { kind: "issue", owner: "acme", repository: "site", keys: { index: 3 } }
 * parseResource("team:x") // => undefined
 */
export const parseResource = (text: string): ExplainedTarget | undefined => {
  if (text === "site") return { kind: "site" }
  const [, kind = "", rest = ""] = /^(\w+):(.+)$/s.exec(text) ?? []
  if (isItemKind(kind)) {
    const [, owner = "", repository = "", key] = /^([^/#]+)\/([^/#]+)#(.+)$/s.exec(rest) ?? []
    const keys = itemKeysNamed(kind, key ?? "")
    // BOUNDARY: the keys are those of the kind, which the compiler can't follow through a union.
    return key === undefined ? undefined : ({ kind, owner, repository, keys } as ExplainedTarget)
  }
  switch (kind) {
    case "org": {
      const [organization = "", named] = rest.split("/")
      return { kind: "organization", organization, named }
    }
    case "user":
      return { kind: "user", name: rest }
    case "packages":
      return { kind: "packageOwner", owner: rest }
    case "team": {
      const [number, named] = rest.split("/")
      const id = numberIn(number)
      return id === 0 ? undefined : { kind: "team", id, named }
    }
    case "repo": {
      const [owner = "", repository = "", named, ...more] = rest.split("/")
      return owner === "" || repository === "" || more.length > 0
        ? undefined
        : { kind: "repository", owner, repository, named }
    }
    default:
      return undefined
  }
}

const forms = (own: ReadonlyArray<string>) =>
  `must be org:<name>, team:<id> or repo:<owner>/<name>, each with /<user> where a user there is named, user:<name>, packages:<owner>, ${own.map((kind) => `${kind}:<name>, `).join("")}site or, of ${itemKinds.join(", ")}, such as issue:<owner>/<name>#<number>`

/** Returns the facts for access decisions about a resource, as if the viewer sent a request. */
const factsOf = Effect.fnUntraced(function* <K extends LoadedKind>(
  viewer: Viewer & ItemViewer,
  about: Target<K>,
  found: LoadedResources[K] | undefined
) {
  const { switches } = yield* SiteSettings
  return (kinds[about.kind as K] as ResourceDecision<K>).facts(viewer, switches, found, about)
})

const load = Effect.fnUntraced(function* (caller: CallerKey, about: ExplainedTarget) {
  return yield* (yield* FactsStore).load({ caller, sudo: undefined, about })
})

/** Returns whether the caller manages a resource: as its owner or as a site administrator. */
const looksAfter = (kind: ExplainedTarget["kind"], facts: FactsAbout<Kind>): boolean => {
  const known = facts as FactsAbout<"organization"> & FactsAbout<"user"> & FactsAbout<"repository">
  if (known.siteAdmin) return true
  if (kind === "repository" || isItemKind(kind)) return repositoryLevel(known) >= Level.owner
  if (kind === "user") return known.self
  if (kind === "packageOwner") return known.self || known.organizationOwner
  return kind === "organization" || kind === "team" ? known.organizationOwner : false
}

/** Returns whether a user is related to a resource, so that the managers of the resource may know about the user. */
const isTied = (kind: ExplainedTarget["kind"], found: unknown, user: User): boolean => {
  if (kind === "repository") return isTiedToRepository(found as LoadedResources["repository"], user.id)
  if (kind === "packageOwner") {
    const { membership, owner } = found as LoadedResources["packageOwner"]
    return membership.member || (owner.kind === "user" && owner.id === user.id)
  }
  return kind === "organization" || kind === "team"
    ? (found as LoadedResources["organization"]).membership.member
    : kind === "user" && (found as LoadedResources["user"]).user.id === user.id
}

const teamsOf = Effect.fnUntraced(function* (user: User, kind: ExplainedTarget["kind"], found: unknown) {
  if (kind === "repository" || isItemKind(kind)) {
    const { repository } = found as LoadedResources["repository"]
    const [pair] = yield* (yield* EffectiveAccessStore).find([{ user: user.id, repository: repository.id }])
    return pair?.teams.map(({ name }) => name) ?? []
  }
  if (kind === "organization" || kind === "team") {
    const { organization } = found as LoadedResources["organization"]
    return (yield* (yield* MemberStore).find(organization.id, user.id))?.teams.map(({ name }) => name) ?? []
  }
  return []
})

/** The access tables of the site: the built-in ones, and those of the host program. */
const tables = Effect.map(SiteSettings, ({ switches }) => rulebookOf(switches).tables)

/** Returns the resource of a question, with its type. For a custom resource, also returns its name. */
export const targetOf = Effect.fnUntraced(function* ({ resource }: Pick<AccessQuestion, "resource">) {
  const { finders } = yield* tables
  const [, kind = "", name = ""] = /^([^:]+):(.+)$/s.exec(resource) ?? []
  // Permission to ask about the site covers custom resources.
  if (Object.hasOwn(finders, kind)) return { kind, name, about: { kind: "site" } as ExplainedTarget }
  const about = parseResource(resource)
  if (about !== undefined) return { kind: about.kind, name: undefined, about }
  return yield* new AccessQuestionInvalid({ field: "resource", problem: forms(Object.keys(finders)) })
})

/** The resource of a question about access. */
export type ExplainedResource = Effect.Success<ReturnType<typeof targetOf>>

/** Returns the resource of a question. Fails unless the action is about resources of its type. */
export const questionOf = Effect.fnUntraced(function* ({
  action,
  resource
}: Pick<AccessQuestion, "action" | "resource">) {
  const asked = yield* targetOf({ resource })
  const { actions } = yield* tables
  if (!Object.hasOwn(actions, action)) {
    return yield* new AccessQuestionInvalid({ field: "action", problem: "must be an action of the access tables" })
  }
  const { on } = actions[action] as Action
  if (on !== asked.kind) {
    return yield* new AccessQuestionInvalid({ field: "action", problem: `is about another resource type: ${on}` })
  }
  return asked
})

/** Returns whether the answer to a question could reveal which users a user blocks. */
const asksOfBlocks = (about: ExplainedTarget) =>
  (about.kind === "team" || about.kind === "repository") && about.named !== undefined

/** Loads the data of a resource for the caller. Fails unless the caller manages the resource. */
export const loadManaged = Effect.fnUntraced(function* (actor: Actor, about: ExplainedTarget) {
  const self = signedInUser({ actor })
  const { found } = yield* load({ _tag: "Name", name: self.name }, about)
  if (found === undefined || !looksAfter(about.kind, yield* factsOf(actor, about, found as never))) {
    return yield* new ResourceNotFound()
  }
  return { self, found }
})

/** Loads the facts about a user and a resource, and the user as a viewer. Fails unless the caller manages the resource. */
export const subjectOf = Effect.fnUntraced(function* (
  actor: Actor,
  { about, kind, name: ownName }: ExplainedResource,
  name: string | undefined
) {
  const { self } = yield* loadManaged(actor, about)
  const unknown = new AccessQuestionInvalid({ field: "user", problem: `\`${name}\` does not exist` })
  const isSelf = name !== undefined && sameName(name, self.name)
  // A caller learns about blocks of the own account only, which trying would disclose too.
  if (asksOfBlocks(about) && !isSelf && !actor.facts.siteAdmin) {
    return yield* new AccessQuestionInvalid({
      field: "resource",
      problem: "may only name yourself as the user"
    })
  }
  const user =
    name === undefined
      ? undefined
      : isSelf
        ? self
        : yield* findUserUnlessHiddenRename(actor, name).pipe(Effect.mapError(() => unknown))
  const theirs =
    user === undefined ? yield* load({ _tag: "Nobody" }, about) : yield* load({ _tag: "Name", name: user.name }, about)
  // Invariant I9: a private account unrelated to the resource is reported as missing.
  if (user !== undefined && !isTied(about.kind, theirs.found, user) && !(yield* isVisible(actor, user)))
    return yield* unknown
  const viewer = user === undefined ? nobody : { ...asViewer(user), user }
  const visit = { actor: viewer, found: theirs.found as LoadedResources["repository"] | undefined }
  /**
   * Returns the facts for an action. For a push, they include branches that the user may edit as a maintainer of a pull
   * request's base.
   */
  const factsFor = Effect.fnUntraced(function* (action: ActionName | undefined) {
    const isPush = about.kind === "repository" && action === "git.push"
    const { found } = isPush ? yield* withEditableHeadBranches(action, visit) : visit
    const known = yield* factsOf(viewer, about, found as never)
    // BOUNDARY: the facts are those of the kind that the resource names, which the compiler can't follow.
    if (ownName === undefined) return known as never
    const facts = yield* OwnThings.factsOf(kind, ownName, known as FactsAbout<"site">, user?.name)
    return facts === undefined ? yield* new ResourceNotFound() : (facts as never)
  })
  return { user, viewer, factsFor, found: theirs.found }
})

/**
 * Explains why a user may or may not perform an action on a resource, as if the user signed in with a password.
 *
 * Site administrators can ask about every resource, owners about their own; other resources are reported as missing.
 * The answer also names the rule that hides a resource, which the user would not learn.
 */
export const explainAccess = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.explain">,
  { action, resource, user: name }: AccessQuestion
) {
  const asked = yield* questionOf({ action, resource })
  const { factsFor, found, user } = yield* subjectOf(actor, asked, name)
  const facts = yield* factsFor(action as ActionName)
  const teams = user === undefined ? [] : yield* teamsOf(user, asked.about.kind, found)
  return {
    ...explainToKeeper(action as ActionName, facts),
    changes: changesOf(action as ActionName, facts),
    user,
    teams
  } satisfies AccessExplanation
})

/**
 * Lists which actions a user may and may not perform on a resource. The caller must be allowed to ask for the reasons.
 */
export const listAccess = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.actions">,
  { resource, user: name }: Omit<AccessQuestion, "action">
) {
  const asked = yield* targetOf({ resource })
  const { factsFor, user } = yield* subjectOf(actor, asked, name)
  const [facts, ofPush] = yield* Effect.all([factsFor(undefined), factsFor("git.push")])
  const { actions } = yield* tables
  const decisions = Object.entries(actions)
    .filter(([, { on }]) => on === asked.kind)
    .map(([name]) => {
      // BOUNDARY: custom actions are decided by name, like those of the library.
      const action = name as ActionName
      return { action, decision: decide(action, action === "git.push" ? ofPush : facts) }
    })
  return { user, decisions }
})
