import type { Problems } from "@slipway/domain"
import type { Answer } from "@slipway/domain/access"
import {
  type AccessQuestionInvalid,
  type AssigneeInvalid,
  type BeyondScope,
  type Blocked,
  type BranchNotFound,
  type ChangeInvalid,
  type CommentNotFound,
  type ContentChanged,
  type ContentNotFound,
  type DependenciesOpen,
  type DependencyCircular,
  type EmailIsPrimary,
  type EmailNotFound,
  type EmailTaken,
  type Entry,
  entryAnswers,
  type GitMissing,
  type GitOverloaded,
  type HeadNotYours,
  type InvalidCredentials,
  type IssueNotFound,
  type LabelNotFound,
  type LastAdministrator,
  type LastOwner,
  type LineNotFound,
  type MemberNotBlocked,
  type MemberNotFound,
  type MembershipOfAnother,
  type Merging,
  type MilestoneNotFound,
  type NameTaken,
  type NoOrganization,
  type NotYourself,
  notFound,
  type OrganizationNotFound,
  type OwnerCollaborates,
  type OwnersTeamFixed,
  type OwnsAlone,
  type OwnsRepositories,
  type PasswordTooCommon,
  type PermissionHidden,
  type PictureInvalid,
  type PullBranchNotFound,
  type PullExists,
  type PullImpossible,
  type PullIsClosed,
  type PullIsMerged,
  type PullNotFound,
  type RefChangeRefused,
  type RefExists,
  type RefMoved,
  type RepositoryEmpty,
  type RepositoryNameTaken,
  type RepositoryNotFound,
  type ResourceNotFound,
  type ReviewerNotPossible,
  type ReviewNotFound,
  type ReviewNotPossible,
  type RevisionNotFound,
  type SecondFactorOff,
  type SecondFactorOn,
  type StaleContent,
  type TeamAccessFixed,
  type TeamFieldInvalid,
  type TeamHoldsAll,
  type TeamNameTaken,
  type TeamNameUnknown,
  type TeamNotFound,
  type TemplateUnknown,
  type TokenExpired,
  type TokenNameTaken,
  type TokenNotFound,
  type TokenWithoutScope,
  type TooManyPins,
  type TooManyRepositories,
  type UnitsEmpty,
  type Updating,
  type UserNotFound,
  type UserRenamed,
  type WrongCode
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { type HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  ConflictBody,
  ForbiddenBody,
  InvalidBody,
  LockedBody,
  NotFoundBody,
  NotMergeableBody,
  PreconditionFailedBody,
  ServerErrorBody,
  UnauthorizedBody,
  UnavailableBody
} from "../../api/forge/errors.ts"
import { PublicUrl, referenceUrl } from "./PublicUrl.ts"
import { redirectTo } from "./redirect.ts"

/** The texts that no endpoint has said itself. */
export const texts = {
  notFound: notFound.message,
  methodNotAllowed: "method not allowed",
  badRequest: "the request is not valid",
  tooLarge: "the body is too large",
  internal: "internal server error",
  unavailable: "the service is unavailable, try again later"
} as const

const plain = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "")

/** Says what is wrong with an input: each field at fault in brackets, followed by what is wrong with it. */
export const invalidText = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, sentences]) => sentences.map((sentence) => `[${field}]: ${plain(sentence)}`))
    .join("; ")

type Url = { readonly url: string }

const invalid = (field: string, text: string) => (url: Url) =>
  new InvalidBody({ message: invalidText({ [field]: [text] }), ...url })
const missing = (url: Url) => new NotFoundBody({ message: notFound.message, ...url })
const forbidden = (message: string) => (url: Url) => new ForbiddenBody({ message, ...url })
const conflict = (message: string) => (url: Url) => new ConflictBody({ message, ...url })

/** Returns the body of an answer that the rules give. */
export const refusal = ({ message, status }: Answer, url: Url) => {
  const body = { message, ...url }
  switch (status) {
    case 401:
      return new UnauthorizedBody(body)
    case 403:
      return new ForbiddenBody(body)
    case 404:
      return new NotFoundBody(body)
    case 423:
      return new LockedBody(body)
    default:
      throw new Error(`no body for the status ${status} of an access rule`)
  }
}

