import type { ChoiceNeeded, DomainConflicts, HostKeyNotFound } from "@slipway/deploy/apps"
import { publicEngineFailureReason } from "@slipway/deploy/infrastructure"
import type { Duplicate, InUse, InvalidInput, Problems } from "@slipway/domain"
import {
  type AlreadyDelivered,
  type ApplicationNotFound,
  type DeletionNotFound,
  type DeliveryNotFound,
  type DeploymentNotFound,
  type EnvironmentNotFound,
  type GitHostFailed,
  type HostedRepositoryNotFound,
  mostAdditionalDestinations,
  mostPreviews,
  type NotAwaitingApproval,
  type PreviewNotFound,
  type ProjectNotFound,
  type QueueFull,
  type ScheduledTaskNotFound,
  type ServiceNotFound,
  type ServicePartNotFound,
  type ServiceTemplateNotFound,
  type SharedVariableNotFound,
  type StorageNotFound,
  type TagNotFound,
  type TemplateEdited,
  type TooManyDestinations,
  type TooManyPreviews,
  type VariableNotFound
} from "@slipway/domain/deploy/apps"
import type {
  ContainerNotFound,
  ContainerNotRunning,
  EngineFailure,
  HostKeyChanged,
  ProxyRefused,
  ProxyUnreachable,
  TooManyStreams
} from "@slipway/domain/deploy/containers"
import type {
  BackupFileUnreachable,
  BackupNotFound,
  BackupRunNotFound,
  DatabaseNotFound,
  RestoreRefused,
  VolumeBackupNotFound
} from "@slipway/domain/deploy/databases"
import type { NotAuthorized } from "@slipway/domain/deploy/entry"
import type {
  AccountNameTaken,
  AccountNotFound,
  GrantNotFound,
  GroupNotFound,
  IdentityNotFound,
  IdentityTaken,
  InvitationNotFound,
  LastIdentity,
  LastRootAccount,
  LastRootToken,
  LastTeamOwner,
  MemberNotFound,
  NoPassword,
  RoleNotFound,
  SessionNotFound,
  SignInRejected,
  TeamNotFound,
  TokenNotFound,
  TooManyGroups,
  TooManyTokens,
  Unauthenticated
} from "@slipway/domain/deploy/identity"
import type {
  DestinationNotFound,
  ForgeAppNotFound,
  ForgeConnectionNotFound,
  ForgeRotationRunning,
  GitlabAppNotFound,
  NotificationUndelivered,
  ObjectStorageFailed,
  PrivateKeyNotFound,
  RegistryNotFound,
  S3StorageNotFound,
  ServerHandedOver,
  ServerNotFound
} from "@slipway/domain/deploy/infrastructure"
import type {
  NoRunningContainer,
  ServerFileRefused,
  TerminalsDisabled,
  TooManyTerminals,
  TransferRefused,
  TransferUnfinished
} from "@slipway/domain/deploy/runtime"
import type { SignInSlowed } from "@slipway/domain/sign-in"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import {
  BadGatewayBody,
  BadRequestBody,
  ChoicesBody,
  ConflictBody,
  DomainConflictsBody,
  ForbiddenBody,
  NotFoundBody,
  TooLargeBody,
  TooManyRequestsBody,
  UnauthenticatedBody
} from "../../../api/deploy/base/errors.ts"
import type { BodyNotJson, BodyTooLarge } from "../../wire/bodies.ts"

/** Makes the 400 response body for an invalid request, with the problems of each field (decision "Errors"). */
export const invalid = (errors: Problems) => new BadRequestBody({ message: "Validation failed.", errors })

const missing = (what: string) => () => new NotFoundBody({ message: `${what} not found.` })

const sentenceOf = (because: string): string => `${because.charAt(0).toUpperCase()}${because.slice(1)}.`

/** Returns the name of a field of a resource in words: `shared variable key` for `sharedVariable.key`. */
const wordsOf = (field: string): string =>
  field.replace(/\.|[A-Z]/g, (found) => (found === "." ? " " : ` ${found.toLowerCase()}`))

const noAnswer = (error: EngineFailure | HostKeyChanged) =>
  new BadGatewayBody({ message: sentenceOf(publicEngineFailureReason(error)) })

/** The messages of errors that occur outside of endpoint handlers. */
export const failureMessages = {
  notFound: "Not found.",
  methodNotAllowed: "Method not allowed.",
  badRequest: "Validation failed.",
  tooLarge: "The body is too large.",
  internal: "Internal server error.",
  unavailable: "Service unavailable. Try again later."
} as const

