import { ordered } from "./Facts.ts"

/** The words for access levels, from the lowest to the highest. */
export const levelWords = ["none", "read", "write", "admin", "owner"] as const

/** The word for an access level. */
export type LevelWord = (typeof levelWords)[number]

/** An access level as its position in the order none < read < write < admin < owner. */
export type Level = 0 | 1 | 2 | 3 | 4

/** The access levels by name. */
export const Level = { none: 0, read: 1, write: 2, admin: 3, owner: 4 } as const satisfies Record<LevelWord, Level>

/** Every access level, from the lowest to the highest. */
export const levels: ReadonlyArray<Level> = [0, 1, 2, 3, 4]

/** Returns the word for an access level. */
export const levelWord = (level: Level): LevelWord => levelWords[level]

/** Returns the access level for a word; undefined for an unknown word. */
export const parseLevel = (word: string): Level | undefined => {
  const place = levelWords.indexOf(word as LevelWord)
  return place < 0 ? undefined : (place as Level)
}

/** Returns the higher of two access levels. */
export const higher = (a: Level, b: Level): Level => (a > b ? a : b)

/** Returns the lower of two access levels. */
export const lower = (a: Level, b: Level): Level => (a < b ? a : b)

/** Returns the description of a fact with an access level as its value. */
export const levelFact = (of: string) => ordered<Level>(of, levels, levelWords)
