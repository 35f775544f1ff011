import {
  type Check,
  type Condition,
  compile,
  flag,
  type Layout,
  layoutOf,
  type Policy,
  policy,
  type Rule,
  type Vocabulary
} from "@slipway/access"
import type { Action } from "./Action.ts"
import { notFound } from "./answers.ts"
import { jobChecks, publicOnlyChecks, scopeChecks } from "./credential.ts"
import type { MembershipFacts, RepositoryFacts, TeamFacts } from "./facts/facts.ts"
import type { Unit } from "./facts/Unit.ts"
import { itemKinds } from "./items.ts"
import { listedUnit, listRules } from "./lists.ts"
import { stagesOf } from "./order.ts"

/** The data from which a custom fact (input of access rules) is computed: the time and the caller of a request. */
export interface Moment {
  /** The time in ISO 8601, UTC. */
  readonly at: string
  readonly caller: { readonly name: string | undefined; readonly address: string } | undefined
}

/** A custom boolean fact (input of access rules), with the sentences that explanations show for true and false. */
export interface OwnFact {
  readonly yes: string
  readonly no: string
  readonly holds: (moment: Moment) => boolean
}

const ofOrganization = ["organizationVisibility", "organizationMember", "organizationOwner"] as const

/**
 * The names of facts (inputs of access rules) about a row that decide whether lists show it, by resource type.
 */
export const rowFacts = {
  repository: [
    "private",
    "ownerVisibility",
    "organizationMember",
    "organizationOwner",
    "repositoryOwner",
    "collaborator",
    "teamAdmin",
    "teamAny"
  ],
  organization: ofOrganization,
  team: [...ofOrganization, "teamVisibility", "teamMember"]
} as const

/** A resource type that custom rules can hide from callers, also in lists. */
export type HiddenKind = keyof typeof rowFacts

interface FactsOfRows {
  readonly repository: RepositoryFacts
  readonly organization: MembershipFacts
  readonly team: TeamFacts
}

/** The type of the facts (inputs of access rules) that decide whether lists show a row, by resource type. */
export type RowsHidden = {
  readonly [K in HiddenKind]: Pick<FactsOfRows[K], (typeof rowFacts)[K][number] & keyof FactsOfRows[K]>
}

/** The resource types to which the hide rules of a resource type also apply, such as the issues of a repository. */
const hiddenWith: { readonly [K in HiddenKind]: ReadonlyArray<string> } = {
  repository: ["repository", "teamRepository", ...itemKinds],
  organization: ["organization", "organizationUser", "team", "teamRepository"],
  team: ["team", "teamRepository"]
}

/** The resource type of each list's rows; undefined for users, which custom rules cannot hide. */
const listKinds: { readonly [L in keyof typeof listRules]: HiddenKind | undefined } = {
  organization: "organization",
  organizationDirectory: "organization",
  team: "team",
  user: undefined,
  repository: "repository"
}

/**
 * Loads the facts (inputs of access rules) about a custom resource by its name. `caller` is the user name, or undefined
 * for anonymous callers.
 * Returns undefined if the resource does not exist.
 */
export type Finder<Facts = Readonly<Record<string, unknown>>> = (
  name: string,
  caller: string | undefined
) => Facts | undefined | Promise<Facts | undefined>

/** An access check of any resource type. The compiler does not know the type of its facts (inputs of access rules). */
export type AnyCheck = Check<never>
/** An access rule of any resource type. The compiler does not know the type of its facts (inputs of access rules). */
export type AnyRule = Rule<never>

/** The tables from which a rulebook decides: facts, resource types, actions, guards, checks and hide rules. */
export interface Tables {
  readonly facts: Readonly<Record<string, OwnFact>>
  readonly kinds: Readonly<Record<string, Vocabulary>>
  /** The functions that load facts about custom resources, by resource type. */
  readonly finders: Readonly<Record<string, Finder>>
  readonly actions: Readonly<Record<string, Action>>
  readonly guards: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<AnyCheck>>>>>
  /** The additional checks of each action, which do not come from its guards. */
  readonly checks: Readonly<Record<string, ReadonlyArray<AnyCheck>>>
  readonly hidden: { readonly [K in HiddenKind]: ReadonlyArray<AnyRule> }
}

/** Throws an error for an invalid rule, action or fact, with the problem as its message. */
export const fail = (problem: string): never => {
  throw new Error(problem)
}

