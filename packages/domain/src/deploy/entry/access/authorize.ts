import type { Authorized as Proof } from "@slipway/access"
import {
  type Check,
  conditionsOn,
  decideOn,
  layoutOf,
  type Policy,
  policy,
  type Refused,
  type Subject
} from "@slipway/access"
import { Effect, Schema } from "effect"
import { type Ability, type AccessFacts, accessVocabulary, factsOf, type Owned } from "../../access/abilities.ts"
import { rules } from "../../access/rules.ts"
import type { ProjectUuid } from "../../apps/projects/Project.ts"
import type { Account } from "../../identity/accounts/Account.ts"
import type { Session } from "../../identity/sessions/Session.ts"
import { type Action, actions, type KindOf, rowOf } from "./actions.ts"
import { projectOf } from "./projectOf.ts"
import type { LoadedThings, ResourceTypeName } from "./resources.ts"

/** The caller: the token in use and its abilities. */
export interface Caller {
  readonly tokenUuid: string
  readonly abilities: ReadonlyArray<Ability>
  /** The account of the token or session; undefined for a token of the instance. */
  readonly account?: Account | undefined
  /** The session; undefined for a token. */
  readonly session?: Session | undefined
}

const ownedBy = ({ account, session }: Caller): Owned => ({
  account: account !== undefined,
  session: session !== undefined
})

/** The resource of a proof of `A`: the caller, and the resource as it was loaded. */
export type ResourceOf<A extends Action> = { readonly caller: Caller } & LoadedThings[KindOf<A>]

/** The proof that a caller may perform `A` on a resource, which use cases require. Only this module creates one. */
export type Authorized<A extends Action> = A extends Action ? Proof<A, ResourceOf<A>> : never

/** The actions on the platform itself. */
export type PlatformAction = { [A in Action]: KindOf<A> extends "platform" ? A : never }[Action]

/** Reports that a caller lacks a permission, with the rule that would have granted it. */
export class NotAuthorized extends Schema.TaggedError<NotAuthorized>()("NotAuthorized", {
  action: Schema.String,
  rule: Schema.String,
  because: Schema.String
}) {}

const layout = layoutOf(accessVocabulary)

const { flag } = conditionsOn<AccessFacts>()

/** Rejects missing resources (404) after checking the token's ability (403). */
export const presence: Check<AccessFacts> = {
  id: "there",
  stage: "presence",
  grants: [{ id: "there", when: flag("there"), because: "the resource exists" }],
  forbids: [],
  answer: { status: 404, message: "Not found." },
  because: "the resource must exist"
}

const policyOf = <A extends Action>(action: A): Policy<A, AccessFacts> => {
  const { on, rule: id } = rowOf(action)
  const { because, when } = rules[id]
  const answer = { status: 403, message: because }
  const ability = { id, stage: "ability", grants: [{ id, when, because }], forbids: [], answer, because }
  return policy(action, on === "platform" ? [ability] : [ability, presence], layout)
}

/** The compiled rules of each action. */
export const policies = Object.fromEntries(
  (Object.keys(actions) as ReadonlyArray<Action>).map((action) => [action, policyOf(action)])
) as unknown as { readonly [A in Action]: Policy<A, AccessFacts> }

/**
 * Returns how access to a resource type is decided.
 *
 * `inProject` returns the caller's facts in the resource's project. Permissions on single projects are such facts, with
 * their words in the vocabulary and a rule that uses them.
 */
export const subjectOf = <K extends ResourceTypeName, Held extends object>(
  kind: K,
  inProject: (caller: Caller, project: ProjectUuid | undefined) => Held
): Subject<Caller, LoadedThings[K], AccessFacts & Held, { readonly caller: Caller } & LoadedThings[K]> => ({
  facts: (caller, found) => ({
    ...factsOf(caller.abilities, found !== undefined, ownedBy(caller)),
    ...inProject(caller, found && projectOf(kind, found))
  }),
  resource: (caller, found) => found && { caller, ...found }
})

/** Returns no further facts: the abilities of a token apply in every project. */
const everywhere = () => ({})

/** Decides an action on its loaded resource. */
export const decideAccess = <A extends Action>(
  caller: Caller,
  action: A,
  found: LoadedThings[KindOf<A>] | undefined
): Authorized<A> | Refused =>
  decideOn(
    policies[action] as unknown as Policy<A, AccessFacts>,
    subjectOf<KindOf<A>, object>(rowOf(action).on as KindOf<A>, everywhere),
    caller,
    found
  ) as unknown as Authorized<A> | Refused

/** Returns whether a token permits `action` on any resource, without Effect. */
export const may = (caller: Caller, action: Action): boolean =>
  policies[action].allows(factsOf(caller.abilities, true, ownedBy(caller)))

/** Returns why a caller's token does not permit an action. */
export const notAuthorized = (action: Action): NotAuthorized => {
  const { rule } = rowOf(action)
  return new NotAuthorized({ action, rule, because: rules[rule].because })
}

/** Returns the proof that a caller may perform `action` on an already loaded resource; fails with the missing rule. */
export const authorize = <A extends Action>(
  caller: Caller,
  action: A,
  ...[found]: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Effect.Effect<Authorized<A>, NotAuthorized> => {
  const decided = decideAccess(caller, action, found ?? ({} as LoadedThings[KindOf<A>]))
  return decided.allowed ? Effect.succeed(decided) : Effect.fail(notAuthorized(action))
}

/** The caller for internal work of the service. */
export const systemCaller: Caller = { tokenUuid: "system", abilities: ["root"] }

/** Returns the proof for internal work of the service, such as its first start. */
export const system = <A extends Action>(
  action: A,
  ...found: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Authorized<A> => Effect.runSync(authorize(systemCaller, action, ...found))
