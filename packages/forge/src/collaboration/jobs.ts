import { Effect } from "effect"
import { defineBatchJob, defineJob } from "../base/jobs/JobHandlers.ts"
import { applyPullReferences, applyPushReferences } from "./issues/applyReferences.ts"
import { deliver } from "./notifications/deliver.ts"
import { NotificationMail } from "./notifications/NotificationMail.ts"
import { sendReleaseEmails } from "./notifications/sendReleaseEmails.ts"
import { askOwners } from "./pulls/codeOwners.ts"
import { finishMerge } from "./pulls/finishMerge.ts"
import * as Refreshing from "./pulls/refresh.ts"
import { indexCode } from "./recognition/indexCode.ts"
import { measureGit } from "./recognition/measureGit.ts"

/** The handlers of background jobs for issues, pull requests, releases and their notifications. */
export const collaborationJobs = [
  defineJob(
    "LandCommits",
    ({ pushId }) => `reading the commits of push ${pushId}`,
    ({ pushId }) => applyPushReferences(pushId)
  ),
  defineJob(
    "LandPull",
    ({ issueId }) => `reading the description of the merged pull request of issue ${issueId}`,
    ({ issueId }) => applyPullReferences(issueId)
  ),
  defineJob(
    "MeasureGit",
    ({ repositoryId }) => `measuring the git repository of repository ${repositoryId}`,
    ({ repositoryId }) => measureGit(repositoryId)
  ),
  defineJob(
    "IndexCode",
    ({ repositoryId }) => `indexing the code of repository ${repositoryId}`,
    ({ repositoryId }) => indexCode(repositoryId)
  ),
  defineBatchJob("Notify", ({ issueId }) => `notifying the followers of issue ${issueId}`, deliver),
  defineJob(
    "RefreshPulls",
    ({ branch, repositoryId }) => `refreshing the pull requests of ${branch} in repository ${repositoryId}`,
    ({ branch, repositoryId }) => Effect.orDie(Refreshing.refreshBranch(repositoryId, branch))
  ),
  defineJob(
    "RefreshPull",
    ({ issueId }) => `refreshing the pull request of issue ${issueId}`,
    ({ issueId }) => Effect.orDie(Refreshing.refreshPull(issueId))
  ),
  defineJob(
    "AskOwners",
    ({ issueId }) => `requesting reviews from code owners for the pull request of issue ${issueId}`,
    ({ issueId }) => Effect.orDie(askOwners(issueId))
  ),
  defineJob(
    "FinishMerge",
    ({ issueId }) => `merging the pull request of issue ${issueId}`,
    ({ issueId }) => Effect.orDie(finishMerge(issueId))
  ),
  defineJob(
    "ForgetPull",
    ({ number, repositoryId }) => `removing pull request ${number} of repository ${repositoryId} from git`,
    ({ number, repositoryId }) => Effect.orDie(Refreshing.forgetHead(repositoryId, number))
  ),
  defineBatchJob(
    "NotifyRelease",
    ({ releaseId }) => `notifying watchers of release ${releaseId}`,
    (job) => sendReleaseEmails(job)
  ),
  defineBatchJob(
    "SendNotificationEmails",
    ({ repositoryId }) => `sending notification emails of repository ${repositoryId}`,
    (job) => Effect.flatMap(NotificationMail, (mail) => Effect.orDie(mail.deliver(job)))
  )
] as const