/** The access rules in compiled form: policies of actions and conditions of lists, each compiled on first use. */
export class Rulebook {
  readonly tables: Tables
  readonly vocabularies: Readonly<Record<string, Vocabulary>>
  readonly layouts: Readonly<Record<string, Layout>>
  private readonly policies = new Map<string, Policy<string, unknown>>()
  // Actions with the same checks share their compiled checks.
  private readonly shared = new Map<string, Policy<string, unknown>>()
  private readonly conditions = new Map<string, Condition<never>>()

  constructor(tables: Tables) {
    this.tables = tables
    const own = Object.fromEntries(Object.entries(tables.facts).map(([name, { no, yes }]) => [name, flag(yes, no)]))
    this.vocabularies = Object.fromEntries(
      Object.entries(tables.kinds).map(([kind, vocabulary]) => [kind, { ...vocabulary, ...own }])
    )
    this.layouts = Object.fromEntries(
      Object.entries(this.vocabularies).map(([kind, vocabulary]) => [kind, layoutOf(vocabulary)])
    )
  }

  /** Returns the definition of an action; throws for an unknown name, which is a defect of the calling code. */
  actionOf(name: string): Action {
    const { actions } = this.tables
    return Object.hasOwn(actions, name) ? (actions[name] as Action) : fail(`\`${name}\` is not an action`)
  }

  /** Returns the checks of an action in order of evaluation. */
  checksOf(name: string): ReadonlyArray<AnyCheck> {
    const action = this.actionOf(name)
    const { checks: more, guards, hidden } = this.tables
    const table = guards[action.on] ?? {}
    const checks: ReadonlyArray<AnyCheck> = [
      ...scopeChecks(action),
      ...publicOnlyChecks(action),
      ...jobChecks(action),
      ...[...action.guards, ...action.asks].flatMap((guard) => table[guard] as ReadonlyArray<AnyCheck>),
      ...(Object.keys(hiddenWith) as ReadonlyArray<HiddenKind>).flatMap((kind) =>
        hiddenWith[kind].includes(action.on) ? hidden[kind].map(hiding) : []
      ),
      ...(more[name] ?? [])
    ]
    return stagesOf(action).flatMap((stage) => checks.filter((check) => check.stage === stage))
  }

  /** Returns the compiled policy of an action. */
  policyOf(name: string): Policy<string, unknown> {
    const known = this.policies.get(name)
    if (known !== undefined) return known
    const { access, asks, guards, on, publicOnly, scope, signInFirst } = this.actionOf(name)
    const own = this.tables.checks[name] === undefined ? undefined : name
    const key = JSON.stringify([on, access, scope, guards, asks, publicOnly, signInFirst, own])
    const checks = this.checksOf(name) as ReadonlyArray<Check<unknown>>
    const same = this.shared.get(key) ?? policy(name, checks, this.layouts[on] as Layout)
    this.shared.set(key, same)
    const namedPolicy = { ...same, action: name }
    this.policies.set(name, namedPolicy)
    return namedPolicy
  }

  /** Returns the condition under which a list shows a row, including the custom rules that hide rows. */
  listed<L extends keyof typeof listRules>(list: L): (typeof listRules)[L] {
    return this.condition(list, listKinds[list], () => listRules[list]) as (typeof listRules)[L]
  }

  /** Returns the list condition for repositories in which the caller may read a unit, such as the wiki. */
  listedUnit(unit: Unit): Condition<RepositoryFacts> {
    return this.condition(unit, "repository", () => listedUnit(unit)) as Condition<RepositoryFacts>
  }

  /** Returns whether a custom rule hides a resource. */
  hides(kind: HiddenKind, facts: unknown): boolean {
    return this.tables.hidden[kind].some((rule) => compile(rule.when as Condition<unknown>)(facts))
  }

  private condition(name: string, kind: HiddenKind | undefined, build: () => Condition<never>): Condition<never> {
    const known = this.conditions.get(name)
    if (known !== undefined) return known
    const rules = kind === undefined ? [] : this.tables.hidden[kind]
    const nots = rules.map(({ when }): Condition<never> => ({ op: "not", of: when }))
    const whole: Condition<never> = nots.length === 0 ? build() : { op: "all", of: [build(), ...nots] }
    this.conditions.set(name, whole)
    return whole
  }
}

const hiding = (rule: AnyRule): AnyCheck => ({
  id: rule.id,
  stage: "visibility",
  grants: [],
  forbids: [rule],
  // The rule that hides a resource is never disclosed.
  answer: notFound,
  because: rule.because
})
