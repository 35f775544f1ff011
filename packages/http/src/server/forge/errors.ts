import type { Problems } from "@slipway/domain"
import type { Answer } from "@slipway/domain/access"
import {
  type AccessQuestionInvalid,
  type AssigneeInvalid,
  type AttachmentNotFound,
  type AttachmentRefused,
  type BeyondScope,
  type Blocked,
  type BranchNotFound,
  type CommentNotFound,
  type DependenciesOpen,
  type DependencyCircular,
  type EmailIsPrimary,
  type EmailNotFound,
  type EmailTaken,
  type Entry,
  entryAnswers,
  type InvalidCredentials,
  type IssueNotFound,
  type LabelNotFound,
  type LastAdministrator,
  type LastOwner,
  type MarkdownRefused,
  type MemberNotBlocked,
  type MemberNotFound,
  type MembershipOfAnother,
  type MilestoneNotFound,
  type NameTaken,
  type NoOrganization,
  type NotificationNotFound,
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
  type ReactionNotAllowed,
  type RepositoryNameTaken,
  type RepositoryNotFound,
  type ResourceNotFound,
  type SecondFactorOff,
  type SecondFactorOn,
  type StaleContent,
  type StopwatchState,
  type TeamAccessFixed,
  type TeamFieldInvalid,
  type TeamHoldsAll,
  type TeamMemberNotFound,
  type TeamNameTaken,
  type TeamNameUnknown,
  type TeamNotFound,
  type TemplateUnknown,
  type TimeNotFound,
  type TimesOfOthers,
  type TimeTrackingOff,
  type TokenExpired,
  type TokenNameTaken,
  type TokenNotFound,
  type TokenWithoutScope,
  type TooManyPins,
  type TooManyRepositories,
  type UnitsEmpty,
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
  PreconditionFailedBody,
  ServerErrorBody,
  UnauthorizedBody
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

/** What each domain error is on the wire: total, so that a new error has to find its place here. */
const table = {
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
  NotificationNotFound: (_: NotificationNotFound) => missing,
  NotYourself: (_: NotYourself) => invalid("username", "must not be yourself"),
  Blocked: (_: Blocked) => forbidden("user is blocked"),
  PasswordTooCommon: (_: PasswordTooCommon) => invalid("password", "is among those that are guessed first"),
  TokenNameTaken: (error: TokenNameTaken) => invalid("name", `\`${error.name}\` is taken`),
  TokenWithoutScope: (_: TokenWithoutScope) => invalid("scopes", "must open something that the caller may do"),
  TokenExpired: (_: TokenExpired) => invalid("expires_at", "must be in the future"),
  OrganizationNotFound: (_: OrganizationNotFound) => missing,
  MemberNotFound: (_: MemberNotFound) => missing,
  LabelNotFound: (_: LabelNotFound) => missing,
  AttachmentNotFound: (_: AttachmentNotFound) => missing,
  AttachmentRefused: (error: AttachmentRefused) => invalid("attachment", error.problem),
  ReactionNotAllowed: (error: ReactionNotAllowed) => forbidden(`the reaction \`${error.content}\` is not allowed here`),
  StopwatchState: (error: StopwatchState) =>
    conflict(error.running ? "a stopwatch runs already" : "there is no stopwatch that runs"),
  TimeNotFound: (_: TimeNotFound) => missing,
  TimesOfOthers: (_: TimesOfOthers) => forbidden("the times of others are for those who write or administer there"),
  TimeTrackingOff: (_: TimeTrackingOff) => forbidden("time tracking disabled by administrator"),
  MarkdownRefused: (error: MarkdownRefused) => invalid("Text", error.problem),
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
  TeamMemberNotFound: (_: TeamMemberNotFound) => missing,
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
  ConflictBody: 409,
  PreconditionFailedBody: 412,
  InvalidBody: 422,
  LockedBody: 423,
  ServerErrorBody: 500
} as const

/** Answers an error as the table says. */
export const answerTo = (error: HandlerError): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Wire> =>
  Effect.catch(translated(error), ({ _tag, message, url }) =>
    Effect.succeed(HttpServerResponse.jsonUnsafe({ message, url }, { status: statuses[_tag] }))
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
