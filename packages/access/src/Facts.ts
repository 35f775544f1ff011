/** The description of a boolean fact (a value that access rules test), with one sentence for true and one for false. */
export interface Flag {
  readonly kind: "flag"
  readonly yes: string
  readonly no: string
}

/** The description of a fact with ordered values, stored as a number from 0; each number has a word. */
export interface Ordered<N extends number> {
  readonly kind: "level"
  readonly words: ReadonlyArray<string>
  readonly of: string
  readonly levels: ReadonlyArray<N>
}

/** The description of a fact that holds one word of a fixed list. */
export interface Worded<W extends string> {
  readonly kind: "word"
  readonly words: ReadonlyArray<W>
  readonly of: string
}

/** The description of one fact (a value that access rules test): its possible values and their sentences. */
export type Fact = Flag | Ordered<number> | Worded<string>

/** The description of a record of facts (values that access rules test): possible values and sentences, by name. */
export type Vocabulary = Readonly<Record<string, Fact>>

/** The type of a record of facts that fits a vocabulary. */
export type FactsOf<V extends Vocabulary> = {
  readonly [K in keyof V]: V[K] extends Flag
    ? boolean
    : V[K] extends Ordered<infer N>
      ? N
      : V[K] extends Worded<infer W>
        ? W
        : never
}

/** Returns the description of a boolean fact, with a sentence for true and a sentence for false. */
export const flag = (yes: string, no: string): Flag => ({ kind: "flag", yes, no })

/** Returns the description of a fact with ordered values: a list of words; the position of a word is its value. */
export const ordered = <N extends number>(
  of: string,
  levels: ReadonlyArray<N>,
  words: ReadonlyArray<string>
): Ordered<N> => ({ kind: "level", of, levels, words })

/** Returns the description of a fact that holds one word of a fixed list. */
export const worded = <W extends string>(of: string, words: ReadonlyArray<W>): Worded<W> => ({
  kind: "word",
  of,
  words
})
