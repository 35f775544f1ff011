/** The most statements and git reads of a page. */
export interface ReadBudget {
  readonly statements: number
  readonly gitReads: number
}

/** The target for every page. */
export const target: ReadBudget = { statements: 6, gitReads: 3 }

const of = (statements: number, gitReads = target.gitReads): ReadBudget => ({ statements, gitReads })

/** Pages above the target today. The list and its numbers only shrink. */
export const above: Readonly<Record<string, ReadBudget>> = {
  "/": of(8),
  "/:owner": of(7),
  "/:owner.rss": of(8),
  "/:owner.atom": of(8),
  "/:owner/-/activity": of(10),
  "/:owner/-/followers": of(7),
  "/:owner/-/following": of(7),
  "/:owner/-/stars": of(7),
  "/:owner/-/packages": of(12),
  "/:owner/-/packages/:type/:name": of(17),
  "/:owner/-/packages/:type/:name/:version": of(14),
  "/:owner/:repo": of(18, 25),
  "/:owner/:repo.rss": of(8),
  "/:owner/:repo.atom": of(8),
  "/:owner/:repo/activity": of(12),
  "/:owner/:repo/actions": of(11),
  "/:owner/:repo/deployments": of(7),
  "/:owner/:repo/actions/runs/:run": of(14),
  "/:owner/:repo/actions/runs/:run/jobs/:job": of(15),
  "/:owner/:repo/branches": of(11),
  "/:owner/:repo/commit/:sha": of(8, 6),
  "/:owner/:repo/commits/branch/*": of(13, 9),
  "/:owner/:repo/commits/commit/*": of(13, 9),
  "/:owner/:repo/commits/tag/*": of(13, 9),
  "/:owner/:repo/compare": of(11),
  "/:owner/:repo/fork": of(7),
  "/:owner/:repo/forks": of(12),
  "/:owner/:repo/issues": of(13),
  "/:owner/:repo/issues/:index": of(23),
  "/:owner/:repo/issues/new": of(7, 6),
  "/:owner/:repo/labels": of(7),
  "/:owner/:repo/milestones": of(8),
  "/:owner/:repo/packages": of(14),
  "/:owner/:repo/pulls": of(13),
  "/:owner/:repo/pulls/:index": of(48),
  "/:owner/:repo/pulls/:index/checks": of(26),
  "/:owner/:repo/pulls/:index/commits": of(20, 4),
  "/:owner/:repo/pulls/:index/files": of(27),
  "/:owner/:repo/releases": of(9),
  "/:owner/:repo/releases/tag/*": of(9),
  "/:owner/:repo/settings/access": of(8),
  "/:owner/:repo/settings/actions/runners": of(7),
  "/:owner/:repo/settings/actions/secrets": of(7),
  "/:owner/:repo/settings/actions/variables": of(7),
  "/:owner/:repo/settings/branches": of(8),
  "/:owner/:repo/settings/collaboration": of(10),
  "/:owner/:repo/settings/deployments": of(7),
  "/:owner/:repo/settings/environments": of(7),
  "/:owner/:repo/settings/hooks": of(7),
  "/:owner/:repo/settings/hooks/:id": of(9),
  "/:owner/:repo/settings/hooks/:id/deliveries/:delivery": of(8),
  "/:owner/:repo/settings/keys": of(9),
  "/:owner/:repo/src/branch/*": of(13, 22),
  "/:owner/:repo/src/commit/*": of(13, 22),
  "/:owner/:repo/src/tag/*": of(13, 22),
  "/:owner/:repo/stars": of(7),
  "/:owner/:repo/watchers": of(7),
  "/:owner/:repo/wiki": of(6, 4),
  "/:owner/:repo/wiki/:page": of(6, 7),
  "/explore/repos": of(9),
  "/notifications": of(7),
  "/org/:org/members": of(9),
  "/org/:org/settings/hooks/:id": of(7),
  "/org/:org/teams/:team": of(16)
}
