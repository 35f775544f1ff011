import type { StoresOf } from "../owned/Owned.ts"
import { actionSecrets } from "./automation/actionSecrets/ActionSecret.ts"
import { actionVariables } from "./automation/actionVariables/ActionVariable.ts"
import { artifactBlocks, artifacts } from "./automation/artifacts/Artifact.ts"
import { runnerRegistrations, runners } from "./automation/runners/Runner.ts"
import { workflowJobs, workflowLogs } from "./automation/workflows/WorkflowJob.ts"
import {
  workflowRuns,
  workflowSchedules,
  workflowSources,
  workflowSwitches,
  workflowTurns
} from "./automation/workflows/WorkflowRun.ts"
import { forks } from "./code/forks/Fork.ts"
import { gitHooks } from "./code/git/GitHook.ts"
import { stars, watches } from "./code/interests/Interest.ts"
import { labels } from "./code/labels/Label.ts"
import { repositoryProfiles } from "./code/repositories/RepositoryProfile.ts"
import { repositoryTopics } from "./code/topics/Topic.ts"
import { transfers } from "./code/transfers/Transfer.ts"
import { deploymentStatuses, deployments, environments } from "./collaboration/deployments/Deployment.ts"
import { deploymentReviews } from "./collaboration/deployments/protection.ts"
import { environmentPatterns } from "./collaboration/deployments/refPatterns.ts"
import { comments, issues } from "./collaboration/issues/Issue.ts"
import { origins } from "./collaboration/issues/Origin.ts"
import { assignees, contentRevisions, dependencies, issueLabels, mentions } from "./collaboration/issues/relations.ts"
import { timelineEvents } from "./collaboration/issues/TimelineEvent.ts"
import { stopwatches, trackedTimes } from "./collaboration/issues/TrackedTime.ts"
import { milestones } from "./collaboration/milestones/Milestone.ts"
import { issueSubscriptions, notifications } from "./collaboration/notifications/Notification.ts"
import { mergePlans } from "./collaboration/pulls/MergePlan.ts"
import { pulls } from "./collaboration/pulls/PullRequest.ts"
import { reviewComments, reviews } from "./collaboration/pulls/Review.ts"
import { commentReactions, issueReactions } from "./collaboration/reactions/Reaction.ts"
import { releases } from "./collaboration/releases/Release.ts"
import { commitStatuses } from "./collaboration/statuses/CommitStatus.ts"
import { queuedHookEvents } from "./events/QueuedHookEvent.ts"
import { emails } from "./identity/accounts/Email.ts"
import { badges, userBadges } from "./identity/badges/Badge.ts"
import { accessTokens } from "./identity/credentials/AccessToken.ts"
import { spentSignatures } from "./identity/credentials/SpentSignature.ts"
import { gpgKeys } from "./identity/keys/GpgKey.ts"
import { oauth2Applications } from "./identity/oauth2/OAuth2Application.ts"
import { protocolRecords } from "./identity/oauth2/ProtocolRecord.ts"
import { identities } from "./identity/outside/Identity.ts"
import { hooks } from "./integrations/hooks/Hook.ts"
import { hookDeliveries, hookQueues } from "./integrations/hooks/HookDelivery.ts"
import { copyings } from "./integrations/mirrors/Copying.ts"
import { mirrors } from "./integrations/mirrors/Mirror.ts"
import {
  containerBlobs,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads,
  pendingContainerBlobs
} from "./registries/packages/containers/Container.ts"
import { npmManifests, npmTags } from "./registries/packages/npm.ts"
import { packageFiles, packageLinks, packages, packageVersions } from "./registries/packages/Package.ts"

/**
 * The declarations of all owned types (resource types with generic stores) of the code hosting service. Each type comes
 * after the types that it refers to.
 */
export const ownedKinds = [
  emails,
  labels,
  milestones,
  issues,
  comments,
  issueLabels,
  assignees,
  mentions,
  dependencies,
  contentRevisions,
  timelineEvents,
  stars,
  watches,
  issueReactions,
  commentReactions,
  trackedTimes,
  stopwatches,
  notifications,
  issueSubscriptions,
  pulls,
  reviews,
  reviewComments,
  mergePlans,
  commitStatuses,
  gpgKeys,
  hooks,
  hookQueues,
  hookDeliveries,
  queuedHookEvents,
  oauth2Applications,
  accessTokens,
  environments,
  environmentPatterns,
  deployments,
  deploymentStatuses,
  deploymentReviews,
  releases,
  forks,
  transfers,
  mirrors,
  copyings,
  origins,
  repositoryTopics,
  repositoryProfiles,
  protocolRecords,
  badges,
  userBadges,
  identities,
  gitHooks,
  spentSignatures,
  packages,
  packageVersions,
  packageFiles,
  packageLinks,
  npmManifests,
  npmTags,
  workflowRuns,
  workflowTurns,
  workflowSources,
  workflowSwitches,
  workflowSchedules,
  workflowJobs,
  workflowLogs,
  actionSecrets,
  actionVariables,
  runners,
  runnerRegistrations,
  artifacts,
  artifactBlocks,
  containerBlobs,
  pendingContainerBlobs,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads
] as const

/** The stores of all owned types of the code hosting service, as requirements of an effect. */
export type OwnedStores = StoresOf<typeof ownedKinds>
