import { type Condition, type Conditions, compile, conditionsOn, specialise } from "./Condition.ts"
import {
  type Answer,
  type Check,
  type Decision,
  type FactsOrLoaded,
  isHidden,
  type Policy,
  passes,
  policy,
  type Rule
} from "./Decision.ts"
import type { FactsOf, Vocabulary } from "./Facts.ts"
import { Loaded, layoutOf } from "./Loaded.ts"
import { statements, toTree } from "./Prose.ts"
import { factColumn, toSql } from "./Sql.ts"

/** A rule without its name; the name is the key of the rule in its record. */
export interface RuleBody<F> {
  readonly when: Condition<F>
  readonly because: string
}

/** The allow and deny rules of an action. */
export interface ActionRules<F, A extends string = string> {
  /** The rules that allow the action: at least one must apply. Without any, every caller is allowed by default. */
  readonly allow: Readonly<Record<string, RuleBody<F>>>
  /** The rules that deny the action; they override `allow`. */
  readonly deny?: Readonly<Record<string, RuleBody<F>>>
  /** The actions that must also be allowed; they are checked before this action. */
  readonly requires?: ReadonlyArray<A>
  /** The response to a refused caller. Status 404 hides the resource and the reasons. The default is 403. */
  readonly answer?: Answer
}

/** A step of an explanation: the action that was checked, whether it passed, and the true statements that decided. */
export interface ExplainedStep {
  readonly action: string
  readonly passed: boolean
  /** The rules that apply in this step, with their reasons. */
  readonly rules: ReadonlyArray<string>
  readonly facts: ReadonlyArray<string>
}

/** A decision with its steps; there are no steps if the resource is hidden. */
export interface Explained {
  readonly decision: Decision
  readonly steps: ReadonlyArray<ExplainedStep>
}

/** A change of a subject's access: whether the action is allowed from now on. */
export interface AccessChange<S> {
  readonly subject: S
  readonly allowed: boolean
}

/** The position of a page in a list, and the SQL dialect of the query. */
export interface ListPage {
  /** The SQL table, view or common table expression with the rows of the list, with a column for each fact. */
  readonly from: string
  /** The unique column that orders the list. */
  readonly key: string
  /** The key of the last row of the previous page. */
  readonly after?: string | number
  readonly limit: number
  readonly dialect: "postgresql" | "sqlite"
}

/** An SQL query with its parameters. */
export interface Query {
  readonly text: string
  readonly values: ReadonlyArray<string | number>
}

/** The compiled access rules of all actions, with the functions that evaluate them on a record of facts. */
export interface Rules<F, A extends string> {
  readonly vocabulary: Vocabulary
  readonly actions: Readonly<Record<A, Policy<A, F>>>
  /** Decides an action for a record of facts (the values that the rules test), or for one that `load` prepared. */
  readonly check: (action: A, facts: FactsOrLoaded<F>) => Decision
  /** Prepares a record of facts once for many decisions, such as all actions that a page offers. */
  readonly load: (facts: F) => Loaded<F>
  /** Decides several actions. Equal fact records are packed only once. */
  readonly checkMany: (requests: ReadonlyArray<{ readonly action: A; readonly facts: F }>) => ReadonlyArray<Decision>
  /**
   * Returns the SQL query for the rows on which a caller may do an action, in order of the key. `known` holds the facts
   * about the caller; the columns of the rows supply the other facts.
   */
  readonly listObjects: (action: A, known: Partial<F>, page: ListPage) => Query
  /** Returns the candidates that may do an action on one resource, in the given order. */
  readonly listSubjects: <S>(action: A, candidates: Iterable<readonly [subject: S, facts: F]>) => ReadonlyArray<S>
  /**
   * Yields the changes of who may do an action on one resource. After each event, it loads the candidates again; a
   * missing candidate is denied. `events` reports the changes of the program's data. Subjects are compared as by `Set`.
   */
  readonly watch: <S>(
    action: A,
    load: () => Iterable<readonly [subject: S, facts: F]> | Promise<Iterable<readonly [subject: S, facts: F]>>,
    events: AsyncIterable<unknown>
  ) => AsyncIterableIterator<AccessChange<S>>
  /** Decides an action, and returns the decision with an explanation. */
  readonly explain: (action: A, facts: F) => Explained
  /** Returns the actions that a change of facts would allow or deny, without making the change. */
  readonly whatIf: (
    facts: F,
    change: Partial<F>
  ) => { readonly gains: ReadonlyArray<A>; readonly loses: ReadonlyArray<A> }
}

