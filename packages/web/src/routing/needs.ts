/** The type of the resource in the URL of a page that an access check is about. `self` is the signed-in user. */
export type NeedOn = "issue" | "org" | "owner" | "packages" | "pull" | "repo" | "self" | "site" | "team"

/** An access requirement of a page: the viewer must be allowed to perform this action on the resource in the URL. */
export type Need = readonly [action: string, on: NeedOn]

const repository = ["repository.read", "repo"] as const
const code = [repository, ["repository.contents.list", "repo"]] as const
const history = [repository, ["repository.commit.list", "repo"]] as const
const blame = [repository, ["repository.blame", "repo"]] as const
const settings = [repository, ["repository.edit", "repo"]] as const
const issues = [repository, ["issue.list", "repo"]] as const
const pull = [repository, ["pull.read", "pull"]] as const
const runs = [repository, ["repository.actions.run.read", "repo"]] as const
const wiki = [repository, ["repository.wiki.page.list", "repo"]] as const
const organization = ["organization.read", "org"] as const
const orgSettings = [organization, ["organization.edit", "org"]] as const
const packages = [["package.list", "packages"]] as const
const account = (action: string): ReadonlyArray<Need> => [[action, "self"]]
const site = (action: string): ReadonlyArray<Need> => [[action, "site"]]

/** Returns the access requirements of the webhook pages of an owner. `path` is the path of the list. */
const hooks = (
  path: string,
  owner: string,
  on: NeedOn,
  before: ReadonlyArray<Need>
): Readonly<Record<string, ReadonlyArray<Need>>> => {
  const create: Need = [`${owner}.hook.create`, on]
  return {
    [path]: [...before, create, [`${owner}.hook.list`, on]],
    [`${path}/new`]: [...before, create],
    [`${path}/:id`]: [...before, create, [`${owner}.hook.list`, on]],
    [`${path}/:id/deliveries/:delivery`]: [...before, create, [`${owner}.hook.list`, on]]
  }
}

/**
 * The access requirements of each page, by path. If one is not met, the page answers with the error of the API for the
 * first unmet requirement.
 *
 * A page without requirements is public: it shows no protected data, or a list that omits what the viewer may not see.
 */
