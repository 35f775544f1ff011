import { compile, passes, statements, toTree } from "@slipway/access"
import { InvalidInput } from "@slipway/domain"
import { type AccessFacts, accessVocabulary } from "@slipway/domain/deploy/access"
import { type PlacedType, PlacementStore } from "@slipway/domain/deploy/apps"
import {
  type Action,
  type Authorized,
  actions,
  type Caller,
  factsAt,
  policies,
  presence,
  type ResourceTypeName,
  rowOf
} from "@slipway/domain/deploy/entry"
import { type Place, TeamId, teamOf } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/**
 * The access check of an action on an object, which its uuid identifies. Without an object, the check is about the
 * platform or the caller's team.
 */
export interface AccessCheck {
  readonly action: string
  readonly object?: string | undefined
}

/** The result of an access check; it is the same as that of a real request. */
export interface AccessAnswer {
  readonly action: string
  readonly object: string | null
  readonly allowed: boolean
  readonly status: number
  readonly because: string
}

/** A step of an explanation: the check, whether it passed, and the facts that decided it. */
export interface ExplainedCheck {
  readonly check: string
  readonly passed: boolean
  readonly rules: ReadonlyArray<string>
  readonly facts: ReadonlyArray<string>
}

/** The resource types that own each type of subordinate resource. The uuid in a check is that of the owner. */
export const wholes: Partial<Record<ResourceTypeName, ReadonlyArray<PlacedType>>> = {
  applicationTag: ["application"],
  databaseBackup: ["database"],
  databaseBackupRun: ["database"],
  databaseStorage: ["database"],
  databaseTag: ["database"],
  databaseVariable: ["database"],
  deployment: ["application", "service"],
  forgeConnection: ["forgeApp"],
  placement: ["environment"],
  servicePart: ["service"],
  serviceStorage: ["service"],
  serviceTag: ["service"],
  serviceTask: ["service"],
  serviceVariable: ["service"],
  sharedOwner: ["environment", "project", "server"],
  sharedVariable: ["environment", "project", "server"],
  storage: ["application"],
  task: ["application"],
  variable: ["application"]
}

/** The resource types that a check without an object takes from the caller's team. */
const ofTeam: ReadonlyArray<ResourceTypeName> = ["account", "sharedOwner", "sharedVariable"]

/** Returns whether a name is the name of an action. */
export const isAction = (name: string): name is Action => Object.hasOwn(actions, name)

const invalid = (field: string, problem: string) => new InvalidInput({ problems: { [field]: [problem] } })

/** Returns the place (such as a team or project) of an object for its access check; undefined if it is missing. */
const placeOfObject = (
  action: Action,
  object: string | undefined,
  places: ReadonlyMap<string, { readonly type: PlacedType; readonly place: Place }>,
  caller: Pick<Caller, "access">
): Place | undefined => {
  const { on } = rowOf(action)
  if (on === "platform") return { teamId: teamOf(caller.access) }
  if (on === "team" || on === "grant" || on === "invitation" || on === "role" || on === "token") {
    const isNumber = object !== undefined && /^(?:0|[1-9][0-9]{0,14})$/.test(object)
    const teamId = object === undefined ? teamOf(caller.access) : isNumber ? TeamId.make(Number(object)) : undefined
    return teamId === undefined ? undefined : { teamId }
  }
  if (object === undefined) return ofTeam.includes(on) ? { teamId: teamOf(caller.access) } : undefined
  const found = places.get(object)
  const wanted: ReadonlyArray<string> = wholes[on] ?? [on]
  return found !== undefined && wanted.includes(found.type) ? found.place : undefined
}

const read = Effect.fnUntraced(function* (checks: ReadonlyArray<AccessCheck>, field: (at: number) => string) {
  const unknown = checks.findIndex(({ action }) => !isAction(action))
  if (unknown !== -1) return yield* invalid(field(unknown), "There is no such action.")
  const objects = [...new Set(checks.flatMap(({ object }) => object ?? []))]
  return objects.length === 0 ? new Map() : yield* (yield* PlacementStore).places(objects)
})

/**
 * Decides up to 200 actions of the caller, each on an object, with one query.
 *
 * A hidden object gets the same result as a missing object.
 */
export const check = Effect.fnUntraced(function* (
  { resource: { caller } }: Authorized<"access.check">,
  checks: ReadonlyArray<AccessCheck>
) {
  const places = yield* read(checks, (at) => `checks.${at}.action`)
  return checks.map(({ action, object }): AccessAnswer => {
    const place = placeOfObject(action as Action, object, places, caller)
    const decision = policies[action as Action].decide(factsAt(caller, place !== undefined, place))
    return {
      action,
      object: object ?? null,
      allowed: decision.allowed,
      status: decision.allowed ? 200 : decision.answer.status,
      because: decision.allowed ? decision.by.join(", ") : decision.answer.message
    }
  })
})

/** Returns the action and the place of an access check in the team of a caller; fails for an unknown action or object. */
export const targetOf = Effect.fnUntraced(function* (caller: Pick<Caller, "access">, asked: AccessCheck) {
  const places = yield* read([asked], () => "action")
  const action = asked.action as Action
  const place = placeOfObject(action, asked.object, places, caller)
  if (place?.teamId === teamOf(caller.access)) return { action, place }
  return yield* invalid("object", `There is no such ${rowOf(action).on} in the team.`)
})

/** Explains a decision on given facts: each check up to the first failed one; no checks for a hidden resource. */
export const explanationOf = (action: Action, facts: AccessFacts) => {
  const policy = policies[action]
  const decision = policy.decide(facts)
  const isHidden = !decision.allowed && decision.check === presence.id
  const steps: Array<ExplainedCheck> = []
  for (const each of isHidden ? [] : policy.checks) {
    const tree = toTree(passes(each), facts, accessVocabulary)
    const rules = each.grants.filter(({ when }) => compile(when)(facts)).map(({ because, id }) => `${id}: ${because}`)
    steps.push({ check: each.id, passed: tree.holds, rules, facts: statements(tree) })
    if (!tree.holds) break
  }
  return { decision, allowed: decision.allowed, steps }
}

/** Explains whether the caller may perform an action: each check with its facts; no checks if the object is hidden. */
export const explain = Effect.fnUntraced(function* (
  { resource: { caller } }: Authorized<"access.explain">,
  asked: AccessCheck
) {
  const places = yield* read([asked], () => "action")
  const place = placeOfObject(asked.action as Action, asked.object, places, caller)
  const facts = factsAt(caller, place !== undefined, place)
  const { decision, ...explained } = explanationOf(asked.action as Action, facts)
  return {
    action: asked.action,
    object: asked.object ?? null,
    ...explained,
    status: decision.allowed ? 200 : decision.answer.status,
    because: decision.allowed ? decision.by.join(", ") : decision.answer.message
  }
})
