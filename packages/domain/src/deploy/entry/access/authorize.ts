import type { Authorized as Proof } from "@slipway/access"
import {
  type Check,
  type Condition,
  conditionsOn,
  decideOn,
  factsIn,
  layoutOf,
  type Policy,
  policy,
  type Refused,
  type Subject,
  specialise
} from "@slipway/access"
import { Effect, Schema } from "effect"
import { memoize, memoizeBy } from "../../../memoize.ts"
import {
  type Ability,
  type AbilityFacts,
  type AccessFacts,
  abilityFactsOf,
  accessVocabulary
} from "../../access/abilities.ts"
import { roleRules, rules } from "../../access/rules.ts"
import type { Account, AccountUuid } from "../../identity/accounts/Account.ts"
import {
  type Access,
  type CallerAccess,
  everything,
  type GrantFacts,
  grantFactsOf,
  type Place
} from "../../identity/grants/Access.ts"
import type { Visible } from "../../identity/grants/Visible.ts"
import type { Session } from "../../identity/sessions/Session.ts"
import { type Action, actions, type KindOf, rowOf } from "./actions.ts"
import { placeOf } from "./placeOf.ts"
import type { LoadedThings, ResourceTypeName } from "./resources.ts"

/** The caller of a request: the token or session, its abilities, and the grants of its account or its team. */
export interface Caller {
  readonly tokenUuid: string
  readonly abilities: ReadonlyArray<Ability>
  /** The uuid of the account of the token or session; null for a token of a team. */
  readonly accountUuid: AccountUuid | null
  readonly access: CallerAccess
  /**
   * A second access, such as that of the person who pushed a commit: the caller may perform only the actions that both
   * accesses permit. Lists are empty.
   */
  readonly limitedBy?: Access | undefined
  /** The account of the token or session; undefined for a token of a team. */
  readonly account?: Account | undefined
  /** The session; undefined for a token. */
  readonly session?: Session | undefined
  /** Whether the instance settings disable the API; only set for callers with a token. */
  readonly isApiDisabled?: boolean
}

/** The content of an access proof for the action `A`: the caller, and the resource as it was loaded. */
export type ResourceOf<A extends Action> = { readonly caller: Caller } & LoadedThings[KindOf<A>]

/**
 * The proof that a caller may perform the action `A` on a resource. Use cases require it as a parameter, and only this
 * module creates it, so that the compiler rejects an unchecked access.
 */
export type Authorized<A extends Action> = A extends Action ? Proof<A, ResourceOf<A>> : never

/** The actions on the platform itself, which have no other resource. */
export type PlatformAction = { [A in Action]: KindOf<A> extends "platform" ? A : never }[Action]

/** Reports that a caller lacks the permission for an action, with the access rule that failed and its reason. */
export class NotAuthorized extends Schema.TaggedError<NotAuthorized>()("NotAuthorized", {
  action: Schema.String,
  rule: Schema.String,
  because: Schema.String
}) {}

const layout = layoutOf(accessVocabulary)

const { all, any, flag } = conditionsOn<AccessFacts>()

/** The condition that no row satisfies. */
const none = any()

/** The check that responds with 404 both for missing resources and for resources of other teams. */
export const presence: Check<AccessFacts> = {
  id: "there",
  stage: "presence",
  grants: [{ id: "there", when: all(flag("there"), flag("known")), because: "a team of the caller has the resource" }],
  forbids: [],
  answer: { status: 404, message: "Not found." },
  because: "the resource must exist"
}

/** The resource types that owners of the root team administer in every team; accounts belong to no team. */
const administered: ReadonlyArray<ResourceTypeName> = ["account", "team", "grant", "invitation", "role"]

const administeredPresence: Check<AccessFacts> = {
  ...presence,
  grants: [
    {
      id: "there",
      when: all(flag("there"), any(flag("known"), all(flag("root"), flag("instance")))),
      because: "a team of the caller has the resource, or the caller administers the instance"
    }
  ]
}

/** The 404 check for accepting an invitation: the account is not a member yet, so that its teams do not matter. */
const invitationPresence: Check<AccessFacts> = {
  ...presence,
  grants: [{ id: "there", when: flag("there"), because: "the invitation exists" }]
}

const presenceOf = (action: Action, kind: ResourceTypeName): ReadonlyArray<Check<AccessFacts>> => {
  if (kind === "platform") return []
  if (action === "invitation.accept") return [invitationPresence]
  return [administered.includes(kind) ? administeredPresence : presence]
}

/** The check that rejects (403) resources outside of the projects that a token is limited to. */
const reach: Check<AccessFacts> = {
  id: "token",
  stage: "token",
  grants: [{ id: "token", when: flag("withinToken"), because: "the token is not limited to other projects" }],
  forbids: [],
  answer: { status: 403, message: "the token is limited to other projects" },
  because: "the token is limited to other projects"
}

const checkOf = (stage: string, id: string, { because, when }: { when: Condition<AccessFacts>; because: string }) => ({
  id,
  stage,
  grants: [{ id, when, because }],
  forbids: [],
  answer: { status: 403, message: because },
  because
})

const policyOf = <A extends Action>(action: A): Policy<A, AccessFacts> => {
  const { on, role, rule } = rowOf(action)
  const named = roleRules[role]
  return policy(
    action,
    [
      checkOf("ability", rule, rules[rule]),
      ...presenceOf(action, on),
      ...(named.isPlaced ? [reach] : []),
      ...(role === "anyone" ? [] : [checkOf("role", `role-${role}`, named)])
    ],
    layout
  )
}

