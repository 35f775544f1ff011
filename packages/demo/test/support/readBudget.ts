/** The most statements and git reads of a page. */
export interface ReadBudget {
  readonly statements: number
  readonly gitReads: number
}

/** The target for every page. */
export const target: ReadBudget = { statements: 6, gitReads: 3 }

const of = (statements: number, gitReads = target.gitReads): ReadBudget => ({ statements, gitReads })

/**
 * Pages above the target today. The list and its numbers only shrink.
 *
 * Conversations have one or two statements more than usual: which users are read together depends on timing.
 */
export const above: Readonly<Record<string, ReadBudget>> = {
  "/": of(9),
  "/:owner/-/activity": of(7),
  "/:owner/-/packages": of(8),
  "/:owner/-/packages/:type/:name": of(11),
  "/:owner/-/packages/:type/:name/:version": of(8),
  "/:owner/:repo": of(9),
  "/:owner/:repo/branches": of(7),
  "/:owner/:repo/compare": of(7),
  "/:owner/:repo/graph": of(9, 4),
  "/:owner/:repo/issues": of(8),
  "/:owner/:repo/issues/:index": of(17),
  "/:owner/:repo/packages": of(8),
  "/:owner/:repo/pulls": of(8),
  "/:owner/:repo/pulls/:index": of(35),
  "/:owner/:repo/pulls/:index/checks": of(14),
  "/:owner/:repo/pulls/:index/commits": of(13),
  "/:owner/:repo/pulls/:index/files": of(16),
  "/org/:org/teams/:team": of(11)
}
