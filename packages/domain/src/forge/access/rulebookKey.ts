/** The symbol property of facts that refers to the rules which decide on them; if absent, the built-in rules decide. */
export const rulebookKey: unique symbol = Symbol("judgedBy")

/** Facts that can refer to a `Rulebook`, which decides on them; `PolicySet.at` adds the reference. */
export interface WithRulebook {
  readonly [rulebookKey]?: object
}
