import type { Authorized as Proof } from "@slipway/access"
import {
  type Check,
  type Condition,
  conditionsOn,
  decideOn,
  layoutOf,
  type Policy,
  policy,
  type Refused,
  type Subject,
  specialise
} from "@slipway/access"
import { Effect, Schema } from "effect"
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

/** The caller: the token in use, its abilities, and the grants of its account or its team. */
export interface Caller {
  readonly tokenUuid: string
  readonly abilities: ReadonlyArray<Ability>
  /** The account of the token or session; null for a token of a team. */
  readonly accountUuid: AccountUuid | null
  readonly access: CallerAccess
  /** The account itself; undefined for a token of a team. */
  readonly account?: Account | undefined
  /** The session; undefined for a token. */
  readonly session?: Session | undefined
  /** Whether the settings of the instance disable the API for this caller, a token. */
  readonly isApiDisabled?: boolean
}

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

const { all, any, flag } = conditionsOn<AccessFacts>()

/** Rejects missing resources, and those of other teams, in the same way (404), after checking the token's ability. */
export const presence: Check<AccessFacts> = {
  id: "there",
  stage: "presence",
  grants: [{ id: "there", when: all(flag("there"), flag("known")), because: "a team of the caller has the resource" }],
  forbids: [],
  answer: { status: 404, message: "Not found." },
  because: "the resource must exist"
}

/** The resource types that owners of the root team administer in every team; accounts belong to none. */
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

/** An invitation exists for the account that it names, which is no member yet. */
const invitationPresence: Check<AccessFacts> = {
  ...presence,
  grants: [{ id: "there", when: flag("there"), because: "the invitation exists" }]
}

const presenceOf = (action: Action, kind: ResourceTypeName): ReadonlyArray<Check<AccessFacts>> => {
  if (kind === "platform") return []
  if (action === "invitation.accept") return [invitationPresence]
  return [administered.includes(kind) ? administeredPresence : presence]
}

/** Rejects resources outside the projects that a token is limited to. */
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

/** The compiled rules of each action. */
export const policies = Object.fromEntries(
  (Object.keys(actions) as ReadonlyArray<Action>).map((action) => [action, policyOf(action)])
) as unknown as { readonly [A in Action]: Policy<A, AccessFacts> }

/** Returns the facts about a caller itself. */
const callerFactsOf = ({ abilities, account, session }: Caller): AbilityFacts =>
  abilityFactsOf(abilities, { account: account !== undefined, session: session !== undefined })

/** Returns the facts about a caller and a place. */
export const factsAt = (caller: Caller, there: boolean, place: Place | undefined): AccessFacts => ({
  ...callerFactsOf(caller),
  ...grantFactsOf(caller.access, place),
  there
})

/** Returns the facts about a caller and a loaded resource. */
export const factsOn = <K extends ResourceTypeName>(
  caller: Caller,
  kind: K,
  found: LoadedThings[K] | undefined
): AccessFacts =>
  factsAt(caller, found !== undefined, found === undefined ? undefined : placeOf(kind, found, caller.access))

/** Returns how access to a resource type is decided. */
export const subjectOf = <K extends ResourceTypeName>(
  kind: K
): Subject<Caller, LoadedThings[K], AccessFacts, { readonly caller: Caller } & LoadedThings[K]> => ({
  facts: (caller, found) => factsOn(caller, kind, found),
  resource: (caller, found) => found && { caller, ...found }
})

/** Decides an action on its loaded resource. */
export const decideAccess = <A extends Action>(
  caller: Caller,
  action: A,
  found: LoadedThings[KindOf<A>] | undefined
): Authorized<A> | Refused =>
  decideOn(
    policies[action] as unknown as Policy<A, AccessFacts>,
    subjectOf<KindOf<A>>(rowOf(action).on as KindOf<A>),
    caller,
    found
  ) as unknown as Authorized<A> | Refused

/** Returns whether the abilities of a token permit `action` on any resource, without Effect. */
export const may = (caller: Caller, action: Action): boolean =>
  policies[action].allows({ ...callerFactsOf(caller), ...grantFactsOf(everything, undefined), there: true })

/** Returns why a caller may not perform an action: the reason of the check that refused it. */
export const notAuthorized = (action: Action, refused?: Pick<Refused, "answer" | "check">): NotAuthorized => {
  const { rule } = rowOf(action)
  return refused === undefined
    ? new NotAuthorized({ action, rule, because: rules[rule].because })
    : new NotAuthorized({ action, rule: refused.check, because: refused.answer.message })
}

/** The actions that tokens may perform while the API is disabled. */
const whileDisabled: ReadonlyArray<Action> = ["api.enable"]

/** Returns whether the API is disabled for the caller, and the action does not enable the API. */
export const isSuspended = ({ isApiDisabled = false }: Caller, action: Action): boolean =>
  isApiDisabled && !whileDisabled.includes(action)

/** Fails if the API is disabled for the caller, unless the action enables the API. */
export const requireApi = (caller: Caller, action: Action): Effect.Effect<void, NotAuthorized> =>
  isSuspended(caller, action)
    ? Effect.fail(new NotAuthorized({ action, rule: "api-enabled", because: "the API is disabled" }))
    : Effect.void

/** Returns the proof that a caller may perform `action` on an already loaded resource; fails with the missing rule. */
export const authorize = <A extends Action>(
  caller: Caller,
  action: A,
  ...[found]: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Effect.Effect<Authorized<A>, NotAuthorized> => {
  const decided = decideAccess(caller, action, found ?? ({} as LoadedThings[KindOf<A>]))
  return decided.allowed ? Effect.succeed(decided) : Effect.fail(notAuthorized(action, decided))
}

/** Returns the rows on which a caller may perform an action; lists contain only these. */
export const visibleTo = (caller: Caller, action: Action): Visible => {
  const { access } = caller
  if (access === everything) return everything
  const { instance } = grantFactsOf(access, undefined)
  const known = { ...callerFactsOf(caller), instance, there: true }
  // BOUNDARY: without the known facts, only those about the place of a row are left.
  return { access, condition: specialise(policies[action].condition, known) as Condition<GrantFacts> }
}

/** The caller for internal work of the service. */
export const systemCaller: Caller = { tokenUuid: "system", abilities: ["root"], accountUuid: null, access: everything }

/** Returns the proof for internal work of the service, such as its first start. */
export const system = <A extends Action>(
  action: A,
  ...found: KindOf<A> extends "platform" ? [] : [LoadedThings[KindOf<A>]]
): Authorized<A> => Effect.runSync(authorize(systemCaller, action, ...found))
