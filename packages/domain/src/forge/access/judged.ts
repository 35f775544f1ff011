/** The key under which facts carry the rules that they are judged by; those of the library where it is left out. */
export const judgedBy: unique symbol = Symbol("judgedBy")

/** Facts that may carry the rules that they are judged by, as the rules themselves put them there: a `Rulebook`. */
export interface Judged {
  readonly [judgedBy]?: object
}
