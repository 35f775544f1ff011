import type { Decision, FactsOf, Policy, Refused, Vocabulary } from "@slipway/access"
import {
  type Authorized,
  authorize,
  type Condition,
  type Conditions,
  compileBits,
  conditionsOn,
  factsIn
} from "@slipway/access"
import type { Action, GuardsOn, SiteGuard } from "./Action.ts"
import { type ActionName, actions, type KindOf } from "./actions.ts"
import { changesBy } from "./changes.ts"
import { type Explanation, explanationBy } from "./explanation.ts"
import {
  type CallerFacts,
  type FactsAbout,
  type Kind,
  type SiteFacts,
  siteVocabulary,
  vocabularies
} from "./facts/facts.ts"
import type { ScopeCategory } from "./facts/Scope.ts"
import { guardChecks } from "./guards/table.ts"
import {
  type AnyCheck,
  type AnyRule,
  type Finder,
  fail,
  type HiddenKind,
  type Moment,
  type OwnFact,
  type RowsHidden,
  Rulebook,
  rowFacts,
  type Tables
} from "./Rulebook.ts"
import { rulebookKey, type WithRulebook } from "./rulebookKey.ts"

/** A custom rule: its name, its condition, and the reason, which is also the message of a refusal. */
export interface OwnRule<F> {
  readonly id: string
  readonly when: (on: Conditions<F>) => Condition<F>
  readonly because: string
}

/** The role guards (named access checks) that custom rules can replace, because lists do not depend on them. */
const replaceable = {
  site: ["site-admin", "may-create-org"],
  organization: ["organization-member", "organization-owner", "may-create-repository"],
  repository: ["W:code", "W:releases", "W:wiki", "repo-admin", "repo-owner"]
} as const satisfies { readonly [K in Kind]?: ReadonlyArray<GuardsOn[K]> }

type Replaceable = typeof replaceable

/** The built-in resource types that custom actions can use, with the guards that keep hidden resources hidden. */
const seenBy = {
  site: [],
  organization: ["org-visible"],
  team: ["team-visible"],
  user: ["user-visible"],
  repository: ["repo-visible"]
} as const satisfies { readonly [K in Kind]?: ReadonlyArray<GuardsOn[K]> }

/** A built-in resource type that custom actions can use. */
export type OpenKind = keyof typeof seenBy

/** A custom action: its resource type, its description, and the rules that allow it. */
export interface OwnAction<K extends string, F> {
  readonly on: K
  readonly summary: string
  readonly access: "read" | "write"
  /** The scope categories in which a token needs the level `access`. */
  readonly scope: ReadonlyArray<ScopeCategory>
  readonly guards: ReadonlyArray<SiteGuard>
  /** The rules of which at least one must apply. If empty, every caller who passes the guards is allowed. */
  readonly grants: ReadonlyArray<OwnRule<F>>
}

/** The facts (inputs of access rules) of a built-in or custom resource type. */
type FactsOn<K, Kinds> = K extends Kind ? FactsAbout<K> : K extends keyof Kinds ? Kinds[K] : never

/** The facts (inputs of access rules) that decide a built-in or custom action. */
type FactsUnder<A, Own, Kinds, Actions> = A extends ActionName
  ? FactsAbout<KindOf<A>>
  : A extends keyof Actions
    ? FactsOn<Actions[A], Kinds> & Own
    : never

/**
 * The complete set of access rules: the built-in rules, and the custom rules of a program that embeds the forge.
 *
 * It is passed once, as `policy` of `SiteSettings.layer`, and then applies to all requests, lists, explanations and
 * tables. A set is immutable: each `with…` or rule method returns a new set. Invalid rules throw an error.
 */
export class PolicySet<Own = unknown, Kinds = unknown, Actions = unknown> {
  readonly rulebook: Rulebook

  private constructor(tables: Tables) {
    this.rulebook = new Rulebook(tables)
  }

  /** The built-in rules, without custom ones. */
  static readonly builtIn: PolicySet = new PolicySet({
    facts: {},
    kinds: vocabularies,
    finders: {},
    actions,
    guards: guardChecks as unknown as Tables["guards"],
    checks: {},
    hidden: { repository: [], organization: [], team: [] }
  })

