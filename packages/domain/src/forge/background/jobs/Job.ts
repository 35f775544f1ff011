import { Context, type Effect, Schema } from "effect"
import { RepositoryId } from "../../base/names/repositoryId.ts"
import { BranchName } from "../../code/git/GitRepositories.ts"
import { ObjectId } from "../../code/git/objectIds.ts"
import { PushId } from "../../code/pushes/Push.ts"
import { IssueId } from "../../collaboration/issues/Issue.ts"
import {
  audiences,
  EmailReceiver,
  NotificationTextFields,
  notificationEvents
} from "../../collaboration/notifications/NotificationEvent.ts"
import { ReleaseId } from "../../collaboration/releases/Release.ts"
import { OrganizationId } from "../../identity/organizations/Organization.ts"
import { UserId } from "../../identity/users/User.ts"

const FirstCommit = Schema.Struct({
  files: Schema.Record(Schema.String, Schema.String),
  author: Schema.Struct({ name: Schema.String, email: Schema.String }),
  message: Schema.String,
  at: Schema.String
})

const Ident = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  seconds: Schema.Int,
  offset: Schema.String
})

/**
 * Work outside the database that a transaction schedules for after its commit.
 *
 * Each job is idempotent: its worker may be killed before it records the completion.
 */
export const Work = Schema.Union([
  /** Creates the git repository of a repository. */
  Schema.TaggedStruct("MakeGit", {
    repositoryId: RepositoryId,
    defaultBranch: BranchName,
    commit: Schema.NullOr(FirstCommit),
    /** SHA-1 if omitted by older versions of the program. */
    objectFormat: Schema.optionalKey(Schema.Literals(["sha1", "sha256"]))
  }),
  /** Creates the git repository of a fork, with the branches and tags of another or with one branch. */
  Schema.TaggedStruct("ForkGit", {
    repositoryId: RepositoryId,
    from: RepositoryId,
    only: Schema.NullOr(BranchName)
  }),
  /** Creates the git repository of a repository that is generated from a template. */
  Schema.TaggedStruct("GenerateGit", {
    repositoryId: RepositoryId,
    from: RepositoryId,
    commit: ObjectId,
    defaultBranch: BranchName,
    author: Ident,
    variables: Schema.Record(Schema.String, Schema.String)
  }),
  /** Sets the default branch of a git repository to that of its repository. */
  Schema.TaggedStruct("PointHead", { repositoryId: RepositoryId }),
  /** Determines the git changes of a push, and records them. */
  Schema.TaggedStruct("SettlePush", { pushId: PushId }),
  /** Adds references to issues that the commits of a push mention. */
  Schema.TaggedStruct("LandCommits", { pushId: PushId }),
  /** Updates the size, languages and licences of a repository. */
  Schema.TaggedStruct("MeasureGit", { repositoryId: RepositoryId }),
  /** Removes the git repository of a deleted repository. */
  Schema.TaggedStruct("RemoveGit", { repositoryId: RepositoryId }),
  /** Removes the git repositories of all repositories of a purged user. */
  Schema.TaggedStruct("RemoveGits", { repositoryIds: Schema.Array(RepositoryId) }),
  /** Deletes the repositories of an organization at the time of the request: those up to an id. */
  Schema.TaggedStruct("DeleteRepositories", { organizationId: OrganizationId, upTo: RepositoryId }),
  /** Notifies followers of an issue or a pull request of an event, starting after a user id. */
  Schema.TaggedStruct("Notify", {
    repositoryId: RepositoryId,
    issueId: IssueId,
    /** Omitted by older versions of the program. */
    what: Schema.optionalKey(Schema.Literals(notificationEvents)),
    ...NotificationTextFields,
    audience: Schema.Literals(audiences),
    /** The part of the audience that receives it; all of it if omitted. */
    only: Schema.optionalKey(Schema.Array(UserId)),
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    after: Schema.Int
  }),
  /** Rechecks the open pull requests from and into a branch of a repository. */
  Schema.TaggedStruct("RefreshPulls", { repositoryId: RepositoryId, branch: Schema.String }),
  /** Rechecks one pull request: its branches, and whether they merge cleanly. */
  Schema.TaggedStruct("RefreshPull", { issueId: IssueId }),
  /** Requests reviews of a pull request from the owners of changed files. */
  Schema.TaggedStruct("AskOwners", { issueId: IssueId }),
  /** Performs the planned merge of a pull request, or detects that it is done. */
  Schema.TaggedStruct("FinishMerge", { issueId: IssueId }),
  /** Closes or reopens issues according to the description of a merged pull request. */
  Schema.TaggedStruct("LandPull", { issueId: IssueId }),
  /** Removes the git refs of a deleted pull request. */
  Schema.TaggedStruct("ForgetPull", { repositoryId: RepositoryId, number: Schema.Int }),
  /** Starts the workflow runs that an event in a repository triggers. */
  Schema.TaggedStruct("StartRuns", { repositoryId: RepositoryId, event: Schema.Any }),
  /** Decides the next turns of a concurrency group of runs and jobs. */
  Schema.TaggedStruct("SettleTurns", { repositoryId: RepositoryId, group: Schema.String }),
  /** Sends an email, which is stored encrypted until then. */
  Schema.TaggedStruct("SendMail", { id: Schema.String, sealed: Schema.String }),
  /** Notifies watchers of a repository of a release, starting after a user id. */
  Schema.TaggedStruct("NotifyRelease", {
    repositoryId: RepositoryId,
    releaseId: ReleaseId,
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    after: Schema.Int
  }),
  /** Writes and sends notification emails to users who may still read their subject. */
  Schema.TaggedStruct("SendNotificationEmails", {
    repositoryId: RepositoryId,
    about: Schema.Union([
      Schema.TaggedStruct("Issue", { issueId: IssueId, ...NotificationTextFields }),
      Schema.TaggedStruct("Release", { releaseId: ReleaseId })
    ]),
    what: Schema.Literals(notificationEvents),
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    /** The time after which remaining recipients are skipped. */
    until: Schema.String,
    receivers: Schema.Array(EmailReceiver)
  })
])
export type Work = typeof Work.Type