export const needs: Readonly<Record<string, ReadonlyArray<Need>>> = {
  "/": [],
  "/explore/repos": [],
  "/explore/users": [],
  "/explore/organizations": [],
  "/explore/code": site("code.search"),
  "/search": [],
  "/user/login": [],
  "/user/logout": [],
  "/user/sign_up": [],
  "/user/forgot_password": [],
  "/user/recover_account": [],
  "/:owner": [["user.read", "owner"]],
  "/:owner/-/activity": [["user.read", "owner"]],
  "/:owner/-/stars": [["user.read", "owner"]],
  "/:owner/-/followers": [["user.read", "owner"]],
  "/:owner/-/following": [["user.read", "owner"]],
  "/:owner.rss": [["user.read", "owner"]],
  "/:owner.atom": [["user.read", "owner"]],
  "/:owner/:repo": [repository],
  "/:owner/:repo.rss": [["repository.feed.list", "repo"]],
  "/:owner/:repo.atom": [["repository.feed.list", "repo"]],
  "/:owner/:repo/src/branch/*": code,
  "/:owner/:repo/src/tag/*": code,
  "/:owner/:repo/src/commit/*": code,
  "/:owner/:repo/commits/branch/*": history,
  "/:owner/:repo/commits/tag/*": history,
  "/:owner/:repo/commits/commit/*": history,
  "/:owner/:repo/graph": history,
  "/:owner/:repo/commit/:sha": [repository, ["repository.git.commit.read", "repo"]],
  "/:owner/:repo/compare": [repository, ["repository.branch.list", "repo"]],
  "/:owner/:repo/compare/*": [repository, ["repository.compare", "repo"]],
  "/:owner/:repo/blame/branch/*": blame,
  "/:owner/:repo/blame/tag/*": blame,
  "/:owner/:repo/blame/commit/*": blame,
  "/:owner/:repo/find/*": [repository, ["repository.file.search", "repo"]],
  "/:owner/:repo/search": [repository, ["repository.code.search", "repo"]],
  "/:owner/:repo/_new/*": code,
  "/:owner/:repo/_edit/*": code,
  "/:owner/:repo/_delete/*": code,
  "/:owner/:repo/_upload/*": code,
  "/:owner/:repo/stars": [repository],
  "/:owner/:repo/watchers": [repository],
  "/:owner/:repo/forks": [repository, ["repository.fork.list", "repo"]],
  "/:owner/:repo/fork": [repository],
  "/:owner/:repo/issues": issues,
  "/:owner/:repo/pulls": [repository, ["pull.list", "repo"]],
  "/:owner/:repo/issues/new": issues,
  "/:owner/:repo/issues/:index": [repository, ["issue.read", "issue"]],
  "/:owner/:repo/pulls/:index": pull,
  "/:owner/:repo/pulls/:index/commits": pull,
  "/:owner/:repo/pulls/:index/checks": pull,
  "/:owner/:repo/pulls/:index/files": pull,
  "/:owner/:repo/labels": [repository, ["label.list", "repo"]],
  "/:owner/:repo/milestones": [repository, ["milestone.list", "repo"]],
  "/:owner/:repo/milestones/new": [repository],
  "/:owner/:repo/releases": [repository, ["repository.release.list", "repo"]],
  "/:owner/:repo/releases/tag/*": [repository, ["repository.release.list", "repo"]],
  "/:owner/:repo/releases/new": [repository],
  "/:owner/-/packages": packages,
  "/:owner/-/packages/:type/:name": packages,
  "/:owner/-/packages/:type/:name/:version": packages,
  "/:owner/:repo/packages": [repository, ...packages],
  "/:owner/:repo/branches": [repository, ["repository.branch.list", "repo"]],
  "/:owner/:repo/tags": [repository, ["repository.tag.list", "repo"]],
  "/notifications": account("notification.list"),
  "/issues": [],
  "/pulls": [],
  "/milestones": account("account.milestone.list"),
  "/:owner/:repo/wiki": wiki,
  "/:owner/:repo/wiki/:page": wiki,
  "/:owner/:repo/actions": [repository, ["repository.actions.run.list", "repo"]],
  "/:owner/:repo/activity": [repository, ["repository.activity.read", "repo"]],
  "/:owner/:repo/deployments": [repository, ["repository.deployment.list", "repo"]],
  "/:owner/:repo/actions/runs/:run": runs,
  "/:owner/:repo/actions/runs/:run/jobs/:job": runs,
  "/org/create": site("organization.create"),
  "/org/:org/members": [organization, ["organization.member.list", "org"]],
  "/org/:org/teams": [organization, ["organization.team.list", "org"]],
  "/org/:org/teams/new": [organization, ["organization.team.create", "org"]],
  "/org/:org/teams/:team": [organization, ["organization.team.search", "org"], ["team.read", "team"]],
  "/org/:org/settings": orgSettings,
  "/org/:org/settings/blocked_users": [...orgSettings, ["organization.block.list", "org"]],
  "/org/:org/settings/labels": [...orgSettings, ["organization.label.list", "org"]],
  "/org/:org/settings/actions/secrets": [...orgSettings, ["organization.actions.secret.list", "org"]],
  "/org/:org/settings/actions/variables": [...orgSettings, ["organization.actions.variable.list", "org"]],
  "/org/:org/settings/actions/runners": [...orgSettings, ["organization.actions.runner.list", "org"]],
  ...hooks("/org/:org/settings/hooks", "organization", "org", orgSettings),
  "/org/:org/settings/audit": [organization, ["organization.audit.list", "org"]],
  "/repo/create": [],
  "/:owner/:repo/settings": settings,
  "/:owner/:repo/settings/access": settings,
  "/:owner/:repo/settings/collaboration": settings,
  "/:owner/:repo/settings/branches": settings,
  "/:owner/:repo/settings/branches/edit": settings,
  "/:owner/:repo/settings/tags": settings,
  "/:owner/:repo/settings/mirrors": settings,
  "/:owner/:repo/settings/deployments": settings,
  "/:owner/:repo/settings/environments": settings,
  "/:owner/:repo/settings/environments/edit": settings,
  "/:owner/:repo/settings/keys": settings,
  "/:owner/:repo/settings/actions/secrets": [...settings, ["repository.actions.secret.list", "repo"]],
  "/:owner/:repo/settings/actions/variables": [...settings, ["repository.actions.variable.list", "repo"]],
  "/:owner/:repo/settings/actions/runners": [...settings, ["repository.actions.runner.list", "repo"]],
  "/:owner/:repo/settings/hooks": settings,
  "/:owner/:repo/settings/hooks/new": settings,
  "/:owner/:repo/settings/hooks/:id": settings,
  "/:owner/:repo/settings/hooks/:id/deliveries/:delivery": settings,
  "/user/settings": account("account.settings.read"),
  "/user/settings/account": account("account.email.list"),
  "/user/settings/security": [],
  "/user/settings/applications": [],
  "/user/settings/applications/oauth2": account("account.oauth2-application.list"),
  "/user/settings/keys": account("account.key.list"),
  "/user/settings/blocked_users": account("account.block.list"),
  "/user/settings/organization": account("account.organization.list"),
  "/user/settings/repos": account("account.repository.list"),
  "/user/settings/packages": [],
  ...hooks("/user/settings/hooks", "account", "self", []),
  "/user/settings/actions/variables": account("account.actions.variable.list"),
  "/user/settings/actions/runners": account("account.actions.runner.list"),
  "/user/settings/notifications": account("account.settings.read"),
  "/admin": site("admin.notice.list"),
  "/admin/config": site("admin.settings.list"),
  "/admin/users": site("admin.user.list"),
  "/admin/users/new": site("admin.user.create"),
  "/admin/users/:name": site("admin.user.list"),
  "/admin/organizations": site("admin.organization.list"),
  "/admin/emails": site("admin.email.search"),
  ...hooks("/admin/hooks", "admin", "site", []),
  "/admin/runners": site("admin.actions.runner.list"),
  "/admin/tasks": site("admin.cron.list"),
  "/admin/notices": site("admin.notice.list"),
  "/admin/unadopted": site("admin.unadopted.list"),
  "/admin/audit": site("admin.audit.list")
}