  /** Adds custom boolean facts (inputs of access rules), such as the time of day; every custom rule can use them. */
  withFacts<const F extends Readonly<Record<string, OwnFact>>>(
    facts: F
  ): PolicySet<Own & { readonly [_ in keyof F]: boolean }, Kinds, Actions> {
    for (const name of Object.keys(facts)) {
      const taken = Object.values(this.rulebook.vocabularies).some((vocabulary) => Object.hasOwn(vocabulary, name))
      if (taken) fail(`\`${name}\` is already a fact`)
    }
    return this.with({ facts: { ...this.tables.facts, ...facts } })
  }

  /**
   * Adds a custom resource type: its facts (inputs of access rules), and a finder that loads the facts of a resource by
   * name.
   */
  withKind<const K extends string, const V extends Vocabulary>(
    kind: K,
    vocabulary: V,
    find: Finder<FactsOf<V>> = () => undefined
  ): PolicySet<Own, Kinds & { readonly [_ in K]: SiteFacts & FactsOf<V> }, Actions> {
    const { finders, guards, kinds } = this.tables
    if (Object.hasOwn(kinds, kind)) fail(`\`${kind}\` is already a resource type`)
    return this.with({
      kinds: { ...kinds, [kind]: { ...siteVocabulary, ...vocabulary } },
      finders: { ...finders, [kind]: find },
      guards: { ...guards, [kind]: guards.site ?? {} }
    })
  }

  /** Adds a custom action on a built-in or custom resource type. */
  withAction<const A extends string, const K extends OpenKind | (keyof Kinds & string)>(
    name: A,
    { access, grants, guards, on, scope, summary }: OwnAction<K, FactsOn<K, Kinds> & Own>
  ): PolicySet<Own, Kinds, Actions & { readonly [_ in A]: K }> {
    if (Object.hasOwn(this.tables.actions, name)) fail(`\`${name}\` is already an action`)
    const isOpen = Object.hasOwn(seenBy, on)
    const asks: ReadonlyArray<string> = isOpen ? seenBy[on as OpenKind] : []
    // BOUNDARY: the row's resource type and guards are custom, and the tables are read by name.
    const action = {
      on,
      path: "",
      summary,
      routes: [],
      access,
      scope,
      guards,
      asks,
      // It is unknown whether a custom resource is public.
      publicOnly: isOpen ? "public" : "refused",
      signInFirst: false
    } as unknown as Action
    const check: AnyCheck = {
      id: name,
      stage: "role",
      grants: grants.map((rule) => this.rule(on, rule)),
      forbids: [],
      answer: { status: 403, message: `user may not ${name}` },
      because: summary
    }
    return this.with({
      actions: { ...this.tables.actions, [name]: action },
      checks: grants.length === 0 ? this.tables.checks : { ...this.tables.checks, [name]: [check] }
    })
  }

  /**
   * Adds a deny rule to write actions: if the rule applies, the response is 403 with the reason of the rule.
   *
   * Read actions are not possible here, because lists would still show the same data; use `hide` for them.
   */
  forbid<const A extends ActionName>(actions: ReadonlyArray<A>, rule: OwnRule<FactsAbout<KindOf<A>> & Own>): this {
    const { because, id } = rule
    const checks = actions.map((action): [string, ReadonlyArray<AnyCheck>] => {
      const { access, on } = this.rulebook.actionOf(action)
      if (access === "read") fail(`\`${action}\` reads, and lists do not apply the rule: hide the resource instead`)
      const forbids = [this.rule(on, rule)]
      const answer = { status: 403, message: because }
      return [
        action,
        [...(this.tables.checks[action] ?? []), { id, stage: "role", grants: [], forbids, answer, because }]
      ]
    })
    return this.with({ checks: { ...this.tables.checks, ...Object.fromEntries(checks) } }) as this
  }

