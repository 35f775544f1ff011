import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { adminEndpoints, adminSettingEndpoints } from "./administration/admin.ts"
import { auditEndpoints } from "./administration/audit.ts"
import { siteEndpoints } from "./administration/site.ts"
import { actionSecretEndpoints } from "./automation/actionSecrets.ts"
import { actionVariableEndpoints } from "./automation/actionVariables.ts"
import { artifactDownloadEndpoints, artifactEndpoints } from "./automation/artifacts.ts"
import { runnerEndpoints } from "./automation/runners.ts"
import { workflowEndpoints, workflowJobEndpoints, workflowRunEndpoints } from "./automation/workflows.ts"
import { taskEndpoints } from "./background/tasks.ts"
import { describedBy, withSharedParts } from "./base/description.ts"
import type { Endpoints, Shapes } from "./base/endpoints.ts"
import { branchEndpoints, tagEndpoints } from "./code/branches.ts"
import { codeSearchEndpoints } from "./code/codeSearch.ts"
import { commitEndpoints } from "./code/commits.ts"
import { contentChangeEndpoints } from "./code/contentChanges.ts"
import { contentEndpoints } from "./code/contents.ts"
import { forkEndpoints } from "./code/forks.ts"
import { gitHookEndpoints } from "./code/gitHooks.ts"
import { gitObjectEndpoints } from "./code/gitObjects.ts"
import { starEndpoints, watchEndpoints } from "./code/interests.ts"
import { branchProtectionEndpoints, tagProtectionEndpoints } from "./code/protections.ts"
import { collaboratorEndpoints, repositoryEndpoints, repositoryTeamEndpoints } from "./code/repositories.ts"
import { templateEndpoints } from "./code/templates.ts"
import { topicEndpoints } from "./code/topics.ts"
import { unadoptedEndpoints } from "./code/unadopted.ts"
import { wikiEndpoints } from "./code/wiki.ts"
import { activityEndpoints } from "./collaboration/activity.ts"
import {
  attachmentEndpoints,
  reactionCountEndpoints,
  reactionEndpoints,
  subscriptionEndpoints,
  timeEndpoints
} from "./collaboration/conversations.ts"
import { deploymentEndpoints } from "./collaboration/deployments.ts"
import {
  assigneeEndpoints,
  commentEndpoints,
  issueEndpoints,
  issueTemplateEndpoints,
  repositoryLabelEndpoints
} from "./collaboration/issues.ts"
import { markdownEndpoints } from "./collaboration/markdown.ts"
import { milestoneEndpoints, ownMilestoneEndpoints } from "./collaboration/milestones.ts"
import { notificationEndpoints } from "./collaboration/notifications.ts"
import { pullEndpoints, reviewEndpoints } from "./collaboration/pulls.ts"
import { releaseEndpoints } from "./collaboration/releases.ts"
import { statusEndpoints } from "./collaboration/statuses.ts"
import { effectiveAccessEndpoints } from "./explanation/effectiveAccess.ts"
import { explainEndpoints } from "./explanation/explain.ts"
import { accountEndpoints } from "./identity/account.ts"
import { badgeEndpoints } from "./identity/badges.ts"
import { gpgKeyEndpoints, signingKeyEndpoints } from "./identity/gpgKeys.ts"
import { deployKeyEndpoints, keyEndpoints } from "./identity/keys.ts"
import { oauth2Endpoints } from "./identity/oauth2.ts"
import { avatarEndpoints, labelEndpoints, memberEndpoints, organizationEndpoints } from "./identity/organizations.ts"
import { secondFactorEndpoints } from "./identity/second-factor.ts"
import { sessionEndpoints } from "./identity/sessions.ts"
import { teamEndpoints, teamMemberEndpoints, teamRepositoryEndpoints } from "./identity/teams.ts"
import { tokenEndpoints } from "./identity/tokens.ts"
import { userEndpoints } from "./identity/users.ts"
import { hookEndpoints } from "./integrations/hooks.ts"
import { mirrorEndpoints } from "./integrations/mirrors.ts"
import { packageEndpoints } from "./registries/packages.ts"

const describing = (document: Parameters<typeof withSharedParts>[0]) => withoutErrorTags(withSharedParts(document))

