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
  "/": of(11),
  "/:owner.rss": of(7),
  "/:owner.atom": of(7),
  "/:owner/-/activity": of(8),
  "/:owner/-/stars": of(7),
  "/:owner/-/packages": of(9),
  "/:owner/-/packages/:type/:name": of(12),
  "/:owner/-/packages/:type/:name/:version": of(8),
  "/:owner/:repo": of(10),
  "/:owner/:repo.rss": of(7),
  "/:owner/:repo.atom": of(7),
  "/:owner/:repo/activity": of(8),
  "/:owner/:repo/actions": of(7),
  "/:owner/:repo/actions/runs/:run": of(8),
  "/:owner/:repo/actions/runs/:run/jobs/:job": of(8),
  "/:owner/:repo/branches": of(9),
  "/:owner/:repo/compare": of(9),
  "/:owner/:repo/forks": of(7),
  "/:owner/:repo/graph": of(11, 4),
  "/:owner/:repo/issues": of(11),
  "/:owner/:repo/issues/:index": of(20),
  "/:owner/:repo/packages": of(9),
  "/:owner/:repo/pulls": of(11),
  "/:owner/:repo/pulls/:index": of(38),
  "/:owner/:repo/pulls/:index/checks": of(17),
  "/:owner/:repo/pulls/:index/commits": of(15),
  "/:owner/:repo/pulls/:index/files": of(19),
  "/:owner/:repo/settings/collaboration": of(8),
  "/explore/repos": of(7),
  "/notifications": of(7),
  "/org/:org/members": of(7),
  "/org/:org/teams/:team": of(13)
}