  /** Replaces the rules of a guard (a named access check), for every action on the resource type with this guard. */
  replace<const K extends keyof Replaceable>(
    kind: K,
    guard: Replaceable[K][number],
    rule: OwnRule<FactsAbout<K> & Own>
  ): this {
    const names: ReadonlyArray<string> = replaceable[kind]
    if (!names.includes(guard)) fail(`the guard \`${guard}\` of \`${kind}\` cannot be replaced: lists depend on it`)
    const { guards } = this.tables
    const before = guards[kind]?.[guard]
    const [asked] = before ?? []
    if (asked === undefined) return fail(`\`${guard}\` is not a guard of \`${kind}\``)
    const check: AnyCheck = { ...asked, grants: [this.rule(kind, rule)], forbids: [], because: rule.because }
    // Resources within a repository, users of an organization and others use the same check.
    const replaced = Object.entries(guards).map(([each, table]) =>
      table[guard] === before ? [each, { ...table, [guard]: [check] }] : [each, table]
    )
    return this.with({ guards: Object.fromEntries(replaced) }) as this
  }

  /**
   * Hides resources from callers for which a rule applies: requests respond with 404, and lists do not contain or count
   * the resources.
   *
   * A hidden repository also hides its contents. A hidden organization also hides its teams, but not its repositories.
   */
  hide<const K extends HiddenKind>(kind: K, rule: OwnRule<CallerFacts & RowsHidden[K] & Own>): this {
    const ownRule = this.rule(kind, rule)
    const known: ReadonlyArray<string> = [
      ...rowFacts[kind],
      ...Object.keys(this.tables.facts),
      ...Object.keys(siteVocabulary)
    ]
    for (const fact of factsIn(ownRule.when as Condition<Readonly<Record<string, unknown>>>)) {
      if (!known.includes(fact)) fail(`the rule \`${rule.id}\` asks about \`${fact}\`, which lists do not load`)
    }
    const { hidden } = this.tables
    return this.with({ hidden: { ...hidden, [kind]: [...hidden[kind], ownRule] } }) as this
  }

  /**
   * Returns the fields to add to the facts (inputs of access rules) of a request, so that this set decides: the values
   * of the custom facts at the time of the request, and a reference to the rules.
   */
  at(moment: Moment): WithRulebook & Own {
    const own = Object.entries(this.tables.facts).map(([name, { holds }]) => [name, holds(moment)])
    // BOUNDARY: the names are those of the added facts.
    return { ...Object.fromEntries(own), [rulebookKey]: this.rulebook } as WithRulebook & Own
  }

  /** Decides an action with these rules; the decision contains the names of the rules that determined it. */
  decide<A extends ActionName | keyof Actions>(action: A, facts: FactsUnder<A, Own, Kinds, Actions>): Decision {
    return this.rulebook.policyOf(action as string).decide(facts)
  }

  /** Decides an action with these rules; returns the proof of access that use cases require, or the refusal. */
  authorize<A extends (ActionName | keyof Actions) & string, R>(
    action: A,
    facts: FactsUnder<A, Own, Kinds, Actions>,
    resource: R
  ): Authorized<A, R> | Refused {
    return authorize(this.rulebook.policyOf(action) as Policy<A, unknown>, facts, resource)
  }

  /** Explains a decision to a maintainer of the resource: the checks in order, up to the first failed one. */
  explain<A extends (ActionName | keyof Actions) & string>(
    action: A,
    facts: FactsUnder<A, Own, Kinds, Actions>
  ): Explanation<A> {
    return explanationBy(this.rulebook, action, facts)
  }

  /** Returns sentences with the smallest changes of facts (inputs of access rules) that would reverse a decision. */
  changes<A extends (ActionName | keyof Actions) & string>(
    action: A,
    facts: FactsUnder<A, Own, Kinds, Actions>
  ): ReadonlyArray<string> {
    return changesBy(this.rulebook, action, facts as object)
  }

  private get tables(): Tables {
    return this.rulebook.tables
  }

  private with(changed: Partial<Tables>): never {
    // BOUNDARY: the additions to the tables have the type that the method declares, which the compiler cannot follow.
    return new PolicySet({ ...this.tables, ...changed }) as never
  }

  private rule<F>(kind: string, { because, id, when }: OwnRule<F>): AnyRule {
    const condition = when(conditionsOn<F>())
    // Throws if a fact is not one of the resource type.
    compileBits(condition, this.rulebook.layouts[kind] ?? fail(`\`${kind}\` is not a resource type`))
    return { id, when: condition, because }
  }
}