const notMergeable = (message: string) => (url: Url) => new NotMergeableBody({ message, ...url })

const pullTexts = {
  "same-branch": "is the base itself",
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
  given: "the review was given already",
  "not-given": "only approvals and requests for changes are dismissed",
  "own-approval": "authors don't judge their own pull requests",
  empty: "needs a text or comments",
  "pending-exists": "there is a pending review",
  "stale-commit": "is of no commit"
} as const

/** What each domain error is on the wire: total, so that a new error has to find its place here. */
const table = {
  PullNotFound: (_: PullNotFound) => missing,
  PullBranchNotFound: (_: PullBranchNotFound) => missing,
  PullImpossible: ({ because }: PullImpossible) => invalid("head", pullTexts[because]),
  PullExists: ({ between }: PullExists) => conflict(`there is an open pull request for ${between}`),
  PullIsMerged: (_: PullIsMerged) => notMergeable("the pull request is merged"),
  PullIsClosed: (_: PullIsClosed) => notMergeable("the pull request is closed"),
  PullIsDraft: (_: Merging.PullIsDraft) => notMergeable("the pull request is a draft"),
  MergeStyleRefused: ({ style }: Merging.MergeStyleRefused) =>
    notMergeable(`the repository doesn't let pull requests be merged by \`${style}\``),
  MergeBlocked: ({ blocks, rule }: Merging.MergeBlocked) =>
    notMergeable(`the rule \`${rule}\` still asks for: ${blocks.join(", ")}`),
  NotMergeable: ({ because }: Merging.NotMergeable) => notMergeable(mergeTexts[because]),
  PullConflicts: ({ paths }: Merging.PullConflicts) => conflict(`both sides changed: ${paths.join(", ")}`),
  BranchMoved: (_: Merging.BranchMoved) => conflict("the branch has moved"),
  MergePlanned: (_: Merging.MergePlanned) => conflict("the pull request is being merged, or is to be"),
  NoMergePlanned: (_: Merging.NoMergePlanned) => missing,
  HeadNotYours: (_: HeadNotYours) => forbidden("user should have a permission to write to the head branch"),
  HeadProtected: ({ text }: Updating.HeadProtected) => forbidden(text),
  RebaseRefused: (_: Updating.RebaseRefused) => forbidden("the repository doesn't let heads be rebased"),
  ReviewNotFound: (_: ReviewNotFound) => missing,
  ReviewNotPossible: ({ because }: ReviewNotPossible) => invalid("event", reviewTexts[because]),
  ReviewerNotPossible: ({ name }: ReviewerNotPossible) => invalid("reviewers", `\`${name}\` can't be asked`),
  LineNotFound: ({ line, path }: LineNotFound) => invalid("comments", `${path} has no line ${line} in the difference`),
  GitMissing: (_: GitMissing) => missing,
  IssueNotFound: (_: IssueNotFound) => missing,
  CommentNotFound: (_: CommentNotFound) => missing,
  MilestoneNotFound: (_: MilestoneNotFound) => missing,
  StaleContent: (error: StaleContent) => conflict(`the text has changed: it is version ${error.version}`),
  AssigneeInvalid: (error: AssigneeInvalid) => invalid("assignees", `\`${error.name}\` may not be assigned`),
  DependenciesOpen: (_: DependenciesOpen) => (url: Url) =>
    new PreconditionFailedBody({ message: "the issue waits for others that are open", ...url }),
  DependencyCircular: (_: DependencyCircular) => invalid("index", "would wait for itself"),
  TooManyPins: (error: TooManyPins) => conflict(`at most ${error.most} are pinned`),
  AccessQuestionInvalid: (error: AccessQuestionInvalid) => invalid(error.field, error.problem),
  ResourceNotFound: (_: ResourceNotFound) => missing,
  RevisionNotFound: (_: RevisionNotFound) => missing,
  ContentNotFound: (_: ContentNotFound) => missing,
  RepositoryEmpty: (_: RepositoryEmpty) => conflict("the repository is empty"),
  ChangeInvalid: (error: ChangeInvalid) => invalid(error.field, error.problem),
  ContentChanged: (error: ContentChanged) => conflict(`\`${error.path}\` is \`${error.present}\` by now`),
  RefExists: (error: RefExists) => conflict(`\`${error.name}\` is there already`),
  RefMoved: (error: RefMoved) => conflict(`\`${error.ref}\` was changed meanwhile`),
  RefChangeRefused: (error: RefChangeRefused) => forbidden(error.told.join("; ")),
  GitOverloaded: (_: GitOverloaded) => (url: Url) =>
    new UnavailableBody({ message: "too much is being read at once", ...url }),
  AccessRefused: (error: Entry.AccessRefused) => (url: Url) => refusal(error.decision.answer, url),
  InvalidCredentials: (error: InvalidCredentials) => (url: Url) =>
    refusal(error.because === "credentials" ? entryAnswers.invalidCredentials : entryAnswers.invalidCode, url),
  SudoUserNotFound: (_: Entry.SudoUserNotFound) => missing,
  UserNotFound: (_: UserNotFound) => missing,
  TokenNotFound: (_: TokenNotFound) => missing,
  EmailNotFound: (_: EmailNotFound) => missing,
  NameTaken: (error: NameTaken) => invalid("username", `\`${error.name}\` is taken`),
  EmailTaken: (error: EmailTaken) => invalid("email", `\`${error.address}\` is taken`),
  EmailIsPrimary: (error: EmailIsPrimary) => invalid("emails", `\`${error.address}\` is the primary address`),
  BeyondScope: (_: BeyondScope) => forbidden("a token hands out nothing beyond its own scope"),
  LastAdministrator: (_: LastAdministrator) => invalid("username", "is the last site administrator"),
  NotYourself: (_: NotYourself) => invalid("username", "must not be yourself"),
  Blocked: (_: Blocked) => forbidden("user is blocked"),
  PasswordTooCommon: (_: PasswordTooCommon) => invalid("password", "is among those that are guessed first"),
  TokenNameTaken: (error: TokenNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TokenWithoutScope: (_: TokenWithoutScope) => invalid("scopes", "must open something that the caller may do"),
  TokenExpired: (_: TokenExpired) => invalid("expires_at", "must be in the future"),
  OrganizationNotFound: (_: OrganizationNotFound) => missing,
  MemberNotFound: (_: MemberNotFound) => missing,
  LabelNotFound: (_: LabelNotFound) => missing,
  LastOwner: (_: LastOwner) => forbidden("the last owner of an organization stays"),
  MembershipOfAnother: (error: MembershipOfAnother) =>
    forbidden(`cannot ${error.does} the membership of another member`),
  MemberNotBlocked: (_: MemberNotBlocked) => invalid("username", "is a member, whom an organization does not block"),
  OwnsAlone: (error: OwnsAlone) =>
    invalid("username", `is the only owner of ${error.organizations.join(", ")}: add owners or delete these first`),
  OwnsRepositories: (error: OwnsRepositories) =>
    invalid(error.kind === "user" ? "username" : "org", "still owns repositories: delete them or give them away first"),
  PictureInvalid: (error: PictureInvalid) => invalid("image", error.problem),
  WrongCode: (_: WrongCode) => invalid("code", "is wrong, used or too old"),
  SecondFactorOn: (_: SecondFactorOn) => conflict("the second factor is on already"),
  SecondFactorOff: (_: SecondFactorOff) => conflict("there is no second factor"),
  TeamNotFound: (_: TeamNotFound) => missing,
  TeamNameUnknown: (_: TeamNameUnknown) => missing,
  RepositoryNameTaken: (error: RepositoryNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TemplateUnknown: (error: TemplateUnknown) => invalid(error.field, `\`${error.name}\` is not there`),
  TooManyRepositories: (error: TooManyRepositories) =>
    forbidden(`the owner may have at most ${error.most} repositories`),
  BranchNotFound: (error: BranchNotFound) => invalid("default_branch", `\`${error.name}\` is not there`),
  OwnerCollaborates: (_: OwnerCollaborates) => invalid("collaborator", "owns the repository"),
  PermissionHidden: (_: PermissionHidden) => forbidden("only administrators of a repository see what others hold"),
  NoOrganization: (_: NoOrganization) => invalid("team", "can not hold the repository of a user"),
  TeamAccessFixed: (_: TeamAccessFixed) =>
    forbidden("only owners of the organization decide which teams hold its repositories"),
  RepositoryNotFound: (_: RepositoryNotFound) => missing,
  TeamNameTaken: (error: TeamNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TeamFieldInvalid: (error: TeamFieldInvalid) => invalid(error.field, error.problem),
  TeamHoldsAll: (_: TeamHoldsAll) => invalid("repo", "is held by a team that includes all repositories"),
  OwnersTeamFixed: (error: OwnersTeamFixed) =>
    error.field === "team"
      ? forbidden("the owners team can not be deleted")
      : invalid(error.field, "of the owners team is fixed"),
  // The status and the text are those of the specification: "Team rules", 1.
  UnitsEmpty: (_: UnitsEmpty) => (url: Url) =>
    new ServerErrorBody({ message: "units permission should not be empty", ...url })
} as const

type Table = typeof table
/** The errors that have a place on the wire. */
export type KnownError = Parameters<Table[keyof Table]>[0]
type WireOf<E> = E extends { readonly _tag: infer Tag extends keyof Table } ? ReturnType<ReturnType<Table[Tag]>> : never

/** What turning errors into answers needs. */
type Wire = PublicUrl | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext

const translated = <E extends KnownError | UserRenamed>(
  error: E
): Effect.Effect<HttpServerResponse.HttpServerResponse, WireOf<E>, Wire> => {
  if (error._tag === "UserRenamed") return redirectTo(error.name, error.present)
  const translate = table[error._tag] as (error: KnownError) => (url: Url) => WireOf<E>
  return Effect.flatMap(PublicUrl, (publicUrl) =>
    Effect.fail(translate(error as KnownError)({ url: referenceUrl(publicUrl) }))
  )
}

/** Fails with what a thing that isn't there answers. */
export const missingBody = Effect.flatMap(PublicUrl, (publicUrl) =>
  Effect.fail(missing({ url: referenceUrl(publicUrl) }))
)

/** Turns domain errors into the bodies that stand for them on the wire, and renamed things into redirects. */
export const toHttpErrors = <A, E extends KnownError | UserRenamed, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, WireOf<E>, R | Wire> => Effect.catch(effect, translated<E>)

/** The errors that a handler may fail with. */
export type HandlerError = KnownError | UserRenamed

const statuses = {
  UnauthorizedBody: 401,
  ForbiddenBody: 403,
  NotFoundBody: 404,
  NotMergeableBody: 405,
  ConflictBody: 409,
  PreconditionFailedBody: 412,
  InvalidBody: 422,
  LockedBody: 423,
  ServerErrorBody: 500,
  UnavailableBody: 503
} as const

/** Answers an error as the table says. */
export const answerTo = (error: HandlerError): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Wire> =>
  Effect.catch(translated(error), ({ _tag, message, url }) =>
    Effect.succeed(
      HttpServerResponse.jsonUnsafe(
        { message, url },
        { status: statuses[_tag], headers: _tag === "UnavailableBody" ? { "retry-after": "1" } : {} }
      )
    )
  )

const said = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(PublicUrl, (served) =>
    HttpServerResponse.jsonUnsafe({ message, url: referenceUrl(served) }, { status, headers })
  )

// What is left of a body is not read: the connection ends with the answer.
const closing = { connection: "close" }

/** Answers a request that could not be read, or that says what it must not. */
export const wrongBody = {
  WrongInput: ({ problems }: { readonly problems: Problems }) => said(422, invalidText(problems)),
  BodyNotJson: ({ sentence }: { readonly sentence: string }) =>
    said(422, invalidText({ body: [sentence.replace(/^The body /, "")] })),
  BodyTooLarge: () => said(413, texts.tooLarge, closing),
  BodyTooSlow: () => said(408, "the body came too slowly", closing),
  BodiesFull: () => said(503, "too much is being read at once", { ...closing, "retry-after": "1" })
} as const
