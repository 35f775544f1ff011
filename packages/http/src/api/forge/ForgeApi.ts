import type { AnyPolicySet } from "@slipway/domain/forge"
import { HttpApi, OpenApi } from "effect/http-api"
import { withoutErrorTags } from "../errorSchemas.ts"
import { accountEndpoints } from "./account.ts"
import { actionSecretEndpoints } from "./actionSecrets.ts"
import { actionVariableEndpoints } from "./actionVariables.ts"
import { adminEndpoints } from "./admin.ts"
import { artifactDownloadEndpoints, artifactEndpoints } from "./artifacts.ts"
import { auditEndpoints } from "./audit.ts"
import { badgeEndpoints } from "./badges.ts"
import { branchEndpoints, tagEndpoints } from "./branches.ts"
import { commitEndpoints } from "./commits.ts"
import { contentChangeEndpoints } from "./contentChanges.ts"
import { contentEndpoints } from "./contents.ts"
import { attachmentEndpoints, reactionEndpoints, subscriptionEndpoints, timeEndpoints } from "./conversations.ts"
import { described, describedBy } from "./description.ts"
import { effectiveAccessEndpoints } from "./effectiveAccess.ts"
import type { Endpoints, Shapes } from "./endpoints.ts"
import { explainEndpoints } from "./explain.ts"
import { forkEndpoints } from "./forks.ts"
import { gitHookEndpoints } from "./gitHooks.ts"
import { gitObjectEndpoints } from "./gitObjects.ts"
import { gpgKeyEndpoints, signingKeyEndpoints } from "./gpgKeys.ts"
import { hookEndpoints } from "./hooks.ts"
import { starEndpoints, watchEndpoints } from "./interests.ts"
import {
  assigneeEndpoints,
  commentEndpoints,
  issueEndpoints,
  issueTemplateEndpoints,
  milestoneEndpoints,
  repositoryLabelEndpoints
} from "./issues.ts"
import { deployKeyEndpoints, keyEndpoints } from "./keys.ts"
import { markdownEndpoints } from "./markdown.ts"
import { mirrorEndpoints } from "./mirrors.ts"
import { notificationEndpoints } from "./notifications.ts"
import { oauth2Endpoints } from "./oauth2.ts"
import { avatarEndpoints, labelEndpoints, memberEndpoints, organizationEndpoints } from "./organizations.ts"
import { packageEndpoints } from "./packages.ts"
import { branchProtectionEndpoints, tagProtectionEndpoints } from "./protections.ts"
import { pullEndpoints, reviewEndpoints } from "./pulls.ts"
import { releaseEndpoints } from "./releases.ts"
import { collaboratorEndpoints, repositoryEndpoints, repositoryTeamEndpoints } from "./repositories.ts"
import { runnerEndpoints } from "./runners.ts"
import { secondFactorEndpoints } from "./second-factor.ts"
import { sessionEndpoints } from "./sessions.ts"
import { siteEndpoints } from "./site.ts"
import { statusEndpoints } from "./statuses.ts"
import { taskEndpoints } from "./tasks.ts"
import { teamEndpoints, teamMemberEndpoints, teamRepositoryEndpoints } from "./teams.ts"
import { templateEndpoints } from "./templates.ts"
import { tokenEndpoints } from "./tokens.ts"
import { topicEndpoints } from "./topics.ts"
import { unadoptedEndpoints } from "./unadopted.ts"
import { userEndpoints } from "./users.ts"
import { wikiEndpoints } from "./wiki.ts"
import { workflowEndpoints, workflowJobEndpoints, workflowRunEndpoints } from "./workflows.ts"

const describing = (document: Parameters<typeof described>[0]) => withoutErrorTags(described(document))

/** The API of the code hosting service, without its implementation: importable by clients. */
export class ForgeApi extends HttpApi.make("forge")
  .add(siteEndpoints.group)
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
  .add(contentChangeEndpoints.group)
  .add(branchEndpoints.group)
  .add(tagEndpoints.group)
  .add(commitEndpoints.group)
  .add(gitObjectEndpoints.group)
  .add(statusEndpoints.group)
  .add(releaseEndpoints.group)
  .add(wikiEndpoints.group)
  .add(mirrorEndpoints.group)
  .add(templateEndpoints.group)
  .add(markdownEndpoints.group)
  .add(reactionEndpoints.group)
  .add(timeEndpoints.group)
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
  .add(assigneeEndpoints.group)
  .add(pullEndpoints.group)
  .add(reviewEndpoints.group)
  .add(effectiveAccessEndpoints.group)
  .add(adminEndpoints.group)
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
  .annotate(OpenApi.Title, "Slipway forge")
  .annotate(OpenApi.Version, "0.1")
  .annotate(
    OpenApi.Description,
    "A code hosting service: users, what they sign in with, organizations, teams and repositories."
  )
  .annotate(OpenApi.Transform, describing) {}

/** The API as a site with rules of its own describes it. */
export const forgeApiUnder = ({ rulebook }: AnyPolicySet) =>
  ForgeApi.annotate(OpenApi.Transform, (document) => describedBy(rulebook)(describing(document)))

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
    ShapesOf<typeof unadoptedEndpoints>,
    ShapesOf<typeof workflowEndpoints>,
    ShapesOf<typeof workflowRunEndpoints>,
    ShapesOf<typeof workflowJobEndpoints>,
    ShapesOf<typeof artifactEndpoints>,
    ShapesOf<typeof artifactDownloadEndpoints> {}
