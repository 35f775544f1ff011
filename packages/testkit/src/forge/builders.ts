import { timeOf } from "@slipway/domain"
import {
  anonymous,
  fullScope,
  newSiteSwitches,
  type Scope,
  type SwitchFacts,
  scopeOf
} from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type NewRepository,
  ObjectId,
  type OwnerKey,
  type RepositoryViewer,
  switchesBut,
  usualPreferences
} from "@slipway/domain/forge/code"
import {
  comments,
  type Issue,
  issues,
  type PullRequest,
  pulls,
  type Release,
  type Review,
  releases,
  reviewComments,
  reviews
} from "@slipway/domain/forge/collaboration"
import {
  type AccessToken,
  type AvatarName,
  callerFacts,
  type JobTask,
  type NewAccessToken,
  type NewEvent,
  type NewOrganization,
  type NewTeam,
  type NewUser,
  noJob,
  type Organization,
  organizationSettings,
  scopesOfJob,
  type User,
  type UserId,
  userSettings,
  type Viewer
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { sampleSettings } from "./sampleSettings.ts"

const epoch = 1_767_225_600_123
/** Returns time number `n` of a test. Each time is 1.007 seconds after the time before. */
export const moment = (n: number): string => timeOf(epoch + n * 1_007)

/** The id of a user that does not exist. */
export const missing = 4_040_404 as UserId

/** Returns the name of test avatar number `n`. */
export const avatarNamed = (n: number): AvatarName => n.toString(16).padStart(32, "0") as AvatarName

/** A page request that is large enough for all rows of a test. */
export const all = { page: 1, perPage: 1_000 }

/** Returns the fields of a confirmed secondary email address of a user. */
export const addressOf = ({ id }: Pick<User, "id">, address: string) =>
  ({ userId: id, primaryOf: null, address, verified: true }) as const

/** Returns test user number `n`, to be inserted, with some fields replaced. */
export const newUser = (n: number, facts?: Partial<NewUser>): NewUser => ({
  name: `user-${n}`,
  ...sampleSettings(userSettings, n),
  fullName: `User ${n}`,
  email: `user-${n}@example.com`,
  visibility: "public",
  active: true,
  admin: false,
  restricted: false,
  prohibited: false,
  mustChangePassword: false,
  awaitsApproval: false,
  mayCreateOrganizations: true,
  mayEditGitHooks: false,
  mayImportLocal: false,
  maxRepositories: -1,
  loginName: "",
  sourceId: 0,
  system: false,
  passwordHash: null,
  emailVerified: true,
  createdAt: moment(n),
  updatedAt: moment(n + 1),
  ...facts
})

/** Returns test organization number `n`, to be inserted, with some fields replaced. */
export const newOrganization = (n: number, facts?: Partial<NewOrganization>): NewOrganization => ({
  name: `organization-${n}`,
  ...sampleSettings(organizationSettings, n),
  createdAt: moment(n),
  updatedAt: moment(n + 1),
  ...facts
})

/** Returns test team number `n` of an organization, to be inserted, with some fields replaced. */
export const newTeam = (n: number, organization: Pick<Organization, "id">, facts?: Partial<NewTeam>): NewTeam => ({
  organizationId: organization.id,
  owners: false,
  name: `team-${n}`,
  description: `the team ${n}`,
  units: { "repo.code": 1 },
  includesAllRepositories: false,
  mayCreateRepositories: false,
  visibility: "private",
  ...facts
})

/** Returns test repository number `n` of an owner, to be inserted, with some fields replaced. */
export const newRepository = (n: number, owner: OwnerKey, facts?: Partial<NewRepository>): NewRepository => ({
  owner,
  name: `repository-${n}`,
  description: `the repository ${n}`,
  website: "",
  private: false,
  archived: false,
  mirror: false,
  archivedAt: null,
  preferences: usualPreferences,
  objectFormat: "sha1",
  template: false,
  empty: true,
  defaultBranch: "main",
  units: switchesBut(),
  size: n,
  createdAt: moment(n),
  updatedAt: moment(n + 1),
  ...facts
})

/** Returns an organization as the owner of repositories. */
export const organizationOwner = ({ id }: Pick<Organization, "id">): OwnerKey => ({ kind: "organization", id })

/** Returns a user as the owner of repositories. */
export const userOwner = ({ id }: Pick<User, "id">): OwnerKey => ({ kind: "user", id })

/** Returns a viewer of repositories on a site. The site has the switches of a new site, except for the given ones. */
export const viewerOfSite = (viewer: Viewer, switches: Partial<SwitchFacts> = {}): RepositoryViewer => ({
  ...viewer,
  switches: { ...newSiteSwitches, ...switches }
})

/** Returns test event number `n`: an action of the service itself that concerns the site. */
export const newEvent = (n: number, facts: Partial<NewEvent> = {}): NewEvent => ({
  at: moment(n),
  action: "organization.edit",
  outcome: "done",
  refusedBy: null,
  actor: null,
  signedInAs: null,
  signedInWith: { kind: "system" },
  address: "",
  subject: { kind: "site", id: null, name: "" },
  organizationId: null,
  teamId: null,
  repositoryId: null,
  details: {},
  ...facts
})

/** Returns test access token number `n` of a user, with some fields replaced. */
export const newAccessToken = (n: number, user: Pick<User, "id">, facts?: Partial<NewAccessToken>): NewAccessToken => ({
  userId: user.id,
  kind: "personal",
  applicationId: null,
  grant: null,
  origin: {},
  ...noJob,
  name: `token ${n}`,
  scopes: ["read:user"],
  lastEight: n.toString(16).padStart(8, "0"),
  expiresAt: null,
  lastUsedAt: null,
  createdAt: moment(n),
  hash: n.toString(16).padStart(64, "0"),
  ...facts
})

/** The anonymous viewer. */
export const anonymousViewer: Viewer = { facts: anonymous, userId: undefined }

/** Returns a user as a viewer with a credential of some scope; by default, the full scope. */
export const viewing = (user: User, scope: Scope = fullScope): Viewer => ({
  facts: callerFacts(user, scope, { withPassword: false, sudo: false }),
  userId: user.id
})

/** Returns a workflow job as a viewer. Jobs act as the service account `system`. */
export const jobViewing = (system: User, task: JobTask): Viewer => ({
  facts: callerFacts(system, scopeOf(scopesOfJob(task.level)), { withPassword: false, sudo: false, job: true }),
  userId: system.id,
  task
})

/** Returns the names of the rows of a page, and the total number of rows in the list. */
export const namesOf = <Row extends { readonly name: string }>(page: {
  readonly rows: ReadonlyArray<Row>
  readonly total: number | undefined
}) => ({
  names: page.rows.map((row) => row.name),
  total: page.total
})

/** Returns an access token as the store returns it: with its id, and without its hash. */
export const storedToken = ({ hash: _, ...token }: NewAccessToken, { id }: Pick<AccessToken, "id">): AccessToken => ({
  ...token,
  id
})

/** Stores an issue of a repository. */
export const newIssueIn = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  authorId: UserId,
  title: string,
  over: Partial<Pick<Issue, "pull" | "locked" | "body" | "state">> = {}
) {
  const at = "2026-01-01T00:00:00.000Z"
  return yield* Effect.orDie(
    (yield* issues.store).insert({
      repositoryId,
      authorId,
      title,
      body: "",
      pull: false,
      contentVersion: 0,
      state: "open",
      milestoneId: null,
      ref: "",
      locked: false,
      lockReason: "",
      pinOrder: 0,
      timeEstimate: 0,
      dueAt: null,
      closedAt: null,
      createdAt: at,
      updatedAt: at,
      ...over
    })
  )
})

