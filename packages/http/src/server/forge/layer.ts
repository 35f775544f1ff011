import { SiteSettings } from "@slipway/domain/forge/base"
import { Effect, Layer, Predicate } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ForgeApi, forgeApiUnder } from "../../api/forge/ForgeApi.ts"
import { errorBodies } from "../errorBodies.ts"
import { homePaths, homeRoutes } from "../home.ts"
import { descriptionPath, olderPaths, referencePaths } from "../reference/paths.ts"
import { referenceRoutes } from "../reference/routes.ts"
import { layerAdmin, layerAdminSettings } from "./administration/admin.ts"
import { layerAudit } from "./administration/audit.ts"
import { layerSite } from "./administration/site.ts"
import { layerActionSecrets } from "./automation/actionSecrets.ts"
import { layerActionVariables } from "./automation/actionVariables.ts"
import { artifactPaths, artifactRoutes } from "./automation/artifactService.ts"
import { layerArtifactDownloads, layerArtifacts } from "./automation/artifacts.ts"
import { runnerRoutes } from "./automation/runnerProtocol/routes.ts"
import { layerRunners } from "./automation/runners.ts"
import { badgeRoute, badgeRoutes } from "./automation/workflowBadges.ts"
import { layerWorkflowJobs, layerWorkflowRuns, layerWorkflows } from "./automation/workflows.ts"
import { layerTasks } from "./background/tasks.ts"
import { conditional } from "./base/conditional.ts"
import { failureMessages } from "./base/errors.ts"
import { PublicUrl, publicUrlFor, referenceUrl } from "./base/PublicUrl.ts"
import { attachmentRoutes, layerAttachments } from "./code/attachments.ts"
import { layerBranches, layerTags } from "./code/branches.ts"
import { layerCodeSearch } from "./code/code-search/codeSearch.ts"
import { layerCollaborators, layerRepositoryTeams } from "./code/collaborators.ts"
import { layerCommits } from "./code/commits.ts"
import { layerContentChanges } from "./code/contentChanges.ts"
import { layerContents } from "./code/contents.ts"
import { linkedRoutes, linkRoutes } from "./code/downloads.ts"
import { layerForks } from "./code/forks.ts"
import { layerGitHooks } from "./code/gitHooks.ts"
import { layerGitObjects } from "./code/gitObjects.ts"
import { layerGoGet } from "./code/goGet.ts"
import { layerStars, layerWatches } from "./code/interests.ts"
import { layerLabels } from "./code/labels.ts"
import { layerBranchProtections, layerTagProtections } from "./code/protections.ts"
import { layerRepositories } from "./code/repositories.ts"
import { attachmentRoute } from "./code/showAttachment.ts"
import { layerTemplates } from "./code/templates.ts"
import { layerTopics } from "./code/topics.ts"
import { layerUnadopted } from "./code/unadopted.ts"
import { layerWiki } from "./code/wiki.ts"
import { wikiPages, wikiRoutes } from "./code/wikiPages.ts"
import { layerActivity } from "./collaboration/activity.ts"
import { layerReactionCounts, layerReactions, layerSubscriptions, layerTimes } from "./collaboration/conversations.ts"
import { layerDeployments } from "./collaboration/deployments.ts"
import {
  layerAssignees,
  layerComments,
  layerIssues,
  layerMilestones,
  layerOwnMilestones,
  layerRepositoryLabels
} from "./collaboration/issues.ts"
import { layerIssueTemplates } from "./collaboration/issueTemplates.ts"
import { layerMarkdown } from "./collaboration/markdown.ts"
import { layerNotifications } from "./collaboration/notifications.ts"
import { layerPulls, layerReviews } from "./collaboration/pulls.ts"
import { layerReleases, releaseDownloadRoute, releaseDownloads } from "./collaboration/releases.ts"
import { layerStatuses } from "./collaboration/statuses.ts"
import { unsubscribeRoute, unsubscribeRoutes } from "./collaboration/unsubscribe.ts"
import { layerEveryEndpointHandled } from "./entry/guard.ts"
import { outsidePaths, outsideRoutes } from "./entry/login/externalSignIn.ts"
import { programPaths, protocolPaths, protocolRoutes } from "./entry/login/protocol.ts"
import { recoveryPaths, recoveryRoutes } from "./entry/login/recovery.ts"
import { securityPaths, securityRoutes } from "./entry/login/security.ts"
import { signInPaths, signInRoutes } from "./entry/login/signIn.ts"
import { layerEffectiveAccess } from "./explanation/effectiveAccess.ts"
import { layerExplain } from "./explanation/explain.ts"
import { explorerActions, explorerPaths, explorerRoutes } from "./explanation/explorer/routes.ts"
import { layerAccount } from "./identity/account.ts"
import { avatarRoute, avatarRoutes, layerAvatars } from "./identity/avatars.ts"
import { layerBadges } from "./identity/badges.ts"
import { layerGpgKeys, layerSigningKeys } from "./identity/gpgKeys.ts"
import { layerDeployKeys, layerKeys } from "./identity/keys.ts"
import { layerMembers } from "./identity/members.ts"
import { layerOAuth2Applications } from "./identity/oauth2.ts"
import { layerOrganizations } from "./identity/organizations.ts"
import { layerSecondFactor } from "./identity/second-factor.ts"
import { layerSessions } from "./identity/sessions.ts"
import { layerTeamMembers, layerTeamRepositories, layerTeams } from "./identity/teams.ts"
import { layerTokens } from "./identity/tokens.ts"
import { layerUsers } from "./identity/users.ts"
import { layerHooks } from "./integrations/hooks.ts"
import { layerMirrors } from "./integrations/mirrors.ts"
import { containerPaths } from "./registries/containers/paths.ts"
import { npmPaths, npmRoutes } from "./registries/npmRegistry.ts"
import { packagePaths, packageRoutes } from "./registries/packageRegistry.ts"
import { layerPackages } from "./registries/packages.ts"

