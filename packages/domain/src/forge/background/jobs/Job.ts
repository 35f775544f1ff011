import { Context, type Effect, Schema } from "effect"
import { RepositoryId } from "../../base/names/repositoryId.ts"
import { BranchName } from "../../code/git/GitRepositories.ts"
import { ObjectId } from "../../code/git/objectIds.ts"
import { PushId } from "../../code/pushes/Push.ts"
import { IssueId } from "../../collaboration/issues/Issue.ts"
import { audiences, happenings, NewsReceiver, SaidWhere } from "../../collaboration/notifications/News.ts"
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
  /** Makes the git repository behind a repository. */
  Schema.TaggedStruct("MakeGit", {
    repositoryId: RepositoryId,
    defaultBranch: BranchName,
    commit: Schema.NullOr(FirstCommit),
    /** SHA-1 if omitted by older versions of the program. */
    objectFormat: Schema.optionalKey(Schema.Literals(["sha1", "sha256"]))
  }),
  /** Makes the git repository behind a fork, of the branches and tags of another or of one branch. */
  Schema.TaggedStruct("ForkGit", {
    repositoryId: RepositoryId,
    from: RepositoryId,
    only: Schema.NullOr(BranchName)
  }),
  /** Makes the git repository behind one that is made from a template. */
  Schema.TaggedStruct("GenerateGit", {
    repositoryId: RepositoryId,
    from: RepositoryId,
    commit: ObjectId,
    defaultBranch: BranchName,
    author: Ident,
    variables: Schema.Record(Schema.String, Schema.String)
  }),
  /** Makes the default branch of a repository that of its git repository. */
  Schema.TaggedStruct("PointHead", { repositoryId: RepositoryId }),
  /** Finds out what git changed of a push, and records it. */
  Schema.TaggedStruct("SettlePush", { pushId: PushId }),
  /** Adds references to issues that the commits of a push mention. */
  Schema.TaggedStruct("LandCommits", { pushId: PushId }),
  /** Measures the git repository of a repository, and finds out what it is written in. */
  Schema.TaggedStruct("MeasureGit", { repositoryId: RepositoryId }),
  /** Removes the git repository of a repository that is gone. */
  Schema.TaggedStruct("RemoveGit", { repositoryId: RepositoryId }),
  /** Removes the git repositories of all repositories of a purged user. */
  Schema.TaggedStruct("RemoveGits", { repositoryIds: Schema.Array(RepositoryId) }),
  /** Deletes the repositories that an organization had at the time of the request: those up to a number. */
  Schema.TaggedStruct("DeleteRepositories", { organizationId: OrganizationId, upTo: RepositoryId }),
  /** Notifies followers of an issue or a pull request of an event, starting after a user number. */
  Schema.TaggedStruct("Notify", {
    repositoryId: RepositoryId,
    issueId: IssueId,
    /** Omitted by older versions of the program. */
    what: Schema.optionalKey(Schema.Literals(happenings)),
    ...SaidWhere,
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
  /** Does the merge that is planned of a pull request, or finds out that it is done. */
  Schema.TaggedStruct("FinishMerge", { issueId: IssueId }),
  /** Closes or reopens issues, as the description of a merged pull request states. */
  Schema.TaggedStruct("LandPull", { issueId: IssueId }),
  /** Takes away what git keeps of a pull request that was deleted. */
  Schema.TaggedStruct("ForgetPull", { repositoryId: RepositoryId, number: Schema.Int }),
  /** Starts the runs of workflows that something that happened in a repository starts. */
  Schema.TaggedStruct("StartRuns", { repositoryId: RepositoryId, news: Schema.Any }),
  /** Decides the next turns of a concurrency group of runs and jobs. */
  Schema.TaggedStruct("SettleTurns", { repositoryId: RepositoryId, group: Schema.String }),
  /** Sends an email, which is encrypted while it waits. */
  Schema.TaggedStruct("SendMail", { id: Schema.String, sealed: Schema.String }),
  /** Notifies watchers of a repository of a release, starting after a user number. */
  Schema.TaggedStruct("TellRelease", {
    repositoryId: RepositoryId,
    releaseId: ReleaseId,
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    after: Schema.Int
  }),
  /** Writes and sends notification emails to users who may still read their subject. */
  Schema.TaggedStruct("SendNews", {
    repositoryId: RepositoryId,
    about: Schema.Union([
      Schema.TaggedStruct("Issue", { issueId: IssueId, ...SaidWhere }),
      Schema.TaggedStruct("Release", { releaseId: ReleaseId })
    ]),
    what: Schema.Literals(happenings),
    actorId: Schema.NullOr(UserId),
    at: Schema.String,
    /** The time after which receivers that were not reached are skipped. */
    until: Schema.String,
    receivers: Schema.Array(NewsReceiver)
  })
])
export type Work = typeof Work.Type

/**
 * The independent lanes of jobs: no work waits for a mail server, and no account email waits for notification emails.
 */
export const lanes = ["work", "mail", "news"] as const
export type Lane = (typeof lanes)[number]

/** Returns in which lane work waits. */
export const laneOf = ({ _tag }: Work): Lane => (_tag === "SendMail" ? "mail" : _tag === "SendNews" ? "news" : "work")

/** A job that waits, or that a worker runs. */
export interface Job {
  readonly id: number
  readonly work: Work
  /** The number of attempts. */
  readonly attempts: number
  /** The time of the next attempt, unless the current worker finishes before; in ISO 8601. */
  readonly dueAt: string
}

/**
 * Keeps jobs until they are done; several processes share them.
 *
 * Must:
 * - hide a job until the transaction that added it commits
 * - add several jobs in one call, in their order
 * - assign the job that has been due longest, and to no other worker until it is due again
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
    /** Claims a due job, optionally of one lane or of a given number, until it is due again at `until`. */
    readonly take: (
      which: { readonly dueBy: string; readonly lane?: Lane | undefined } | { readonly id: number },
      until: string
    ) => Effect.Effect<Job | undefined>
    readonly finish: (id: number) => Effect.Effect<void>
    readonly putOff: (id: number, dueAt: string) => Effect.Effect<void>
    /** Puts what is left of a job in its place; answers false when another took it, or ended it, since. */
    readonly keep: (job: Pick<Job, "attempts" | "id">, left: Work) => Effect.Effect<boolean>
    readonly countDue: (dueBy: string) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/JobStore") {}