const rulesOf = <F>(rules: Readonly<Record<string, RuleBody<F>>> = {}): ReadonlyArray<Rule<F>> =>
  Object.entries(rules).map(([id, { because, when }]) => ({ id, when, because }))

const denied: Answer = { status: 403, message: "You are not allowed to do this." }

/**
 * Defines the access rules of an application over one record of facts (the values that rules test).
 *
 * Throws if a rule uses an unknown fact or value, or if the `requires` lists of actions form a cycle.
 */
export const defineRules = <const V extends Vocabulary, const A extends string>(
  vocabulary: V,
  define: (on: Conditions<FactsOf<V>>) => Readonly<Record<A, ActionRules<FactsOf<V>, NoInfer<A>>>>
): Rules<FactsOf<V>, A> => {
  type F = FactsOf<V>
  const layout = layoutOf(vocabulary)
  const rows = define(conditionsOn<F>())
  const names = Object.keys(rows) as unknown as ReadonlyArray<A>
  const checksOf = (name: A, path: ReadonlyArray<A>): ReadonlyArray<Check<F>> => {
    if (path.includes(name)) throw new Error(`\`${name}\` requires itself: ${[...path, name].join(" → ")}`)
    if (!Object.hasOwn(rows, name)) throw new Error(`\`${name}\` is not an action`)
    const { allow, answer = denied, deny, requires = [] } = rows[name]
    const before = requires.flatMap((each) => checksOf(each, [...path, name]))
    const known = before.filter(({ id }, at) => before.findIndex((each) => each.id === id) === at)
    const own = { id: name, stage: name, grants: rulesOf(allow), forbids: rulesOf(deny), answer, because: name }
    return [...known, own]
  }
  const actions = Object.fromEntries(names.map((name) => [name, policy(name, checksOf(name, []), layout)])) as Readonly<
    Record<A, Policy<A, F>>
  >
  const check = (action: A, facts: FactsOrLoaded<F>): Decision => actions[action].decide(facts)
  const listSubjects = <S>(action: A, candidates: Iterable<readonly [subject: S, facts: F]>): ReadonlyArray<S> =>
    [...candidates].filter(([, facts]) => actions[action].allows(facts)).map(([subject]) => subject)
  return {
    vocabulary,
    actions,
    check,
    load: (facts) => new Loaded(layout, facts),
    checkMany: (requests) => {
      const loaded = new Map<F, Loaded<F>>()
      return requests.map(({ action, facts }) => {
        const known = loaded.get(facts) ?? new Loaded(layout, facts)
        loaded.set(facts, known)
        return actions[action].decide(known)
      })
    },
    listObjects: (action, known, { after, dialect, from, key, limit }) => {
      if (!Number.isInteger(limit) || limit < 1) throw new Error(`the limit ${limit} is not a positive integer`)
      const condition = toSql(specialise(actions[action].condition, known), "row")
      const column = factColumn(key, "row")
      const sign = dialect === "sqlite" ? "?" : "$1"
      const page = after === undefined ? "" : ` and ${column} > ${sign}`
      return {
        text: `select "row".* from ${factColumn(from)} as "row" where ${condition}${page} order by ${column} limit ${limit}`,
        values: after === undefined ? [] : [after]
      }
    },
    listSubjects,
    watch: async function* (action, load, events) {
      let before = new Set(listSubjects(action, await load()))
      for await (const _ of events) {
        const after = new Set(listSubjects(action, await load()))
        for (const subject of after) if (!before.has(subject)) yield { subject, allowed: true }
        for (const subject of before) if (!after.has(subject)) yield { subject, allowed: false }
        before = after
      }
    },
    explain: (action, facts) => {
      const decision = check(action, facts)
      const steps: Array<ExplainedStep> = []
      for (const each of isHidden(decision) ? [] : actions[action].checks) {
        const tree = toTree(passes(each), facts, vocabulary)
        const rules = (tree.holds ? each.grants : each.forbids).filter(({ when }) => compile(when)(facts))
        steps.push({
          action: each.id,
          passed: tree.holds,
          rules: rules.map(({ because, id }) => `${id}: ${because}`),
          facts: statements(tree)
        })
        if (!tree.holds) break
      }
      return { decision, steps }
    },
    whatIf: (facts, change) => {
      const changed = { ...facts, ...change }
      const differs = (name: A, gained: boolean) =>
        actions[name].allows(facts) !== gained && actions[name].allows(changed) === gained
      return { gains: names.filter((name) => differs(name, true)), loses: names.filter((name) => differs(name, false)) }
    }
  }
}
