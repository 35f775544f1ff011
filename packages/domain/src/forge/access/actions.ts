import type { Action } from "./Action.ts"
import { accountActions } from "./actions/account.ts"
import { adminActions } from "./actions/admin.ts"
import { contentActions } from "./actions/contents.ts"
import { gitActions } from "./actions/git.ts"
import { issueActions } from "./actions/issues.ts"
import { labelActions } from "./actions/labels.ts"
import { notificationActions } from "./actions/notifications.ts"
import { organizationActions } from "./actions/organizations.ts"
import { packageActions } from "./actions/packages.ts"
import { pullActions } from "./actions/pulls.ts"
import { releaseAndWikiActions } from "./actions/releasesAndWiki.ts"
import { repositoryActions } from "./actions/repositories.ts"
import { repositoryServiceActions } from "./actions/repositoryActions.ts"
import { repositorySettingActions } from "./actions/repositorySettings.ts"
import { secondFactorActions } from "./actions/secondFactor.ts"
import { sessionActions } from "./actions/sessions.ts"
import { siteActions } from "./actions/site.ts"
import { teamActions } from "./actions/teams.ts"
import { userActions } from "./actions/users.ts"

/** All actions of the forge, each with its routes and its access requirements. */
export const actions = {
  ...accountActions,
  ...secondFactorActions,
  ...sessionActions,
  ...userActions,
  ...organizationActions,
  ...teamActions,
  ...siteActions,
  ...notificationActions,
  ...repositoryActions,
  ...contentActions,
  ...gitActions,
  ...repositorySettingActions,
  ...repositoryServiceActions,
  ...releaseAndWikiActions,
  ...pullActions,
  ...issueActions,
  ...labelActions,
  ...packageActions,
  ...adminActions
} as const satisfies Record<string, Action>

/** The name of an action, such as `team.member.add`. */
export type ActionName = keyof typeof actions

/** The resource type on which an action is performed. */
export type KindOf<A extends ActionName> = (typeof actions)[A]["on"]

/** The names of all actions, in the order of {@link actions}. */
export const actionNames = Object.keys(actions) as ReadonlyArray<ActionName>