/** The compiled access rules of each action. */
export const policies = Object.fromEntries(
  (Object.keys(actions) as ReadonlyArray<Action>).map((action) => [action, policyOf(action)])
) as unknown as { readonly [A in Action]: Policy<A, AccessFacts> }

/** Returns the facts (inputs of access rules) about the token and account of a caller. */
const callerFactsOf = ({ abilities, account, session }: Caller): AbilityFacts =>
  abilityFactsOf(abilities, { account: account !== undefined, session: session !== undefined })

/** Returns the inputs of access rules for a caller and a place; `there` is whether the resource exists. */
export const factsAt = (caller: Caller, there: boolean, place: Place | undefined): AccessFacts => ({
  ...callerFactsOf(caller),
  ...grantFactsOf(caller.access, place),
  there
})

/** Returns the inputs of access rules for a caller and a loaded resource; undefined if it does not exist. */
export const factsOn = <K extends ResourceTypeName>(
  caller: Caller,
  kind: K,
  found: LoadedThings[K] | undefined
): AccessFacts =>
  factsAt(caller, found !== undefined, found === undefined ? undefined : placeOf(kind, found, caller.access))

/** Returns how access to a resource type is decided: the inputs for the rules, and the content of the proof. */
export const subjectOf = <K extends ResourceTypeName>(
  kind: K
): Subject<Caller, LoadedThings[K], AccessFacts, { readonly caller: Caller } & LoadedThings[K]> => ({
  facts: (caller, found) => factsOn(caller, kind, found),
  resource: (caller, found) => found && { caller, ...found }
})

/** Decides whether a caller may perform an action on a loaded resource; returns the proof or the refusal. */
export const decideAccess = <A extends Action>(
  caller: Caller,
  action: A,
  found: LoadedThings[KindOf<A>] | undefined
): Authorized<A> | Refused => {
  const decide = (each: Caller) =>
    decideOn(
      policies[action] as unknown as Policy<A, AccessFacts>,
      subjectOf<KindOf<A>>(rowOf(action).on as KindOf<A>),
      each,
      found
    ) as unknown as Authorized<A> | Refused
  const { limitedBy } = caller
  const limited = limitedBy === undefined ? undefined : decide({ ...caller, access: limitedBy })
  return limited?.allowed === false ? limited : decide(caller)
}

/** Returns whether the abilities of the caller's token permit an action on some resource; roles are not checked. */
export const may = (caller: Caller, action: Action): boolean =>
  policies[action].allows({ ...callerFactsOf(caller), ...grantFactsOf(everything, undefined), there: true })

/** Builds the error for a refused action. Its reason comes from `refused`, or from the ability rule if that is omitted. */
export const notAuthorized = (action: Action, refused?: Pick<Refused, "answer" | "check">): NotAuthorized => {
  const { rule } = rowOf(action)
  return refused === undefined
    ? new NotAuthorized({ action, rule, because: rules[rule].because })
    : new NotAuthorized({ action, rule: refused.check, because: refused.answer.message })
}

/** The actions that tokens may perform while the API is disabled. */
const whileDisabled: ReadonlyArray<Action> = ["api.enable"]

/**
 * Returns whether an action is rejected because the API is disabled for the caller; enabling the API is not rejected.
 */
export const isSuspended = ({ isApiDisabled = false }: Caller, action: Action): boolean =>
  isApiDisabled && !whileDisabled.includes(action)

/** Fails if the API is disabled for the caller, unless the action enables the API. */
export const requireApi = (caller: Caller, action: Action): Effect.Effect<void, NotAuthorized> =>
  isSuspended(caller, action)
    ? Effect.fail(new NotAuthorized({ action, rule: "api-enabled", because: "the API is disabled" }))
    : Effect.void

/** Returns the proof that a caller may perform an action on a loaded resource; fails with the violated access rule. */
export const authorize = <A extends Action>(
  caller: Caller,
  action: A,
  ...[found]: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Effect.Effect<Authorized<A>, NotAuthorized> => {
  const decided = decideAccess(caller, action, found ?? ({} as LoadedThings[KindOf<A>]))
  return decided.allowed ? Effect.succeed(decided) : Effect.fail(notAuthorized(action, decided))
}

/**
 * Returns the condition of an action after its known facts are replaced by values. It is built once for each set of
 * values.
 */
const conditionFor = memoize((action: Action) => {
  const { condition } = policies[action]
  const names = factsIn(condition)
  return memoizeBy(
    (known: Partial<AccessFacts>) => names.map((name) => known[name] ?? "unknown").join(),
    // BOUNDARY: without the known facts, only those about the place of a row are left.
    (known) => specialise(condition, known) as Condition<GrantFacts>
  )
})

/** Returns the filter for the rows on which a caller may perform an action; lists contain only these rows. */
export const visibleTo = (caller: Caller, action: Action): Visible => {
  const { access, limitedBy } = caller
  // A filter has the facts of one access only.
  if (limitedBy !== undefined) return { access: limitedBy, condition: none as Condition<GrantFacts> }
  if (access === everything) return everything
  const { instance } = grantFactsOf(access, undefined)
  const known = { ...callerFactsOf(caller), instance, there: true }
  return { access, condition: conditionFor(action)(known) }
}

/** The caller for internal work of the platform, with access to everything. */
export const systemCaller: Caller = { tokenUuid: "system", abilities: ["root"], accountUuid: null, access: everything }

/** Returns an access proof for internal work of the platform, such as its first start. */
export const system = <A extends Action>(
  action: A,
  ...found: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Authorized<A> => Effect.runSync(authorize(systemCaller, action, ...found))