/**
 * The independent lanes of jobs: no work waits for a mail server, and no account email waits for notification emails.
 */
export const lanes = ["work", "mail", "notifications"] as const
export type Lane = (typeof lanes)[number]

/** Returns the lane of work. */
export const laneOf = ({ _tag }: Work): Lane =>
  _tag === "SendMail" ? "mail" : _tag === "SendNotificationEmails" ? "notifications" : "work"

/** A waiting or running job. */
export interface Job {
  readonly id: number
  readonly work: Work
  /** The number of attempts. */
  readonly attempts: number
  /** The time of the next attempt, unless the current worker finishes before; in ISO 8601. */
  readonly dueAt: string
}

/**
 * Stores jobs until they are done; several processes share them.
 *
 * Must:
 * - hide a job until the transaction that added it commits
 * - add several jobs in one call, in their order
 * - assign the job that has been due longest to only one worker until it is due again
 * - assign only jobs of the requested lane
 * - assign a job by id, even if it is not due
 * - assign an unfinished job again when it is due again, and count the attempts
 * - remove a finished job
 * - postpone a job
 * - store the remaining work of a job for its latest worker, and reject it from others
 * - count due jobs without a worker, up to 1,000
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    readonly add: (work: Work, dueAt: string) => Effect.Effect<Job>
    readonly addMany: (works: ReadonlyArray<Work>, dueAt: string) => Effect.Effect<ReadonlyArray<Job>>
    /** Claims a due job, optionally of one lane or with a given id, until it is due again at `until`. */
    readonly take: (
      which: { readonly dueBy: string; readonly lane?: Lane | undefined } | { readonly id: number },
      until: string
    ) => Effect.Effect<Job | undefined>
    readonly finish: (id: number) => Effect.Effect<void>
    readonly putOff: (id: number, dueAt: string) => Effect.Effect<void>
    /** Stores the remaining work of a job; returns false if another worker has claimed or finished it since. */
    readonly keep: (job: Pick<Job, "attempts" | "id">, left: Work) => Effect.Effect<boolean>
    readonly countDue: (dueBy: string) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/JobStore") {}
