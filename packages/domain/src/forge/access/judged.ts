/** The key under which facts carry their rules; the library's rules if omitted. */
export const judgedBy: unique symbol = Symbol("judgedBy")

/** Facts that can carry their rules, which `PolicySet` adds: a `Rulebook`. */
export interface Judged {
  readonly [judgedBy]?: object
}
