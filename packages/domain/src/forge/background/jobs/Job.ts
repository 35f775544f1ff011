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
 * The payload of a background job: work outside of the database, which a transaction adds and workers do after its
 * commit.
 *
 * Each job is idempotent, because a worker may be killed before it records that the job is done.
 */
export const Work = Schema.Union([
  /** Creates the git repository (the data on disk) of a new repository. */
  Schema.TaggedStruct("MakeGit", {
    repositoryId: RepositoryId,
    defaultBranch: BranchName,
    commit: Schema.NullOr(FirstCommit),
    /** The hash algorithm of object ids; if omitted (jobs from older versions of the program), SHA-1. */
    objectFormat: Schema.optionalKey(Schema.Literals(["sha1", "sha256"]))
  }),
  /** Creates the git repository of a fork: a copy of all branches and tags of `from`, or only of the branch `only`. */
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
  /** Sets the default branch (`HEAD`) in the git repository to the one in the repository's settings. */
  Schema.TaggedStruct("PointHead", { repositoryId: RepositoryId }),
  /** Finds out which refs git changed for a push, and records them with the push. */
  Schema.TaggedStruct("SettlePush", { pushId: PushId }),
  /** Adds timeline references to the issues that the commits of a push mention. */
  Schema.TaggedStruct("LandCommits", { pushId: PushId }),
  /** Updates the size, languages and licences of a repository. */
  Schema.TaggedStruct("MeasureGit", { repositoryId: RepositoryId }),
  /** Updates the index of code search to the default branch of a repository. */
  Schema.TaggedStruct("IndexCode", { repositoryId: RepositoryId }),
  /** Removes the git repository of a deleted repository. */
  Schema.TaggedStruct("RemoveGit", { repositoryId: RepositoryId }),
  /** Removes the git repositories of all repositories of a purged user. */
  Schema.TaggedStruct("RemoveGits", { repositoryIds: Schema.Array(RepositoryId) }),
  /** Deletes the repositories of an organization with an id up to `upTo`, which existed at the time of the request. */
  Schema.TaggedStruct("DeleteRepositories", { organizationId: OrganizationId, upTo: RepositoryId }),
  /**
   * Notifies followers of an issue or a pull request about an event, in order of user ids, from the id after `after`.
   */
  Schema.TaggedStruct("Notify", {
    repositoryId: RepositoryId,
    issueId: IssueId,
    /** The type of the event; omitted in jobs from older versions of the program. */
    what: Schema.optionalKey(Schema.Literals(notificationEvents)),
    ...NotificationTextFields,
    audience: Schema.Literals(audiences),
    /** The users of the audience who are notified; the whole audience if omitted. */
    only: Schema.optionalKey(Schema.Array(UserId)),
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    after: Schema.Int
  }),
  /** Checks the open pull requests from and into a branch again, after the branch has changed. */
  Schema.TaggedStruct("RefreshPulls", { repositoryId: RepositoryId, branch: Schema.String }),
  /** Checks one pull request again: whether its branches have changed, and whether they merge without conflicts. */
  Schema.TaggedStruct("RefreshPull", { issueId: IssueId }),
  /** Requests reviews of a pull request from the code owners of the changed files. */
  Schema.TaggedStruct("AskOwners", { issueId: IssueId }),
  /** Performs the planned merge of a pull request; does nothing if the merge was already done. */
  Schema.TaggedStruct("FinishMerge", { issueId: IssueId }),
  /**
   * Closes or reopens the issues that the description of a merged pull request names with a keyword such as `closes`.
   */
  Schema.TaggedStruct("LandPull", { issueId: IssueId }),
  /** Removes the git refs of a deleted pull request. */
  Schema.TaggedStruct("ForgetPull", { repositoryId: RepositoryId, number: Schema.Int }),
  /** Starts the workflow runs that an event in a repository triggers. */
  Schema.TaggedStruct("StartRuns", { repositoryId: RepositoryId, event: Schema.Any }),
  /** Starts the next run or job of a concurrency group, and cancels replaced ones. */
  Schema.TaggedStruct("SettleTurns", { repositoryId: RepositoryId, group: Schema.String }),
  /** Sends an email; until then, the email is stored encrypted. */
  Schema.TaggedStruct("SendMail", { id: Schema.String, sealed: Schema.String }),
  /** Notifies watchers of a repository about a release, in order of user ids, from the id after `after`. */
  Schema.TaggedStruct("NotifyRelease", {
    repositoryId: RepositoryId,
    releaseId: ReleaseId,
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    after: Schema.Int
  }),
  /** Sends notification emails about an issue or a release to the recipients who may still read it. */
  Schema.TaggedStruct("SendNotificationEmails", {
    repositoryId: RepositoryId,
    about: Schema.Union([
      Schema.TaggedStruct("Issue", { issueId: IssueId, ...NotificationTextFields }),
      Schema.TaggedStruct("Release", { releaseId: ReleaseId })
    ]),
    what: Schema.Literals(notificationEvents),
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    /** The time in ISO 8601 after which no more emails of this job are sent. */
    until: Schema.String,
    receivers: Schema.Array(EmailReceiver)
  })
])
export type Work = typeof Work.Type

/**
 * The job queues, which have separate workers. So no other work waits for a slow mail server or for the index of a large
 * repository, and no account email (such as a password reset) waits for many notification emails.
 */
export const lanes = ["work", "mail", "notifications", "indexing"] as const
export type Lane = (typeof lanes)[number]

const separateLanes: { readonly [T in Work["_tag"]]?: Lane } = {
  SendMail: "mail",
  SendNotificationEmails: "notifications",
  IndexCode: "indexing"
}

/** Returns the queue (lane) of a job, by the type of its payload. */
export const laneOf = ({ _tag }: Work): Lane => separateLanes[_tag] ?? "work"

/** A background job that waits or runs; finished jobs are deleted. */
export interface Job {
  readonly id: number
  readonly work: Work
  /** The number of started attempts. */
  readonly attempts: number
  /** The time in ISO 8601 at which the job is attempted next; for a running job, the end of its worker's lease. */
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
    /** Claims a due job, optionally of one queue (lane) or with a given id; the lease expires at `until`. */
    readonly take: (
      which: { readonly dueBy: string; readonly lane?: Lane | undefined } | { readonly id: number },
      until: string
    ) => Effect.Effect<Job | undefined>
    readonly finish: (id: number) => Effect.Effect<void>
    readonly putOff: (id: number, dueAt: string) => Effect.Effect<void>
    /** Stores the remaining work of a job; false if another worker has claimed or finished the job since then. */
    readonly keep: (job: Pick<Job, "attempts" | "id">, left: Work) => Effect.Effect<boolean>
    readonly countDue: (dueBy: string) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/JobStore") {}
