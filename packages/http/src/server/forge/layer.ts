import { SiteSettings } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ForgeApi, forgeApiUnder } from "../../api/forge/ForgeApi.ts"
import { errorBodies } from "../errorBodies.ts"
import { homePaths, homeRoutes } from "../home.ts"
import { descriptionPath, olderPaths, referencePaths, referenceRoutes } from "../reference.ts"
import { layerAccount } from "./account.ts"
import { layerActionSecrets } from "./actionSecrets.ts"
import { layerActionVariables } from "./actionVariables.ts"
import { layerAdmin } from "./admin.ts"
import { artifactPaths, artifactRoutes } from "./artifactService.ts"
import { layerArtifactDownloads, layerArtifacts } from "./artifacts.ts"
import { attachmentRoutes, layerAttachments } from "./attachments.ts"
import { layerAudit } from "./audit.ts"
import { avatarRoute, avatarRoutes, layerAvatars } from "./avatars.ts"
import { layerBadges } from "./badges.ts"
import { layerBranches, layerTags } from "./branches.ts"
import { layerCollaborators, layerRepositoryTeams } from "./collaborators.ts"
import { layerCommits } from "./commits.ts"
import { conditional } from "./conditional.ts"
import { containerPaths } from "./containers/paths.ts"
import { layerContentChanges } from "./contentChanges.ts"
import { layerContents } from "./contents.ts"
import { layerReactions, layerSubscriptions, layerTimes } from "./conversations.ts"
import { linkedRoutes, linkRoutes } from "./downloads.ts"
import { layerEffectiveAccess } from "./effectiveAccess.ts"
import { texts } from "./errors.ts"
import { layerExplain } from "./explain.ts"
import { explorerPaths, explorerRoutes } from "./explorer/routes.ts"
import { layerForks } from "./forks.ts"
import { layerGitHooks } from "./gitHooks.ts"
import { layerGitObjects } from "./gitObjects.ts"
import { layerGoGet } from "./goGet.ts"
import { layerGpgKeys, layerSigningKeys } from "./gpgKeys.ts"
import { layerEveryEndpointHandled } from "./guard.ts"
import { layerHooks } from "./hooks.ts"
import { layerStars, layerWatches } from "./interests.ts"
import { layerAssignees, layerComments, layerIssues, layerMilestones, layerRepositoryLabels } from "./issues.ts"
import { layerIssueTemplates } from "./issueTemplates.ts"
import { layerDeployKeys, layerKeys } from "./keys.ts"
import { layerLabels } from "./labels.ts"
import { letterEndingRoute, letterEndingRoutes } from "./letterEnding.ts"
import { outsidePaths, outsideRoutes } from "./login/outside.ts"
import { programPaths, protocolPaths, protocolRoutes } from "./login/protocol.ts"
import { recoveryPaths, recoveryRoutes } from "./login/recovery.ts"
import { securityPaths, securityRoutes } from "./login/security.ts"
import { signInPaths, signInRoutes } from "./login/signIn.ts"
import { layerMarkdown } from "./markdown.ts"
import { layerMembers } from "./members.ts"
import { layerMirrors } from "./mirrors.ts"
import { layerNotifications } from "./notifications.ts"
import { npmPaths, npmRoutes } from "./npmRegistry.ts"
import { layerOAuth2Applications } from "./oauth2.ts"
import { layerOrganizations } from "./organizations.ts"
import { PublicUrl, publicUrlFor, referenceUrl } from "./PublicUrl.ts"
import { packagePaths, packageRoutes } from "./packageRegistry.ts"
import { layerPackages } from "./packages.ts"
import { layerBranchProtections, layerTagProtections } from "./protections.ts"
import { layerPulls, layerReviews } from "./pulls.ts"
import { layerReleases, releaseDownloadRoute, releaseDownloads } from "./releases.ts"
import { layerRepositories } from "./repositories.ts"
import { runnerRoutes } from "./runnerProtocol/routes.ts"
import { layerRunners } from "./runners.ts"
import { layerSecondFactor } from "./second-factor.ts"
import { layerSessions } from "./sessions.ts"
import { attachmentRoute } from "./showAttachment.ts"
import { layerSite } from "./site.ts"
import { layerStatuses } from "./statuses.ts"
import { layerTasks } from "./tasks.ts"
import { layerTeamMembers, layerTeamRepositories, layerTeams } from "./teams.ts"
import { layerTemplates } from "./templates.ts"
import { layerTokens } from "./tokens.ts"
import { layerTopics } from "./topics.ts"
import { layerUnadopted } from "./unadopted.ts"
import { layerUsers } from "./users.ts"
import { layerWiki } from "./wiki.ts"
import { wikiPages, wikiRoutes } from "./wikiPages.ts"
import { badgeRoute, badgeRoutes } from "./workflowBadges.ts"
import { layerWorkflowJobs, layerWorkflowRuns, layerWorkflows } from "./workflows.ts"

const handlers = Layer.mergeAll(
  layerAccount,
  layerActionSecrets,
  layerActionVariables,
  layerArtifacts,
  layerArtifactDownloads,
  layerAdmin,
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
  layerStatuses,
  layerReleases,
  layerWiki,
  layerMirrors,
  layerContents,
  layerGitObjects,
  layerLabels,
  layerMarkdown,
  layerNotifications,
  layerReactions,
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

/** Returns what every answer says: that it isn't kept or guessed at, and that query tokens are deprecated. */
const headers = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => ({
  "cache-control": response.headers["cache-control"] ?? "private, no-cache",
  "x-content-type-options": "nosniff",
  ...(queryToken.test(request.url) ? { "x-svc-warning": warning } : {})
})

/** The description and the reference, where that is on, and the bodies of failures, which know whether it is there. */
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
        what: "A code hosting service: repositories that git clones from and pushes to, organizations, teams, and what people say about code.",
        reference: switches.apiReference
      }),
      referenceRoutes(forgeApiUnder(policy), {
        preferredSecurityScheme: "basic",
        older: true,
        page: switches.apiReference
      }),
      explorerRoutes({ api: "/api/v1", actions: policy.rulebook.tables.actions }),
      errorBodies(ForgeApi, texts, shape, {
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
          letterEndingRoute,
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

/** The routes of the API of the code hosting service, and of its pages, of its description among them. */
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
  letterEndingRoutes,
  signInRoutes,
  securityRoutes,
  protocolRoutes,
  outsideRoutes,
  recoveryRoutes,
  pages,
  layerGoGet
)
