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
import { isTied as isTiedToRepository } from "@slipway/domain/forge/code"
import type { LoadedKind, Proof } from "@slipway/domain/forge/entry"
import {
  type CallerKey,
  FactsStore,
  type ItemViewer,
  isItemKind,
  itemKeysNamed,
  type KindOfThing,
  kinds,
  type LoadedResources,
  numberIn,
  type Target
} from "@slipway/domain/forge/entry"
import { asViewer, EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import type { Viewer } from "@slipway/domain/forge/identity"
import { type Actor, MemberStore, nobody, sameName, signedInUser, type User } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { withLent } from "../../collaboration/pulls/lending.ts"
import * as OwnThings from "../../entry/OwnThings.ts"
import { findUserUnlessHiddenRename, isVisible } from "../../identity/accounts/Users.ts"

/** What is asked: may a user do an action on a thing, and why. */
export interface AccessQuestion {
  /** The name of a user; an anonymous caller where it is left out. */
  readonly user?: string | undefined
  /** The name of an action in the access tables. */
  readonly action: string
  /**
   * `org:<name>`, `team:<id>`, `repo:<owner>/<name>`, each with `/<user>` where the action is about a user there, `user:<name>`,
   * `site`, as `issue:<owner>/<name>#<number>`, or a kind of one's own and a name.
   */
  readonly resource: string
}

/** Reports that a part of a question means nothing. */
export class AccessQuestionInvalid extends Schema.TaggedError<AccessQuestionInvalid>()("AccessQuestionInvalid", {
  field: Schema.Literals(["user", "action", "resource"]),
  problem: Schema.String
}) {}

/** Reports that there is no such thing, or none whose access the caller may ask about. */
export class ResourceNotFound extends Schema.TaggedError<ResourceNotFound>()("ResourceNotFound", {}) {}

/** Why an action is allowed or refused, with the teams of the user that count. */
export interface AccessExplained extends Explanation {
  /** What would turn the decision around. */
  readonly changes: ReadonlyArray<string>
  readonly user: User | undefined
  readonly teams: ReadonlyArray<string>
}

type Asked = Target<"site" | "user" | "organization" | "team" | "repository" | ItemKind>

/**
 * Returns what a resource names, or nothing when the text means none.
 *
 * @example
 * parseResource("repo:acme/site") // => { kind: "repository", owner: "acme", repository: "site" }
 * parseResource("team:12/bob") // => { kind: "team", id: 12, named: "bob" }
 * parseResource("issue:acme/site#3") // => { kind: "issue", owner: "acme", repository: "site", keys: { index: 3 } }
 * parseResource("team:x") // => undefined
 */
export const parseResource = (text: string): Asked | undefined => {
  if (text === "site") return { kind: "site" }
  const [, kind = "", rest = ""] = /^(\w+):(.+)$/s.exec(text) ?? []
  if (isItemKind(kind)) {
    const [, owner = "", repository = "", key] = /^([^/#]+)\/([^/#]+)#(.+)$/s.exec(rest) ?? []
    const keys = itemKeysNamed(kind, key ?? "")
    // BOUNDARY: the keys are those of the kind, which the compiler can't follow through a union.
    return key === undefined ? undefined : ({ kind, owner, repository, keys } as Asked)
  }
  switch (kind) {
    case "org": {
      const [organization = "", named] = rest.split("/")
      return { kind: "organization", organization, named }
    }
    case "user":
      return { kind: "user", name: rest }
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
  `must be org:<name>, team:<id> or repo:<owner>/<name>, each with /<user> where a user there is named, user:<name>, ${own.map((kind) => `${kind}:<name>, `).join("")}site or, of ${itemKinds.join(", ")}, such as issue:<owner>/<name>#<number>`

/** Returns the facts of a viewer about what was found, as a request of theirs would be decided on. */
const factsOf = Effect.fnUntraced(function* <K extends LoadedKind>(
  viewer: Viewer & ItemViewer,
  about: Target<K>,
  found: LoadedResources[K] | undefined
) {
  const { switches } = yield* SiteSettings
  return (kinds[about.kind as K] as KindOfThing<K>).facts(viewer, switches, found, about)
})

const load = Effect.fnUntraced(function* (caller: CallerKey, about: Asked) {
  return yield* (yield* FactsStore).load({ caller, sudo: undefined, about })
})

/** Whether whoever asks looks after the thing: its owner, or a site administrator. */
const looksAfter = (kind: Asked["kind"], facts: FactsAbout<Kind>): boolean => {
  const known = facts as FactsAbout<"organization"> & FactsAbout<"user"> & FactsAbout<"repository">
  if (known.siteAdmin) return true
  if (kind === "repository" || isItemKind(kind)) return repositoryLevel(known) >= Level.owner
  if (kind === "user") return known.self
  return kind === "organization" || kind === "team" ? known.organizationOwner : false
}

/** Whether a user is tied to a thing, so that whoever looks after it knows them. */
const isTied = (kind: Asked["kind"], found: unknown, user: User): boolean => {
  if (kind === "repository") return isTiedToRepository(found as LoadedResources["repository"], user.id)
  return kind === "organization" || kind === "team"
    ? (found as LoadedResources["organization"]).membership.member
    : kind === "user" && (found as LoadedResources["user"]).user.id === user.id
}

const teamsOf = Effect.fnUntraced(function* (user: User, kind: Asked["kind"], found: unknown) {
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

/** The access tables of the site, with what an embedder added. */
const tables = Effect.map(SiteSettings, ({ switches }) => rulebookOf(switches).tables)

/** What a question is about: the kind by which actions name it, and where it is a thing of one's own, its name. */
const targetOf = Effect.fnUntraced(function* ({ resource }: Pick<AccessQuestion, "resource">) {
  const { finders } = yield* tables
  const [, kind = "", name = ""] = /^([^:]+):(.+)$/s.exec(resource) ?? []
  // Who may ask about a thing of one's own is who may ask about the site.
  if (Object.hasOwn(finders, kind)) return { kind, name, about: { kind: "site" } as Asked }
  const about = parseResource(resource)
  if (about !== undefined) return { kind: about.kind, name: undefined, about }
  return yield* new AccessQuestionInvalid({ field: "resource", problem: forms(Object.keys(finders)) })
})

type AskedThing = Effect.Success<ReturnType<typeof targetOf>>

/** Whether a question names somebody whose blocks the answer would tell of. */
const asksOfBlocks = (about: Asked) =>
  (about.kind === "team" || about.kind === "repository") && about.named !== undefined

/** Loads what decides on a user and a thing, for somebody who looks after the thing. */
const subjectOf = Effect.fnUntraced(function* (
  actor: Actor,
  { about, kind, name: ownName }: AskedThing,
  name: string | undefined
) {
  const self = signedInUser({ actor })
  const own = yield* load({ _tag: "Name", name: self.name }, about)
  if (own.found === undefined || !looksAfter(about.kind, yield* factsOf(actor, about, own.found as never))) {
    return yield* new ResourceNotFound()
  }
  const unknown = new AccessQuestionInvalid({ field: "user", problem: `\`${name}\` is not there` })
  const isSelf = name !== undefined && sameName(name, self.name)
  // Who blocks whom is told of oneself alone, who learns it by trying.
  if (asksOfBlocks(about) && !isSelf && !actor.facts.siteAdmin) {
    return yield* new AccessQuestionInvalid({
      field: "resource",
      problem: "may name a user beside it for yourself alone"
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
  // Invariant I9: a private account that has nothing to do with the thing is as missing as one that isn't there.
  if (user !== undefined && !isTied(about.kind, theirs.found, user) && !(yield* isVisible(actor, user)))
    return yield* unknown
  const viewer = user === undefined ? nobody : { ...asViewer(user), user }
  const visit = { actor: viewer, found: theirs.found as LoadedResources["repository"] | undefined }
  /** What is lent to somebody counts where they ask to push. */
  const factsFor = Effect.fnUntraced(function* (action: ActionName | undefined) {
    const isPush = about.kind === "repository" && action === "git.push"
    const { found } = isPush ? yield* withLent(action, visit) : visit
    const known = yield* factsOf(viewer, about, found as never)
    // BOUNDARY: the facts are those of the kind that the resource names, which the compiler can't follow.
    if (ownName === undefined) return known as never
    const facts = yield* OwnThings.factsOf(kind, ownName, known as FactsAbout<"site">, user?.name)
    return facts === undefined ? yield* new ResourceNotFound() : (facts as never)
  })
  return { user, factsFor, found: theirs.found }
})

/**
 * Explains why a user may do an action on a thing, or why not, as a sign-in of that user with a password is decided.
 *
 * Site administrators ask about everything, owners about what they own; a thing of others is missing for them. What the
 * user wouldn't be told, that a thing is hidden from them and by which rule, is told to whoever looks after it.
 */
export const explainAccess = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"access.explain">,
  { action, resource, user: name }: AccessQuestion
) {
  const asked = yield* targetOf({ resource })
  const { actions } = yield* tables
  if (!Object.hasOwn(actions, action)) {
    return yield* new AccessQuestionInvalid({ field: "action", problem: "must be an action of the access tables" })
  }
  const { on } = actions[action] as Action
  if (on !== asked.kind) {
    return yield* new AccessQuestionInvalid({ field: "action", problem: `is about another kind of thing: ${on}` })
  }
  const { factsFor, found, user } = yield* subjectOf(actor, asked, name)
  const facts = yield* factsFor(action as ActionName)
  const teams = user === undefined ? [] : yield* teamsOf(user, asked.about.kind, found)
  return {
    ...explainToKeeper(action as ActionName, facts),
    changes: changesOf(action as ActionName, facts),
    user,
    teams
  } satisfies AccessExplained
})

/** Answers all that a user may do with a thing and what they may not, to whoever may ask for the reasons. */
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
      // BOUNDARY: actions of one's own are decided like those of the library, by name.
      const action = name as ActionName
      return { action, decision: decide(action, action === "git.push" ? ofPush : facts) }
    })
  return { user, decisions }
})
