/** The categories of token scopes. */
export const scopeCategories = [
  "activitypub",
  "admin",
  "issue",
  "misc",
  "notification",
  "organization",
  "package",
  "repository",
  "user"
] as const

/** A category of routes that a token scope covers. */
export type ScopeCategory = (typeof scopeCategories)[number]

/** The level of a token in a category: none, read, or read and write. */
export type ScopeLevel = 0 | 1 | 2

/** The scope levels by name. */
export const ScopeLevel = { none: 0, read: 1, write: 2 } as const satisfies Record<string, ScopeLevel>

/** The words for scope levels, from the lowest to the highest. */
export const scopeLevelWords = ["none", "read", "write"] as const

/** One word of a token's scope, such as `read:repository`, as in requests and responses. */
export type ScopeWord = "all" | "public-only" | `${"read" | "write"}:${ScopeCategory}`

/** All valid scope words. */
export const scopeWords: ReadonlyArray<ScopeWord> = [
  "all",
  "public-only",
  ...scopeCategories.flatMap((category): ReadonlyArray<ScopeWord> => [`read:${category}`, `write:${category}`])
]

/** Returns the scope word for a text; undefined for an unknown word. */
export const parseScopeWord = (text: string): ScopeWord | undefined => scopeWords.find((each) => each === text)

/** The scope of a credential: a level in each category, and whether it is limited to public resources. */
export interface Scope {
  readonly levels: Readonly<Record<ScopeCategory, ScopeLevel>>
  readonly publicOnly: boolean
}

const at = (level: ScopeLevel): Scope["levels"] => ({
  activitypub: level,
  admin: level,
  issue: level,
  misc: level,
  notification: level,
  organization: level,
  package: level,
  repository: level,
  user: level
})

/** The scope of a sign-in without a token, such as a password: all permissions of the user. */
export const fullScope: Scope = { levels: at(ScopeLevel.write), publicOnly: false }

/** The scope without any permission. */
export const emptyScope: Scope = { levels: at(ScopeLevel.none), publicOnly: false }

const category = (word: ScopeWord): ScopeCategory => word.slice(word.indexOf(":") + 1) as ScopeCategory

/** Returns the scope that a list of scope words grants; `write` includes `read`. */
export const scopeOf = (words: Iterable<ScopeWord>): Scope => {
  const levels = { ...emptyScope.levels }
  let publicOnly = false
  for (const word of words) {
    if (word === "public-only") publicOnly = true
    else if (word === "all") Object.assign(levels, fullScope.levels)
    else {
      const level = word.startsWith("write:") ? ScopeLevel.write : ScopeLevel.read
      if (level > levels[category(word)]) levels[category(word)] = level
    }
  }
  return { levels, publicOnly }
}

/** Returns the shortest list of scope words for a scope, in a fixed order. */
export const wordsOf = (scope: Scope): ReadonlyArray<ScopeWord> => {
  const words: Array<ScopeWord> = scope.publicOnly ? ["public-only"] : []
  if (scopeCategories.every((each) => scope.levels[each] === ScopeLevel.write)) return ["all", ...words]
  for (const each of scopeCategories) {
    const level = scope.levels[each]
    if (level > ScopeLevel.none) words.push(level === ScopeLevel.write ? `write:${each}` : `read:${each}`)
  }
  return words
}

/** Normalizes scope words: sorts them, and removes duplicates and words that other words include. */
export const normaliseScope = (words: Iterable<ScopeWord>): ReadonlyArray<ScopeWord> => wordsOf(scopeOf(words))

/** Returns whether the scope `outer` permits everything that the scope `inner` permits. */
export const isWithin = (inner: Scope, outer: Scope): boolean =>
  (inner.publicOnly || !outer.publicOnly) && scopeCategories.every((each) => inner.levels[each] <= outer.levels[each])

/** Returns the intersection of two scopes: the lower level in each category, and public-only if one of them is. */
export const narrowScope = (a: Scope, b: Scope): Scope => {
  const levels = { ...a.levels }
  for (const each of scopeCategories) if (b.levels[each] < levels[each]) levels[each] = b.levels[each]
  return { levels, publicOnly: a.publicOnly || b.publicOnly }
}

/** Returns the scope of a new token: the requested scope, limited to the scope of the credential of the request. */
export const mintScope = (asked: Iterable<ScopeWord>, minter: Scope): Scope => narrowScope(scopeOf(asked), minter)
