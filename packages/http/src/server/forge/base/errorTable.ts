import { entryAnswers } from "@slipway/domain/forge/access"
import type { ArtifactErrors, WorkflowJobNotFound, WorkflowRunNotFound } from "@slipway/domain/forge/automation"
import type {
  AttachmentNotFound,
  AttachmentRefused,
  BranchNotFound,
  ForkExists,
  ForkStaysHidden,
  GitHookInvalid,
  GitHookNotFound,
  GitMissing,
  GitOverloaded,
  LabelNotFound,
  NoOrganization,
  NoParent,
  OwnerCollaborates,
  RepositoryNameTaken,
  RepositoryNotFound,
  RepositoryThere,
  TemplateUnknown,
  TooManyRepositories,
  TooManyTopics,
  TopicInvalid,
  TransferInvalid,
  TransferNotFound,
  TransferPending,
  UnadoptedBroken,
  UpstreamDiverged,
  WikiPageInvalid,
  WikiPageNotFound
} from "@slipway/domain/forge/code"
import type {
  AssigneeInvalid,
  CommentNotFound,
  DependenciesOpen,
  DependencyCircular,
  HeadNotYours,
  IssueNotFound,
  LineNotFound,
  MarkdownRefused,
  MergeBaseUnknown,
  MilestoneNotFound,
  NameUnknown,
  NotificationNotFound,
  PullBranchGone,
  PullBranchNotFound,
  PullExists,
  PullImpossible,
  PullIsClosed,
  PullIsMerged,
  PullNotFound,
  PullNotMerged,
  ReactionNotAllowed,
  ReleaseExists,
  ReleaseNotFound,
  RequestsOfOthers,
  ReviewerNotPossible,
  ReviewNotFound,
  ReviewNotPossible,
  StaleContent,
  StopwatchState,
  TimeNotFound,
  TimesOfOthers,
  TooManyPins
} from "@slipway/domain/forge/collaboration"
import type {
  AvatarInvalid,
  BadgeNotFound,
  BadgeTaken,
  BadgeUnknown,
  BeyondScope,
  EmailIsPrimary,
  EmailNotFound,
  EmailTaken,
  GpgKeyInvalid,
  GpgKeyUnproven,
  IdentityNotFound,
  IsOnlyOwner,
  KeyInUse,
  KeyNotFound,
  LastAdministrator,
  LastOwner,
  MemberNotBlocked,
  MemberNotFound,
  NameTaken,
  NotYourself,
  OAuth2ApplicationInvalid,
  OAuth2ApplicationNotFound,
  OAuth2SecretRejected,
  OrganizationNotFound,
  OwnersTeamFixed,
  OwnsRepositories,
  PasswordTooCommon,
  PublicKeyInvalid,
  SecondFactorOff,
  SecondFactorOn,
  TeamFieldInvalid,
  TeamHoldsAll,
  TeamNameTaken,
  TeamNameUnknown,
  TeamNotFound,
  TokenExpired,
  TokenNameTaken,
  TokenNotFound,
  TokenNotOneTime,
  TokenNotRotatable,
  TokenWithoutScope,
  TooManyBadges,
  TooManyOAuth2Applications,
  UnitsEmpty,
  UserNotFound,
  WrongCode
} from "@slipway/domain/forge/identity"
import type {
  HookDeliveryNotFound,
  HookInvalid,
  HookNotFound,
  MirrorInvalid,
  MirrorNotFound,
  TooManyHooks
} from "@slipway/domain/forge/integrations"
import type { PackageErrors } from "@slipway/domain/forge/registries"
import type { Reruns, Workflows } from "@slipway/forge/automation"
import type { Tasks } from "@slipway/forge/background"
import type {
  ChangeInvalid,
  Generation,
  ProtectionInvalid,
  ProtectionNotFound,
  RefChangeRefused,
  RefExists,
  RefMoved,
  Tags,
  Unadopted
} from "@slipway/forge/code"
import { type BranchUpdates, Issues, type Merges } from "@slipway/forge/collaboration"
import type { Entry, InvalidCredentials } from "@slipway/forge/entry"
import type {
  AccessCheckInvalid,
  AccessQuestionInvalid,
  AccessSubjects,
  ResourceNotFound
} from "@slipway/forge/explanation"
import type { GrantNotFound, PasswordResets } from "@slipway/forge/identity"
import {
  InvalidBody,
  NotMergeableBody,
  PreconditionFailedBody,
  ServerErrorBody
} from "../../../api/forge/base/errors.ts"
import { actionsErrors } from "./actionsErrors.ts"
import { contentErrors } from "./contents/contentErrors.ts"
import { deploymentErrors } from "./deploymentErrors.ts"
import { busy, conflict, forbidden, invalid, missing, refusal, type Url } from "./errorParts.ts"