/** Converts each domain error to its HTTP error body; the compiler requires an entry for every new error. */
const table = {
  InvalidInput: (error: InvalidInput) => invalid(error.problems),
  BodyNotJson: (error: BodyNotJson) => invalid({ body: [error.sentence] }),
  BodyTooLarge: (_: BodyTooLarge) => new TooLargeBody({ message: failureMessages.tooLarge }),
  Unauthenticated: (_: Unauthenticated) => new UnauthenticatedBody({ message: "Unauthenticated." }),
  NotAuthorized: (error: NotAuthorized) =>
    new ForbiddenBody({ message: `This token may not do this (${error.action}): ${error.because}.` }),
  AccountNameTaken: ({ name }: AccountNameTaken) =>
    new ConflictBody({ message: `An account has the name \`${name}\`: choose another name.` }),
  LastRootAccount: (_: LastRootAccount) =>
    new ConflictBody({ message: "This is the last enabled root account: make another account root first." }),
  LastIdentity: (_: LastIdentity) =>
    new ConflictBody({ message: "This identity is the only way to sign in to the account; nothing was changed." }),
  IdentityTaken: ({ issuer }: IdentityTaken) =>
    new ConflictBody({ message: `Another account is linked to this identity at ${issuer}.` }),
  NoPassword: (_: NoPassword) =>
    new ConflictBody({ message: "This account has no password: it signs in through a provider." }),
  TooManyTokens: ({ most }: TooManyTokens) =>
    new ConflictBody({ message: `This account has ${most} tokens, which is the limit: revoke one first.` }),
  SignInRejected: (_: SignInRejected) =>
    invalid({ current_password: ["Must be the present password of the account."] }),
  SignInSlowed: ({ seconds }: SignInSlowed) =>
    new TooManyRequestsBody({ message: `Too many failed sign-ins. Try again in ${seconds} seconds.` }),
  Duplicate: (error: Duplicate) => new ConflictBody({ message: `This ${wordsOf(error.of)} is already taken.` }),
  InUse: (error: InUse) =>
    new ConflictBody({ message: `Still in use by at least one ${error.by}; nothing was deleted.` }),
  DomainConflicts: (error: DomainConflicts) =>
    new DomainConflictsBody({
      message: "Domain conflicts were found. Send force_domain_override=true to proceed anyway.",
      warning: "Resources that share a domain can answer for each other: requests may reach the wrong one.",
      conflicts: error.conflicts.map((conflict) => ({
        domain: conflict.domain,
        resource_name: conflict.resourceName,
        resource_uuid: conflict.resourceUuid,
        resource_type: conflict.resourceType,
        message: `\`${conflict.domain}\` is already used by the ${conflict.resourceType} \`${conflict.resourceName}\`.`
      }))
    }),
  ChoiceNeeded: ({ choices }: ChoiceNeeded) =>
    new ChoicesBody({
      message: `Several resources fit: send ${Object.keys(choices).join(" and ")}.`,
      choices
    }),
  AlreadyDelivered: (_: AlreadyDelivered) =>
    new ConflictBody({ message: "This delivery was received before; nothing was done." }),
  NotAwaitingApproval: ({ status }: NotAwaitingApproval) =>
    new ConflictBody({ message: `The deployment does not wait for an approval: it is ${status}.` }),
  ForgeRotationRunning: (_: ForgeRotationRunning) =>
    new ConflictBody({
      message: "The token is being replaced, which takes up to 10 minutes after the swap; no rotation was started."
    }),
  LastTeamOwner: (_: LastTeamOwner) =>
    new ConflictBody({ message: "The team would have no owner: grant another member the role `owner` first." }),
  LastRootToken: (_: LastRootToken) =>
    new ConflictBody({ message: "This is the last token with `root`: create another one before you revoke it." }),
  TooManyStreams: (error: TooManyStreams) =>
    new TooManyRequestsBody({ message: `This ${error.of} has ${error.most} open streams, which is the limit.` }),
  TerminalsDisabled: ({ server }: TerminalsDisabled) =>
    new ConflictBody({
      message: `Terminals are disabled on the server \`${server}\`: an administrator can enable them (is_terminal_enabled).`
    }),
  NoRunningContainer: ({ container }: NoRunningContainer) =>
    new ConflictBody({
      message: container === null ? "No container runs." : `No container \`${container}\` runs: reload the page.`
    }),
  TooManyTerminals: ({ most, of }: TooManyTerminals) =>
    new TooManyRequestsBody({ message: `This ${of} has ${most} open terminals, which is the limit: close one first.` }),
  ContainerNotFound: (_: ContainerNotFound) => new ConflictBody({ message: "The container was removed." }),
  ContainerNotRunning: (_: ContainerNotRunning) => new ConflictBody({ message: "The container stopped." }),
  TooManyPreviews: (_: TooManyPreviews) =>
    new ConflictBody({
      message: `This application has ${mostPreviews} previews, which is the limit; no preview was created.`
    }),
  TooManyDestinations: (_: TooManyDestinations) =>
    new ConflictBody({
      message: `This application has ${mostAdditionalDestinations} additional destinations, which is the limit; none was added.`
    }),
  QueueFull: ({ most, server }: QueueFull) =>
    new TooManyRequestsBody({
      message: `The deployment queue of \`${server}\` is full: ${most} deployments wait (deployment_queue_limit); nothing was queued.`
    }),
  ServerHandedOver: ({ server, state }: ServerHandedOver) =>
    new ConflictBody({
      message:
        state === "leaving"
          ? `The server \`${server}\` is being transferred to another instance: cancel its transfer first.`
          : `The server \`${server}\` was imported, but not claimed: claim it first.`
    }),
  TransferRefused: ({ because }: TransferRefused) => new ConflictBody({ message: sentenceOf(because) }),
  TransferUnfinished: ({ because }: TransferUnfinished) => new BadGatewayBody({ message: sentenceOf(because) }),
  ServerFileRefused: ({ because }: ServerFileRefused) => new ConflictBody({ message: sentenceOf(because) }),
  EngineUnreachable: noAnswer as (_: Extract<EngineFailure, { _tag: "EngineUnreachable" }>) => BadGatewayBody,
  EngineRefused: noAnswer as (_: Extract<EngineFailure, { _tag: "EngineRefused" }>) => BadGatewayBody,
  GitHostFailed: ({ because }: GitHostFailed) => new BadGatewayBody({ message: sentenceOf(because) }),
  NotificationUndelivered: ({ because }: NotificationUndelivered) =>
    new BadGatewayBody({ message: `The notification could not be sent: ${because}.` }),
  ObjectStorageFailed: ({ because }: ObjectStorageFailed) =>
    new BadGatewayBody({ message: `The request to the S3 storage failed: ${because}.` }),
  BackupFileUnreachable: ({ because }: BackupFileUnreachable) => new ConflictBody({ message: sentenceOf(because) }),
  RestoreRefused: ({ because }: RestoreRefused) => new ConflictBody({ message: sentenceOf(because) }),
  ProxyUnreachable: ({ because }: ProxyUnreachable) =>
    new BadGatewayBody({ message: `The proxy cannot be reached: ${because}.` }),
  ProxyRefused: ({ because }: ProxyRefused) => new ConflictBody({ message: sentenceOf(because) }),
  HostKeyChanged: noAnswer as (_: HostKeyChanged) => BadGatewayBody,
  AccountNotFound: missing("Account") as (_: AccountNotFound) => NotFoundBody,
  IdentityNotFound: missing("Identity") as (_: IdentityNotFound) => NotFoundBody,
  SessionNotFound: missing("Session") as (_: SessionNotFound) => NotFoundBody,
  ApplicationNotFound: missing("Application") as (_: ApplicationNotFound) => NotFoundBody,
  BackupNotFound: missing("Backup") as (_: BackupNotFound) => NotFoundBody,
  VolumeBackupNotFound: missing("Backup schedule") as (_: VolumeBackupNotFound) => NotFoundBody,
  BackupRunNotFound: missing("Backup execution") as (_: BackupRunNotFound) => NotFoundBody,
  DatabaseNotFound: missing("Database") as (_: DatabaseNotFound) => NotFoundBody,
  DeletionNotFound: missing("Deletion") as (_: DeletionNotFound) => NotFoundBody,
  DeliveryNotFound: missing("Webhook delivery") as (_: DeliveryNotFound) => NotFoundBody,
  DeploymentNotFound: missing("Deployment") as (_: DeploymentNotFound) => NotFoundBody,
  DestinationNotFound: missing("Destination") as (_: DestinationNotFound) => NotFoundBody,
  EnvironmentNotFound: missing("Environment") as (_: EnvironmentNotFound) => NotFoundBody,
  ForgeConnectionNotFound: missing("Forge connection") as (_: ForgeConnectionNotFound) => NotFoundBody,
  GrantNotFound: missing("Grant") as (_: GrantNotFound) => NotFoundBody,
  InvitationNotFound: missing("Invitation") as (_: InvitationNotFound) => NotFoundBody,
  MemberNotFound: missing("Member") as (_: MemberNotFound) => NotFoundBody,
  GroupNotFound: missing("Group") as (_: GroupNotFound) => NotFoundBody,
  TooManyGroups: (_: TooManyGroups) =>
    new ConflictBody({ message: "The team has 200 groups, which is the limit; no group was created." }),
  RoleNotFound: missing("Role") as (_: RoleNotFound) => NotFoundBody,
  ForgeAppNotFound: missing("App installation") as (_: ForgeAppNotFound) => NotFoundBody,
  HostedRepositoryNotFound: missing("Repository") as (_: HostedRepositoryNotFound) => NotFoundBody,
  PreviewNotFound: missing("Preview") as (_: PreviewNotFound) => NotFoundBody,
  PrivateKeyNotFound: missing("Private key") as (_: PrivateKeyNotFound) => NotFoundBody,
  ProjectNotFound: missing("Project") as (_: ProjectNotFound) => NotFoundBody,
  ScheduledTaskNotFound: missing("Scheduled task") as (_: ScheduledTaskNotFound) => NotFoundBody,
  GitlabAppNotFound: missing("GitLab app") as (_: GitlabAppNotFound) => NotFoundBody,
  RegistryNotFound: missing("registry") as (_: RegistryNotFound) => NotFoundBody,
  S3StorageNotFound: missing("S3 storage") as (_: S3StorageNotFound) => NotFoundBody,
  ServerNotFound: missing("Server") as (_: ServerNotFound) => NotFoundBody,
  ServicePartNotFound: missing("Service application or database") as (_: ServicePartNotFound) => NotFoundBody,
  ServiceTemplateNotFound: missing("Service template") as (_: ServiceTemplateNotFound) => NotFoundBody,
  TemplateEdited: (_: TemplateEdited) =>
    new ConflictBody({
      message:
        "The compose text was edited: apply the diff of GET /services/{uuid}/template to it, and send it with PATCH /services/{uuid}."
    }),
  ServiceNotFound: missing("Service") as (_: ServiceNotFound) => NotFoundBody,
  HostKeyNotFound: missing("Host key") as (_: HostKeyNotFound) => NotFoundBody,
  SharedVariableNotFound: missing("Shared variable") as (_: SharedVariableNotFound) => NotFoundBody,
  StorageNotFound: missing("Storage") as (_: StorageNotFound) => NotFoundBody,
  TagNotFound: missing("Tag") as (_: TagNotFound) => NotFoundBody,
  TeamNotFound: missing("Team") as (_: TeamNotFound) => NotFoundBody,
  VariableNotFound: missing("Environment variable") as (_: VariableNotFound) => NotFoundBody,
  TokenNotFound: missing("Token") as (_: TokenNotFound) => NotFoundBody
} as const

type Table = typeof table
/** The domain errors that are converted to HTTP errors. */
export type KnownError = Parameters<Table[keyof Table]>[0]
type WireOf<E> = E extends { readonly _tag: infer Tag extends keyof Table } ? ReturnType<Table[Tag]> : never

const retryQueueAfter = 60

/** Adds the header `Retry-After` to the response. */
const later = (seconds: number) =>
  Effect.map(Effect.context<never>(), (context) =>
    HttpEffect.appendPreResponseHandlerUnsafe(context, (_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
    )
  )

/** Adds the header `Retry-After` if the deployment queue is full or too many sign-ins failed. */
const retrying = (error: KnownError) => {
  if (error._tag === "QueueFull") return later(retryQueueAfter)
  return error._tag === "SignInSlowed" ? later(error.seconds) : Effect.void
}

/** Converts the domain errors of an effect to HTTP error bodies. */
export const toHttpErrors = <A, E extends KnownError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, WireOf<E>, R> =>
  effect.pipe(
    Effect.tapError(retrying),
    Effect.mapError((error) => {
      const translate = table[error._tag] as (error: KnownError) => WireOf<E>
      return translate(error)
    })
  )