/** The declaration of the code hosting service's HTTP API, without handlers, so that clients can import it. */
export class ForgeApi extends HttpApi.make("forge")
  .add(userEndpoints.group)
  .add(accountEndpoints.group)
  .add(secondFactorEndpoints.group)
  .add(tokenEndpoints.group)
  .add(keyEndpoints.group)
  .add(gpgKeyEndpoints.group)
  .add(signingKeyEndpoints.group)
  .add(deployKeyEndpoints.group)
  .add(organizationEndpoints.group)
  .add(memberEndpoints.group)
  .add(labelEndpoints.group)
  .add(avatarEndpoints.group)
  .add(teamEndpoints.group)
  .add(teamMemberEndpoints.group)
  .add(teamRepositoryEndpoints.group)
  .add(repositoryEndpoints.group)
  .add(forkEndpoints.group)
  .add(packageEndpoints.group)
  .add(actionSecretEndpoints.group)
  .add(actionVariableEndpoints.group)
  .add(runnerEndpoints.group)
  .add(collaboratorEndpoints.group)
  .add(repositoryTeamEndpoints.group)
  .add(branchProtectionEndpoints.group)
  .add(tagProtectionEndpoints.group)
  .add(contentEndpoints.group)
  .add(codeSearchEndpoints.group)
  .add(contentChangeEndpoints.group)
  .add(branchEndpoints.group)
  .add(tagEndpoints.group)
  .add(commitEndpoints.group)
  .add(gitObjectEndpoints.group)
  .add(statusEndpoints.group)
  .add(deploymentEndpoints.group)
  .add(releaseEndpoints.group)
  .add(wikiEndpoints.group)
  .add(mirrorEndpoints.group)
  .add(templateEndpoints.group)
  .add(markdownEndpoints.group)
  .add(reactionEndpoints.group)
  .add(reactionCountEndpoints.group)
  .add(timeEndpoints.group)
  .add(activityEndpoints.group)
  .add(subscriptionEndpoints.group)
  .add(attachmentEndpoints.group)
  .add(notificationEndpoints.group)
  .add(starEndpoints.group)
  .add(watchEndpoints.group)
  .add(issueEndpoints.group)
  .add(commentEndpoints.group)
  .add(issueTemplateEndpoints.group)
  .add(repositoryLabelEndpoints.group)
  .add(milestoneEndpoints.group)
  .add(ownMilestoneEndpoints.group)
  .add(assigneeEndpoints.group)
  .add(pullEndpoints.group)
  .add(reviewEndpoints.group)
  .add(effectiveAccessEndpoints.group)
  .add(adminEndpoints.group)
  .add(adminSettingEndpoints.group)
  .add(auditEndpoints.group)
  .add(badgeEndpoints.group)
  .add(gitHookEndpoints.group)
  .add(taskEndpoints.group)
  .add(hookEndpoints.group)
  .add(oauth2Endpoints.group)
  .add(sessionEndpoints.group)
  .add(explainEndpoints.group)
  .add(topicEndpoints.group)
  .add(unadoptedEndpoints.group)
  .add(workflowEndpoints.group)
  .add(workflowRunEndpoints.group)
  .add(workflowJobEndpoints.group)
  .add(artifactEndpoints.group)
  .add(artifactDownloadEndpoints.group)
  .add(siteEndpoints.group)
  .annotate(OpenApi.Title, "Slipway forge")
  .annotate(OpenApi.Version, "0.1")
  .annotate(OpenApi.Description, "A code hosting service: users, credentials, organizations, teams and repositories.")
  .annotate(OpenApi.Transform, describing) {}

/** Returns the API with an OpenAPI document that also describes the custom access rules of a site. */
export const forgeApiUnder = ({ rulebook }: AnyPolicySet) =>
  ForgeApi.annotate(OpenApi.Transform, (document) => describedBy(rulebook)(describing(document)))

type ShapesOf<E> = E extends Endpoints<string, infer G extends Shapes> ? G : never

/** The types of all endpoints (body, query, response), by their actions. */
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
    ShapesOf<typeof codeSearchEndpoints>,
    ShapesOf<typeof contentChangeEndpoints>,
    ShapesOf<typeof branchEndpoints>,
    ShapesOf<typeof tagEndpoints>,
    ShapesOf<typeof commitEndpoints>,
    ShapesOf<typeof gitObjectEndpoints>,
    ShapesOf<typeof statusEndpoints>,
    ShapesOf<typeof deploymentEndpoints>,
    ShapesOf<typeof releaseEndpoints>,
    ShapesOf<typeof wikiEndpoints>,
    ShapesOf<typeof mirrorEndpoints>,
    ShapesOf<typeof templateEndpoints>,
    ShapesOf<typeof markdownEndpoints>,
    ShapesOf<typeof reactionEndpoints>,
    ShapesOf<typeof reactionCountEndpoints>,
    ShapesOf<typeof timeEndpoints>,
    ShapesOf<typeof activityEndpoints>,
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
    ShapesOf<typeof ownMilestoneEndpoints>,
    ShapesOf<typeof assigneeEndpoints>,
    ShapesOf<typeof pullEndpoints>,
    ShapesOf<typeof reviewEndpoints>,
    ShapesOf<typeof effectiveAccessEndpoints>,
    ShapesOf<typeof adminEndpoints>,
    ShapesOf<typeof adminSettingEndpoints>,
    ShapesOf<typeof auditEndpoints>,
    ShapesOf<typeof badgeEndpoints>,
    ShapesOf<typeof gitHookEndpoints>,
    ShapesOf<typeof taskEndpoints>,
    ShapesOf<typeof hookEndpoints>,
    ShapesOf<typeof oauth2Endpoints>,
    ShapesOf<typeof packageEndpoints>,
    ShapesOf<typeof sessionEndpoints>,
    ShapesOf<typeof explainEndpoints>,
    ShapesOf<typeof topicEndpoints>,
    ShapesOf<typeof unadoptedEndpoints>,
    ShapesOf<typeof workflowEndpoints>,
    ShapesOf<typeof workflowRunEndpoints>,
    ShapesOf<typeof workflowJobEndpoints>,
    ShapesOf<typeof artifactEndpoints>,
    ShapesOf<typeof artifactDownloadEndpoints> {}