/** The JSON names of the fields of branch protections. */
const protectionFields: Readonly<Record<string, string>> = {
  "push.users": "push_whitelist_usernames",
  "push.teams": "push_whitelist_teams",
  "forcePush.users": "force_push_allowlist_usernames",
  "forcePush.teams": "force_push_allowlist_teams",
  "merge.users": "merge_whitelist_usernames",
  "merge.teams": "merge_whitelist_teams",
  "approvals.users": "approvals_whitelist_username",
  "approvals.teams": "approvals_whitelist_teams",
  "tag.users": "whitelist_usernames",
  "tag.teams": "whitelist_teams",
  protectedFiles: "protected_file_patterns",
  unprotectedFiles: "unprotected_file_patterns",
  ruleName: "rule_name",
  namePattern: "name_pattern"
}
const notMergeable = (message: string) => (url: Url) => new NotMergeableBody({ message, ...url })

const pullTexts = {
  "same-branch": "is the same as the base",
  unrelated: "has nothing in common with the base",
  "nothing-new": "has no commits that the base lacks"
} as const

const mergeTexts = {
  diverged: "the base has commits that the head lacks",
  "too-many": "the head has too many commits for this",
  unrelated: "the head has nothing in common with the base",
  contained: "the base has the commits already",
  "not-in-base": "the commit isn't in the base branch"
} as const

const reviewTexts = {
  "already-submitted": "the review was already submitted",
  "not-dismissible": "only approvals and requests for changes can be dismissed",
  "own-approval": "authors cannot review their own pull requests",
  empty: "needs a text or comments",
  closed: "a closed pull request can only be commented on",
  "stale-commit": "has no commit",
  "public-only": "must not be PENDING with a public-only token"
} as const

