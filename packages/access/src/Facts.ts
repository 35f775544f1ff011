/** A boolean fact, with one sentence for true and one for false. */
export interface Flag {
  readonly kind: "flag"
  readonly yes: string
  readonly no: string
}

/** A fact with ordered values, stored as a number from 0; each number has a word. */
export interface Ordered<N extends number> {
  readonly kind: "level"
  readonly words: ReadonlyArray<string>
  readonly of: string
  readonly levels: ReadonlyArray<N>
}

/** A fact that holds one word of a fixed list. */
export interface Worded<W extends string> {
  readonly kind: "word"
  readonly words: ReadonlyArray<W>
  readonly of: string
}

/** Describes one fact: its possible values and their sentences. */
export type Fact = Flag | Ordered<number> | Worded<string>

/** Describes a record of facts: the possible values and sentences of each fact, by its name. */
export type Vocabulary = Readonly<Record<string, Fact>>

/** The record of facts that a vocabulary describes. */
export type FactsOf<V extends Vocabulary> = {
  readonly [K in keyof V]: V[K] extends Flag
    ? boolean
    : V[K] extends Ordered<infer N>
      ? N
      : V[K] extends Worded<infer W>
        ? W
        : never
}

/** Describes a boolean fact, with a sentence for true and one for false. */
export const flag = (yes: string, no: string): Flag => ({ kind: "flag", yes, no })

/** Describes a fact with an ordered list of words. Its values are the positions in the list. */
export const ordered = <N extends number>(
  of: string,
  levels: ReadonlyArray<N>,
  words: ReadonlyArray<string>
): Ordered<N> => ({ kind: "level", of, levels, words })

/** Describes a fact that holds one word of a fixed list. */
export const worded = <W extends string>(of: string, words: ReadonlyArray<W>): Worded<W> => ({
  kind: "word",
  of,
  words
})
