import type { StoresOf } from "../../owned/Owned.ts"
import { emails } from "../accounts/Email.ts"
import { actionSecrets } from "../actionSecrets/ActionSecret.ts"
import { actionVariables } from "../actionVariables/ActionVariable.ts"
import { artifactBlocks, artifacts } from "../artifacts/Artifact.ts"
import { badges, userBadges } from "../badges/Badge.ts"
import { accessTokens } from "../credentials/AccessToken.ts"
import { spentSignatures } from "../credentials/SpentSignature.ts"
import { hookNews } from "../events/EventNews.ts"
import { forks } from "../forks/Fork.ts"
import { gitHooks } from "../git/GitHook.ts"
import { hooks } from "../hooks/Hook.ts"
import { hookDeliveries, hookQueues } from "../hooks/HookDelivery.ts"

import { stars, watches } from "../interests/Interest.ts"
import { comments, issues } from "../issues/Issue.ts"
import { origins } from "../issues/Origin.ts"
import { assignees, contentRevisions, dependencies, issueLabels, mentions } from "../issues/relations.ts"
import { timelineEvents } from "../issues/TimelineEvent.ts"
import { gpgKeys } from "../keys/GpgKey.ts"
import { labels } from "../labels/Label.ts"
import { milestones } from "../milestones/Milestone.ts"
import { copyings } from "../mirrors/Copying.ts"

import { mirrors } from "../mirrors/Mirror.ts"
import { issueSubscriptions, notifications } from "../notifications/Notification.ts"
import { oauth2Applications } from "../oauth2/OAuth2Application.ts"
import { protocolRecords } from "../oauth2/ProtocolRecord.ts"
import { identities } from "../outside/Identity.ts"
import {
  containerBlobs,
  containerHoldings,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads
} from "../packages/containers/Container.ts"
import { npmManifests, npmTags } from "../packages/npm.ts"
import { packageFiles, packageLinks, packages, packageVersions } from "../packages/Package.ts"
import { mergePlans } from "../pulls/MergePlan.ts"
import { pulls } from "../pulls/PullRequest.ts"
import { reviewComments, reviews } from "../pulls/Review.ts"
import { commentReactions, issueReactions } from "../reactions/Reaction.ts"
import { releases } from "../releases/Release.ts"
import { repositoryProfiles } from "../repositories/RepositoryProfile.ts"
import { runnerRegistrations, runners } from "../runners/Runner.ts"
import { commitStatuses } from "../statuses/CommitStatus.ts"
import { stopwatches, trackedTimes } from "../times/TrackedTime.ts"
import { repositoryTopics } from "../topics/Topic.ts"
import { transfers } from "../transfers/Transfer.ts"
import { workflowJobs, workflowLogs } from "../workflows/WorkflowJob.ts"
import {
  workflowRuns,
  workflowSchedules,
  workflowSources,
  workflowSwitches,
  workflowTurns
} from "../workflows/WorkflowRun.ts"

/** Every owned kind of the code hosting service, each behind those that it refers to. */
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
  hookNews,
  oauth2Applications,
  accessTokens,
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
  containerHoldings,
  containerManifests,
  containerReferences,
  containerTags,
  containerUploads
] as const

/** The stores of the owned kinds. */
export type OwnedStores = StoresOf<typeof ownedKinds>