/** Converts each domain error to its HTTP error body; the compiler requires an entry for every new error. */
export const errorTable = {
  ...actionsErrors,
  ...contentErrors,
  PullNotFound: (_: PullNotFound) => missing,
  PullBranchNotFound: (_: PullBranchNotFound) => missing,
  PullBranchGone: ({ branch }: PullBranchGone) =>
    invalid("state", `cannot be \`open\`: the branch \`${branch}\` no longer exists`),
  PullImpossible: ({ because }: PullImpossible) => invalid("head", pullTexts[because]),
  PullExists: ({ between }: PullExists) => conflict(`there is an open pull request for ${between}`),
  PullIsMerged: (_: PullIsMerged) => notMergeable("the pull request is merged"),
  PullNotMerged: (_: PullNotMerged) => conflict("the pull request is not merged"),
  MergeBaseUnknown: ({ commit }: MergeBaseUnknown) =>
    conflict(`the base branch before the merge is unknown: revert the commits up to ${commit} with git`),
  PullIsClosed: (_: PullIsClosed) => notMergeable("the pull request is closed"),
  PullIsDraft: (_: Merges.PullIsDraft) => notMergeable("the pull request is a draft"),
  MergeStyleRefused: ({ style }: Merges.MergeStyleRefused) =>
    notMergeable(`the repository does not allow merging pull requests by \`${style}\``),
  MergeBlocked: ({ blocks, rule }: Merges.MergeBlocked) =>
    notMergeable(`the rule \`${rule}\` still requires: ${blocks.join(", ")}`),
  NotMergeable: ({ because }: Merges.NotMergeable) => notMergeable(mergeTexts[because]),
  PullConflicts: ({ paths }: Merges.PullConflicts) => conflict(`both sides changed: ${paths.join(", ")}`),
  BranchMoved: (_: Merges.BranchMoved) => conflict("the branch has moved"),
  MergePlanned: (_: Merges.MergePlanned) => conflict("the pull request is being merged, or scheduled to merge"),
  NoMergePlanned: (_: Merges.NoMergePlanned) => missing,
  HeadNotYours: (_: HeadNotYours) => forbidden("user should have a permission to write to the head branch"),
  HeadProtected: ({ text }: BranchUpdates.HeadProtected) => forbidden(text),
  RebaseRefused: (_: BranchUpdates.RebaseRefused) => forbidden("the repository does not allow rebasing heads"),
  ReviewNotFound: (_: ReviewNotFound) => missing,
  ReviewNotPossible: ({ because }: ReviewNotPossible) => invalid("event", reviewTexts[because]),
  RequestsOfOthers: (_: RequestsOfOthers) =>
    forbidden("only the author and users who write pull requests can withdraw requests to others"),
  ReviewerNotPossible: ({ field, name }: ReviewerNotPossible) =>
    invalid(field, `cannot request a review from \`${name}\`: it does not exist, or has no read access`),
  LockReasonInvalid: (_: Issues.LockReasonInvalid) =>
    invalid("lock_reason", `must be one of ${Issues.lockReasons.join(", ")}, or empty`),
  NameUnknown: ({ field, value }: NameUnknown) => invalid(field, `\`${value}\` does not exist`),
  TagHasRelease: ({ name }: Tags.TagHasRelease) =>
    conflict(`the tag \`${name}\` belongs to a published release: delete the release first`),
  LineNotFound: ({ line, path }: LineNotFound) => invalid("comments", `${path} has no line ${line} in the difference`),
  WikiPageNotFound: (_: WikiPageNotFound) => missing,
  WikiPageInvalid: (error: WikiPageInvalid) => invalid(error.field, error.problem),
  MirrorNotFound: (_: MirrorNotFound) => missing,
  MirrorInvalid: (error: MirrorInvalid) => invalid(error.field, error.problem),
  GitMissing: (_: GitMissing) => missing,
  IssueNotFound: (_: IssueNotFound) => missing,
  CommentNotFound: (_: CommentNotFound) => missing,
  MilestoneNotFound: (_: MilestoneNotFound) => missing,
  StaleContent: (error: StaleContent) => conflict(`the text has changed: the current version is ${error.version}`),
  AssigneeInvalid: (error: AssigneeInvalid) => invalid("assignees", `\`${error.name}\` cannot be assigned`),
  DependenciesOpen: (_: DependenciesOpen) => (url: Url) =>
    new PreconditionFailedBody({ message: "the issue is blocked by open issues", ...url }),
  DependencyCircular: (_: DependencyCircular) => invalid("index", "would depend on itself"),
  TooManyPins: (error: TooManyPins) => conflict(`at most ${error.most} are pinned`),
  AccessQuestionInvalid: (error: AccessQuestionInvalid) => invalid(error.field, error.problem),
  AccessCheckInvalid: ({ at, field, problem }: AccessCheckInvalid) => invalid(`checks.${at}.${field}`, problem),
  ResourceNotFound: (_: ResourceNotFound) => missing,
  TooManyAccessStreams: ({ problem }: AccessSubjects.TooManyAccessStreams) => busy(problem),
  ForkExists: ({ owner }: ForkExists) => conflict(`\`${owner}\` already owns the repository`),
  ForkStaysHidden: (_: ForkStaysHidden) => invalid("private", "must match the visibility of its parent"),
  RepositoryThere: ({ name }: RepositoryThere) => conflict(`the owner already has a repository \`${name}\``),
  TransferPending: (_: TransferPending) => conflict("a transfer of the repository is already pending"),
  TransferNotFound: (_: TransferNotFound) => missing,
  TransferInvalid: ({ field, problem }: TransferInvalid) => invalid(field, problem),
  GenerationInvalid: ({ field, problem }: Generation.GenerationInvalid) => invalid(field, problem),
  NoParent: (_: NoParent) => missing,
  UpstreamDiverged: ({ paths }: UpstreamDiverged) =>
    paths.length === 0 ? conflict("the branches have diverged") : conflict(`both sides changed: ${paths.join(", ")}`),
  ChangeInvalid: (error: ChangeInvalid) => invalid(error.field, error.problem),
  RefExists: (error: RefExists) => conflict(`\`${error.name}\` already exists`),
  RefMoved: (error: RefMoved) => conflict(`\`${error.ref}\` was changed in the meantime`),
  RefChangeRefused: (error: RefChangeRefused) => forbidden(error.messages.join("; ")),
  GitOverloaded: (_: GitOverloaded) => busy("too many bodies are being read concurrently"),
  AccessRefused: (error: Entry.AccessRefused) => (url: Url) => refusal(error.decision.answer, url),
  // Its name has changed since the decision.
  Renamed: (_: Entry.Renamed) => missing,
  InvalidCredentials: (error: InvalidCredentials) => (url: Url) =>
    refusal(error.because === "credentials" ? entryAnswers.invalidCredentials : entryAnswers.invalidCode, url),
  SudoUserNotFound: (_: Entry.SudoUserNotFound) => missing,
  UserNotFound: (_: UserNotFound) => missing,
  TokenNotFound: (_: TokenNotFound) => missing,
  TokenNotOneTime: (_: TokenNotOneTime) => invalid("token", "must be a one-time token that was not exchanged yet"),
  TokenNotRotatable: (_: TokenNotRotatable) => invalid("token", "must be created by a user, and be confirmed"),
  EmailNotFound: (_: EmailNotFound) => missing,
  NameTaken: (error: NameTaken) => invalid("username", `\`${error.name}\` is taken`),
  EmailTaken: (error: EmailTaken) => invalid("email", `\`${error.address}\` is taken`),
  EmailIsPrimary: (error: EmailIsPrimary) => invalid("emails", `\`${error.address}\` is the primary address`),
  BeyondScope: (_: BeyondScope) => forbidden("a token cannot grant more than its own scope"),
  LastAdministrator: (_: LastAdministrator) => invalid("username", "is the last site administrator"),
  ResetOff: (_: PasswordResets.ResetOff) => forbidden("this site sends no email: ask its administrator for a password"),
  ResetRefused: (_: PasswordResets.ResetRefused) => invalid("code", "was already used, or has expired"),
  NotificationNotFound: (_: NotificationNotFound) => missing,
  NotYourself: (_: NotYourself) => invalid("username", "must not be yourself"),
  PasswordTooCommon: (_: PasswordTooCommon) => invalid("password", "is among the most common passwords"),
  TokenNameTaken: (error: TokenNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TokenWithoutScope: (_: TokenWithoutScope) => invalid("scopes", "must contain a permission of the caller"),
  TokenExpired: (_: TokenExpired) => invalid("expires_at", "must be in the future"),
  OrganizationNotFound: (_: OrganizationNotFound) => missing,
  MemberNotFound: (_: MemberNotFound) => missing,
  GrantNotFound: (_: GrantNotFound) => missing,
  IdentityNotFound: (_: IdentityNotFound) => missing,
  OAuth2ApplicationNotFound: (_: OAuth2ApplicationNotFound) => missing,
  OAuth2ApplicationInvalid: (error: OAuth2ApplicationInvalid) => invalid(error.field, error.problem),
  OAuth2SecretRejected: (_: OAuth2SecretRejected) => invalid("client_secret", "must be the secret of this client"),
  TooManyOAuth2Applications: (error: TooManyOAuth2Applications) =>
    forbidden(`a user may have at most ${error.most} OAuth2 applications`),
  BadgeNotFound: (_: BadgeNotFound) => missing,
  BadgeTaken: ({ slug }: BadgeTaken) => invalid("slug", `\`${slug}\` is taken`),
  BadgeUnknown: ({ slug }: BadgeUnknown) => invalid("badge_slugs", `there is no badge \`${slug}\``),
  TooManyBadges: ({ most }: TooManyBadges) => forbidden(`at most ${most} badges are allowed`),
  TaskNotFound: (_: Tasks.TaskNotFound) => missing,
  GitHookNotFound: (_: GitHookNotFound) => missing,
  GitHookInvalid: ({ problem }: GitHookInvalid) => invalid("content", problem),
  HookNotFound: (_: HookNotFound) => missing,
  HookDeliveryNotFound: (_: HookDeliveryNotFound) => missing,
  HookInvalid: (error: HookInvalid) => invalid(error.field, error.problem),
  TooManyHooks: (error: TooManyHooks) => forbidden(`at most ${error.most} webhooks are allowed here`),
  AttachmentNotFound: (_: AttachmentNotFound) => missing,
  AttachmentRefused: (error: AttachmentRefused) => invalid("attachment", error.problem),
  ...deploymentErrors,
  ReleaseNotFound: (_: ReleaseNotFound) => missing,
  ReleaseExists: (_: ReleaseExists) => conflict("the tag already has a release"),
  LabelNotFound: (_: LabelNotFound) => missing,
  ReactionNotAllowed: (error: ReactionNotAllowed) => forbidden(`the reaction \`${error.content}\` is not allowed here`),
  StopwatchState: (error: StopwatchState) =>
    conflict(error.running ? "a stopwatch is already running" : "no stopwatch is running"),
  TimeNotFound: (_: TimeNotFound) => missing,
  TimesOfOthers: (_: TimesOfOthers) =>
    forbidden("the tracked times of others are for writers and administrators of the repository"),
  MarkdownRefused: (error: MarkdownRefused) => invalid("Text", error.problem),
  LastOwner: (_: LastOwner) => forbidden("the last owner of an organization cannot be removed"),
  MemberNotBlocked: (_: MemberNotBlocked) =>
    invalid("username", "is a member, and an organization cannot block its members"),
  IsOnlyOwner: (error: IsOnlyOwner) =>
    invalid("username", `is the only owner of ${error.organizations.join(", ")}: add owners or delete these first`),
  OwnsRepositories: (error: OwnsRepositories) =>
    invalid(error.kind === "user" ? "username" : "org", "still owns repositories: delete or transfer them first"),
  OwnsPackages: ({ kind }: PackageErrors.OwnsPackages) =>
    invalid(kind === "user" ? "username" : "org", "still owns packages: delete them first"),
  PackageNotFound: (_: PackageErrors.PackageNotFound) => missing,
  PackageFileExists: ({ name }: PackageErrors.PackageFileExists) =>
    conflict(`the version already has a file \`${name}\``),
  PackageNameInvalid: ({ field, problem }: PackageErrors.PackageNameInvalid) => invalid(field, problem),
  PackageFull: ({ most, of }: PackageErrors.PackageFull) => forbidden(`at most ${most} ${of} are allowed`),
  ArtifactNotFound: (_: ArtifactErrors.ArtifactNotFound) => missing,
  WorkflowRunNotFound: (_: WorkflowRunNotFound) => missing,
  WorkflowNotFound: (_: Workflows.WorkflowNotFound) => missing,
  WorkflowRefused: ({ field, problem }: Workflows.WorkflowRefused) => invalid(field, problem),
  WorkflowRunBusy: ({ problem }: Reruns.WorkflowRunBusy) => conflict(problem),
  WorkflowJobNotFound: (_: WorkflowJobNotFound) => missing,
  TooManyTopics: (error: TooManyTopics) => invalid("topics", `at most ${error.most} are allowed`),
  TopicInvalid: (error: TopicInvalid) => invalid("topic", error.problem),
  UnadoptedNotFound: (_: Unadopted.UnadoptedNotFound) => missing,
  UnadoptedBroken: (error: UnadoptedBroken) => invalid("reponame", error.problem),
  AvatarInvalid: (error: AvatarInvalid) => invalid("image", error.problem),
  // The sentence may begin with the name of a kind of key, so it stays unchanged.
  PublicKeyInvalid:
    ({ because }: PublicKeyInvalid) =>
    (url: Url) =>
      new InvalidBody({ message: `[key]: ${because}`, ...url }),
  ProtectionInvalid: ({ field, problem }: ProtectionInvalid) => invalid(protectionFields[field] ?? field, problem),
  ProtectionNotFound: (_: ProtectionNotFound) => missing,
  GpgKeyInvalid:
    ({ because }: GpgKeyInvalid) =>
    (url: Url) =>
      new InvalidBody({ message: `[armored_public_key]: ${because}`, ...url }),
  GpgKeyUnproven: ({ signed }: GpgKeyUnproven) =>
    signed
      ? invalid("armored_signature", "is not a signature by this key of the current text of gpg_key_token")
      : invalid(
          "armored_public_key",
          "has none of your confirmed addresses: sign the text of gpg_key_token and send it as `armored_signature`"
        ),
  KeyInUse: (_: KeyInUse) => invalid("key", "is already in use: a key belongs to one account or one repository"),
  KeyNotFound: (_: KeyNotFound) => missing,
  WrongCode: (_: WrongCode) => invalid("code", "is wrong, already used or expired"),
  SecondFactorOn: (_: SecondFactorOn) => conflict("the second factor is already on"),
  SecondFactorOff: (_: SecondFactorOff) => conflict("there is no second factor"),
  TeamNotFound: (_: TeamNotFound) => missing,
  TeamNameUnknown: (_: TeamNameUnknown) => missing,
  RepositoryNameTaken: (error: RepositoryNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TemplateUnknown: (error: TemplateUnknown) => invalid(error.field, `\`${error.name}\` does not exist`),
  TooManyRepositories: (error: TooManyRepositories) =>
    forbidden(`the owner may have at most ${error.most} repositories`),
  BranchNotFound: (error: BranchNotFound) => invalid("default_branch", `\`${error.name}\` does not exist`),
  OwnerCollaborates: (_: OwnerCollaborates) => invalid("collaborator", "owns the repository"),
  NoOrganization: (_: NoOrganization) => invalid("team", "cannot have access to the repository of a user"),
  RepositoryNotFound: (_: RepositoryNotFound) => missing,
  TeamNameTaken: (error: TeamNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TeamFieldInvalid: (error: TeamFieldInvalid) => invalid(error.field, error.problem),
  TeamHoldsAll: (_: TeamHoldsAll) => invalid("repo", "belongs to a team that includes all repositories"),
  OwnersTeamFixed: (error: OwnersTeamFixed) => invalid(error.field, "of the owners team cannot change"),
  // The status and the text are those of the specification: "Team rules", 1.
  UnitsEmpty: (_: UnitsEmpty) => (url: Url) =>
    new ServerErrorBody({ message: "units permission should not be empty", ...url })
} as const