const handlers = Layer.mergeAll(
  layerAccount,
  layerActionSecrets,
  layerActionVariables,
  layerArtifacts,
  layerArtifactDownloads,
  layerAdmin,
  layerAdminSettings,
  layerAudit,
  layerExplain,
  layerAvatars,
  layerHooks,
  layerBadges,
  layerGitHooks,
  layerTasks,
  layerOAuth2Applications,
  layerSessions,
  layerBranchProtections,
  layerTagProtections,
  layerGpgKeys,
  layerSigningKeys,
  layerKeys,
  layerDeployKeys,
  layerBranches,
  layerTags,
  layerContentChanges,
  layerCommits,
  layerDeployments,
  layerStatuses,
  layerReleases,
  layerWiki,
  layerMirrors,
  layerCodeSearch,
  layerContents,
  layerGitObjects,
  layerLabels,
  layerMarkdown,
  layerNotifications,
  layerReactionCounts,
  layerReactions,
  layerActivity,
  layerTimes,
  layerSubscriptions,
  layerAttachments,
  layerStars,
  layerWatches,
  layerIssues,
  layerComments,
  layerIssueTemplates,
  layerRepositoryLabels,
  layerMilestones,
  layerOwnMilestones,
  layerAssignees,
  layerPulls,
  layerReviews,
  layerMembers,
  layerOrganizations,
  layerPackages,
  layerEffectiveAccess,
  layerForks,
  layerRepositories,
  layerCollaborators,
  layerRepositoryTeams,
  layerRunners,
  layerTemplates,
  layerSecondFactor,
  layerSite,
  layerTeamMembers,
  layerTeamRepositories,
  layerTeams,
  layerTokens,
  layerTopics,
  layerUnadopted,
  layerUsers,
  layerWorkflows,
  layerWorkflowRuns,
  layerWorkflowJobs
)

const queryToken = /[?&](token|access_token)=/

const warning = "tokens in the query are deprecated, send the header Authorization instead"

/** Returns the headers of every response: caching, content type, and the warning that tokens in URLs are deprecated. */
const headers = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => ({
  "cache-control": response.headers["cache-control"] ?? "private, no-cache",
  "x-content-type-options": "nosniff",
  ...(queryToken.test(request.url)
    ? { "x-svc-warning": [warning, response.headers["x-svc-warning"]].filter(Predicate.isString).join("; ") }
    : {})
})

/** Layer with the home page, the OpenAPI document, the API reference if it is enabled, and the error bodies. */
const pages = Layer.unwrap(
  Effect.gen(function* () {
    const { policy, signIn, switches } = yield* SiteSettings
    const publicUrl = yield* PublicUrl
    const shape = (message: string, request: HttpServerRequest.HttpServerRequest) => ({
      message,
      url: referenceUrl(publicUrlFor(publicUrl, request, signIn))
    })
    return Layer.mergeAll(
      homeRoutes({
        title: "Slipway forge",
        what: "A code hosting service: repositories that git clones from and pushes to, organizations, teams, issues and reviews.",
        reference: switches.apiReference,
        links: [
          { path: signInPaths.signIn, name: "Sign in", what: "with your account" },
          { path: explorerPaths.page, name: "Access explorer", what: "which shows who may do what, and why" }
        ]
      }),
      referenceRoutes(forgeApiUnder(policy), {
        older: true,
        page: switches.apiReference
      }),
      explorerRoutes({ api: "/api/v1", actions: explorerActions(policy.rulebook.tables.actions) }),
      errorBodies(ForgeApi, failureMessages, shape, {
        pages: [
          ...homePaths,
          ...(switches.apiReference ? referencePaths : ([descriptionPath] as const)),
          avatarRoute,
          attachmentRoute,
          badgeRoute,
          releaseDownloadRoute,
          packagePaths.file,
          ...Object.values(artifactPaths),
          ...Object.values(npmPaths),
          ...Object.values(containerPaths),
          ...Object.values(olderPaths),
          unsubscribeRoute,
          signInPaths.signIn,
          signInPaths.security,
          securityPaths.password,
          ...Object.values(recoveryPaths),
          outsidePaths.begin,
          outsidePaths.callback,
          ...protocolPaths,
          ...Object.values(linkRoutes),
          ...Object.values(wikiRoutes),
          ...Object.values(explorerPaths)
        ],
        open: programPaths,
        challenge: `Basic realm="Slipway", charset="UTF-8"`,
        site: publicUrl,
        headers,
        conditional
      })
    )
  })
)

/** Layer with the routes of the code hosting service's API, its pages and its OpenAPI document. */
export const layer = Layer.mergeAll(
  layerEveryEndpointHandled(ForgeApi),
  handlers,
  avatarRoutes,
  attachmentRoutes,
  badgeRoutes,
  linkedRoutes,
  releaseDownloads,
  packageRoutes,
  artifactRoutes,
  npmRoutes,
  runnerRoutes,
  wikiPages,
  unsubscribeRoutes,
  signInRoutes,
  securityRoutes,
  protocolRoutes,
  outsideRoutes,
  recoveryRoutes,
  pages,
  layerGoGet
)