/** Stores a comment below an issue. */
export const newCommentOn = Effect.fnUntraced(function* (
  { id, repositoryId }: Pick<Issue, "id" | "repositoryId">,
  authorId: UserId,
  body: string
) {
  const at = "2026-01-02T00:00:00.000Z"
  return yield* Effect.orDie(
    (yield* comments.store).insert({
      issueId: id,
      repositoryId,
      authorId,
      body,
      contentVersion: 0,
      createdAt: at,
      updatedAt: at
    })
  )
})

const noCommit = ObjectId.make("1".repeat(40))

/** Stores a pull request without commits, and returns its issue. */
export const newPullIn = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  authorId: UserId,
  title: string,
  {
    locked = false,
    ...over
  }: Partial<
    Pick<Issue, "locked"> & Pick<PullRequest, "allowMaintainerEdit" | "headRepositoryId" | "lenderId" | "pushedBy">
  > = {}
) {
  const issue = yield* newIssueIn(repositoryId, authorId, title, { locked, pull: true })
  yield* Effect.orDie(
    (yield* pulls.store).insert({
      repositoryId,
      issueId: issue.id,
      headRepositoryId: repositoryId,
      headOwner: "somebody",
      headBranch: "change",
      pushedBy: null,
      headSha: noCommit,
      baseBranch: "main",
      baseSha: noCommit,
      mergeBase: noCommit,
      baseVersion: 0,
      open: true,
      openBetween: `${issue.id}`,
      allowMaintainerEdit: false,
      lenderId: null,
      merged: false,
      mergedAt: null,
      mergerId: null,
      mergeCommit: null,
      check: "fits",
      conflicts: [],
      behind: 0,
      additions: 0,
      deletions: 0,
      changedFiles: 0,
      ...over
    })
  )
  return issue
})

/** Stores a review of a pull request. */
export const newReviewOf = Effect.fnUntraced(function* (
  { id, repositoryId }: Pick<Issue, "id" | "repositoryId">,
  reviewerId: UserId | null,
  over: Partial<Pick<Review, "state" | "teamId">> = {}
) {
  const at = "2026-01-02T00:00:00.000Z"
  return yield* Effect.orDie(
    (yield* reviews.store).insert({
      issueId: id,
      repositoryId,
      reviewerId,
      teamId: null,
      state: "commented",
      body: "",
      commit: noCommit,
      baseVersion: 0,
      official: false,
      dismissed: false,
      submittedAt: at,
      updatedAt: at,
      ...over
    })
  )
})

/** Stores a comment of a review. */
export const newReviewCommentIn = Effect.fnUntraced(function* (
  { id, repositoryId }: Pick<Issue, "id" | "repositoryId">,
  reviewId: number,
  authorId: UserId
) {
  const at = "2026-01-02T00:00:00.000Z"
  return yield* Effect.orDie(
    (yield* reviewComments.store).insert({
      issueId: id,
      repositoryId,
      reviewId,
      authorId,
      repliesToId: null,
      path: "a.txt",
      side: "new",
      originalLine: 1,
      line: 1,
      originalCommit: noCommit,
      commit: noCommit,
      hunk: "@@ -0,0 +1 @@\n+a",
      body: "a remark",
      resolverId: null,
      createdAt: at,
      updatedAt: at
    })
  )
})

/** Stores a release of a repository. */
export const newReleaseIn = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  authorId: UserId,
  tag: string,
  { draft }: Pick<Release, "draft">
) {
  const at = "2026-01-02T00:00:00.000Z"
  return yield* Effect.orDie(
    (yield* releases.store).insert({
      repositoryId,
      authorId,
      tag,
      target: "main",
      title: tag,
      body: "",
      draft,
      prerelease: false,
      createdAt: at,
      publishedAt: draft ? null : at
    })
  )
})
