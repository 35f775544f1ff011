/** The key under which facts carry their rules; the library's rules if omitted. */
export const rulebookKey: unique symbol = Symbol("judgedBy")

/** Facts that can carry their rules, which `PolicySet` adds: a `Rulebook`. */
export interface WithRulebook {
  readonly [rulebookKey]?: object
}
