import type { accountEndpoints } from "./account.ts"
import type { adminEndpoints } from "./admin.ts"
import type { auditEndpoints } from "./audit.ts"
import type { badgeEndpoints } from "./badges.ts"
import type { branchEndpoints, tagEndpoints } from "./branches.ts"
import type { commitEndpoints } from "./commits.ts"
import type { contentChangeEndpoints } from "./contentChanges.ts"
import type { contentEndpoints } from "./contents.ts"
import type { attachmentEndpoints, reactionEndpoints, subscriptionEndpoints, timeEndpoints } from "./conversations.ts"
import type { effectiveAccessEndpoints } from "./effectiveAccess.ts"
import type { Endpoints, Shapes } from "./endpoints.ts"
import type { explainEndpoints } from "./explain.ts"
import type { forkEndpoints } from "./forks.ts"
import type { gitHookEndpoints } from "./gitHooks.ts"
import type { gitObjectEndpoints } from "./gitObjects.ts"
import type { gpgKeyEndpoints, signingKeyEndpoints } from "./gpgKeys.ts"
import type { hookEndpoints } from "./hooks.ts"
import type { starEndpoints, watchEndpoints } from "./interests.ts"
import type {
  assigneeEndpoints,
  commentEndpoints,
  issueEndpoints,
  issueTemplateEndpoints,
  milestoneEndpoints,
  repositoryLabelEndpoints
} from "./issues.ts"
import type { deployKeyEndpoints, keyEndpoints } from "./keys.ts"
import type { markdownEndpoints } from "./markdown.ts"
import type { mirrorEndpoints } from "./mirrors.ts"
import type { notificationEndpoints } from "./notifications.ts"
import type { oauth2Endpoints } from "./oauth2.ts"
import type { avatarEndpoints, labelEndpoints, memberEndpoints, organizationEndpoints } from "./organizations.ts"
import type { branchProtectionEndpoints, tagProtectionEndpoints } from "./protections.ts"
import type { pullEndpoints, reviewEndpoints } from "./pulls.ts"
import type { releaseEndpoints } from "./releases.ts"
import type { collaboratorEndpoints, repositoryEndpoints, repositoryTeamEndpoints } from "./repositories.ts"
import type { secondFactorEndpoints } from "./second-factor.ts"
import type { sessionEndpoints } from "./sessions.ts"
import type { siteEndpoints } from "./site.ts"
import type { statusEndpoints } from "./statuses.ts"
import type { taskEndpoints } from "./tasks.ts"
import type { teamEndpoints, teamMemberEndpoints, teamRepositoryEndpoints } from "./teams.ts"
import type { templateEndpoints } from "./templates.ts"
import type { tokenEndpoints } from "./tokens.ts"
import type { topicEndpoints } from "./topics.ts"
import type { unadoptedEndpoints } from "./unadopted.ts"
import type { userEndpoints } from "./users.ts"
import type { wikiEndpoints } from "./wiki.ts"

type ShapesOf<E> = E extends Endpoints<string, infer G extends Shapes> ? G : never

/** The shapes of all endpoints, by their actions. */
export interface ForgeShapes
  extends ShapesOf<typeof siteEndpoints>,
    ShapesOf<typeof userEndpoints>,
    ShapesOf<typeof accountEndpoints>,
    ShapesOf<typeof secondFactorEndpoints>,
    ShapesOf<typeof tokenEndpoints>,
    ShapesOf<typeof keyEndpoints>,
    ShapesOf<typeof gpgKeyEndpoints>,
    ShapesOf<typeof signingKeyEndpoints>,
    ShapesOf<typeof deployKeyEndpoints>,
    ShapesOf<typeof organizationEndpoints>,
    ShapesOf<typeof memberEndpoints>,
    ShapesOf<typeof labelEndpoints>,
    ShapesOf<typeof avatarEndpoints>,
    ShapesOf<typeof teamEndpoints>,
    ShapesOf<typeof teamMemberEndpoints>,
    ShapesOf<typeof teamRepositoryEndpoints>,
    ShapesOf<typeof repositoryEndpoints>,
    ShapesOf<typeof forkEndpoints>,
    ShapesOf<typeof collaboratorEndpoints>,
    ShapesOf<typeof repositoryTeamEndpoints>,
    ShapesOf<typeof branchProtectionEndpoints>,
    ShapesOf<typeof tagProtectionEndpoints>,
    ShapesOf<typeof contentEndpoints>,
    ShapesOf<typeof contentChangeEndpoints>,
    ShapesOf<typeof branchEndpoints>,
    ShapesOf<typeof tagEndpoints>,
    ShapesOf<typeof commitEndpoints>,
    ShapesOf<typeof gitObjectEndpoints>,
    ShapesOf<typeof statusEndpoints>,
    ShapesOf<typeof releaseEndpoints>,
    ShapesOf<typeof wikiEndpoints>,
    ShapesOf<typeof mirrorEndpoints>,
    ShapesOf<typeof templateEndpoints>,
    ShapesOf<typeof markdownEndpoints>,
    ShapesOf<typeof reactionEndpoints>,
    ShapesOf<typeof timeEndpoints>,
    ShapesOf<typeof subscriptionEndpoints>,
    ShapesOf<typeof attachmentEndpoints>,
    ShapesOf<typeof notificationEndpoints>,
    ShapesOf<typeof starEndpoints>,
    ShapesOf<typeof watchEndpoints>,
    ShapesOf<typeof issueEndpoints>,
    ShapesOf<typeof commentEndpoints>,
    ShapesOf<typeof issueTemplateEndpoints>,
    ShapesOf<typeof repositoryLabelEndpoints>,
    ShapesOf<typeof milestoneEndpoints>,
    ShapesOf<typeof assigneeEndpoints>,
    ShapesOf<typeof pullEndpoints>,
    ShapesOf<typeof reviewEndpoints>,
    ShapesOf<typeof effectiveAccessEndpoints>,
    ShapesOf<typeof adminEndpoints>,
    ShapesOf<typeof auditEndpoints>,
    ShapesOf<typeof badgeEndpoints>,
    ShapesOf<typeof gitHookEndpoints>,
    ShapesOf<typeof taskEndpoints>,
    ShapesOf<typeof hookEndpoints>,
    ShapesOf<typeof oauth2Endpoints>,
    ShapesOf<typeof sessionEndpoints>,
    ShapesOf<typeof explainEndpoints>,
    ShapesOf<typeof topicEndpoints>,
    ShapesOf<typeof unadoptedEndpoints> {}
