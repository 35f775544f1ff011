import type { StoresOf } from "../../owned/Owned.ts"
import { comments, issues } from "../issues/Issue.ts"
import { assignees, contentRevisions, dependencies, issueLabels, mentions } from "../issues/relations.ts"
import { timelineEvents } from "../issues/TimelineEvent.ts"
import { labels } from "../labels/Label.ts"
import { milestones } from "../milestones/Milestone.ts"
import { mergePlans } from "../pulls/MergePlan.ts"
import { pulls } from "../pulls/PullRequest.ts"
import { reviewComments, reviews } from "../pulls/Review.ts"
import { commitStatuses } from "../statuses/CommitStatus.ts"

/** Every owned kind of the code hosting service, each behind those that it refers to. */
export const ownedKinds = [
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
  pulls,
  reviews,
  reviewComments,
  mergePlans,
  commitStatuses
] as const

/** The stores of the owned kinds. */
export type OwnedStores = StoresOf<typeof ownedKinds>
