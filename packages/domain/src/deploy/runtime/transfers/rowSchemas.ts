import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { Application, Configuration, Secrets } from "../../apps/applications/Application.ts"
import type { Deployment } from "../../apps/deployments/Deployment.ts"
import { DeploymentAction, DeploymentTrigger } from "../../apps/deployments/Deployment.ts"
import { finalStatuses } from "../../apps/deployments/states.ts"
import { line, nonEmpty, text, whole } from "../../apps/fields/field.ts"
import { fields, plainFields, secretFields } from "../../apps/fields/table.ts"
import { variants } from "../../apps/fields/variants.ts"
import type { Placement } from "../../apps/placement/Placement.ts"
import type { Preview } from "../../apps/previews/Preview.ts"
import { PullRequestId } from "../../apps/previews/Preview.ts"
import { EnvironmentUuid, ProjectUuid } from "../../apps/projects/Project.ts"
import type { Release, ServingState } from "../../apps/releases/Release.ts"
import {
  Frequency,
  longestTimeout,
  type ScheduledTask,
  ScheduledTaskUuid,
  TaskCommand
} from "../../apps/scheduled-tasks/ScheduledTask.ts"
import type { Service } from "../../apps/services/Service.ts"
import { ServiceUuid } from "../../apps/services/Service.ts"
import { type ServicePart, ServicePartUuid } from "../../apps/services/ServicePart.ts"
import { MountPath, type Storage, StorageName, StorageUuid } from "../../apps/storages/Storage.ts"
import { type SealedVariable, type Variable, VariableKey, VariableUuid } from "../../apps/variables/Variable.ts"
import { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import { AccountUuid } from "../../identity/accounts/Account.ts"
import { TeamId } from "../../identity/teams/Team.ts"
import { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import { PrivateKeyUuid } from "../../infrastructure/keys/PrivateKey.ts"
import { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"

/** A row without its id, as a bundle contains it. */
export type Moved<Row> = Omit<Row, "id">

/**
 * Returns the schema of a row: an object with exactly the given fields. The compiler requires a schema for each field of
 * the row, so that a bundle never lacks a new field.
 */
export const rowOf =
  <Row>() =>
  (columns: { readonly [Name in keyof Row]-?: Schema.Top }): Schema.Codec<Row, unknown> =>
    // BOUNDARY: the schemas check the values; the compiler only compares the names of the fields.
    Schema.Struct(columns as { readonly [name: string]: Schema.Top }) as unknown as Schema.Codec<Row, unknown>

/** Returns the schema of a value that may be null. */
export const nullable = <S extends Schema.Top>(schema: S): Schema.NullOr<S> => Schema.NullOr(schema)
/** Returns the schema of a list of limited length. */
export const many = <S extends Schema.Top>(schema: S, most: number) =>
  Schema.Array(schema).check(Schema.isMaxLength(most, { message: `Must have at most ${most} entries.` }))

/** A time in ISO 8601, as rows store it. */
export const Time = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, { message: "Must be a time in ISO 8601, UTC." })
)

/** The decrypted text of a secret, in the place of the encrypted one. */
export const Secret = text(10_000_000).pipe(Schema.brand("Sealed"))

/** The time stamps of a row. */
export const stamps = { createdAt: Time, updatedAt: Time }

/** The place of a resource. */
export const PlacementRow = rowOf<Placement>()({
  projectUuid: ProjectUuid,
  environmentUuid: EnvironmentUuid,
  environmentName: nonEmpty(line(255)),
  teamId: TeamId,
  isProtected: Schema.Boolean,
  serverUuid: ServerUuid,
  destinationUuid: DestinationUuid
})

/** A stored value of a configuration field: a value that a request may send, or the default. */
const storedValue = (name: (typeof plainFields)[number]): Schema.Top => {
  const { schema, unset } = fields[name] as { readonly schema: Schema.Top; readonly unset: unknown }
  const sent = schema as unknown as Schema.Codec<unknown>
  if (name === "git_repository") return nullable(line(2_048))
  const isSent = Schema.is(sent)
  // Fields that the variant of the application lacks are null.
  const isUnset = (value: unknown) => value === null || JSON.stringify(value) === JSON.stringify(unset)
  return Schema.Unknown.check(
    Schema.makeFilter((value: unknown) =>
      isUnset(value) || isSent(value) ? undefined : "Must be a value that an application can have."
    )
  )
}

const ConfigurationRow = rowOf<Configuration>()(
  // INVARIANT: `plainFields` are the keys of a configuration.
  Object.fromEntries(plainFields.map((name) => [name, storedValue(name)])) as {
    readonly [Name in keyof Configuration]-?: Schema.Top
  }
)

const SecretsRow = Schema.Struct(
  Object.fromEntries(
    [...secretFields, "deploy_key", "git_repository", "webhook_rotation"].map((name) => [
      name,
      Schema.optionalKey(Secret)
    ])
  )
) as unknown as Schema.Codec<Secrets, unknown>

/** An application, including the internal application of a service and that of a preview. */
export const ApplicationRow = rowOf<Moved<Application>>()({
  uuid: ApplicationUuid,
  variant: Schema.Literals([...variants, "service"]),
  placement: PlacementRow,
  forgeAppUuid: nullable(ForgeAppUuid),
  privateKeyUuid: nullable(PrivateKeyUuid),
  configuration: ConfigurationRow,
  secrets: SecretsRow,
  generatedDomain: nullable(line(2_048)),
  isDeclared: Schema.Boolean,
  ownerUuid: nullable(AccountUuid),
  ...stamps
})

const ReleasedVariable = Schema.Struct({
  uuid: Uuid,
  key: VariableKey,
  value: Secret,
  resolved: Schema.optionalKey(Secret),
  isLiteral: Schema.optionalKey(Schema.Boolean),
  isBuildtime: Schema.optionalKey(Schema.Boolean),
  isRuntime: Schema.optionalKey(Schema.Boolean)
}) as unknown as Schema.Codec<SealedVariable, unknown>

/** A release of an application. */
export const ReleaseRow = rowOf<Release>()({
  uuid: ReleaseUuid,
  applicationUuid: ApplicationUuid,
  deploymentUuid: DeploymentUuid,
  commit: line(1_000),
  commitMessage: nullable(text(10_000)),
  imageId: line(1_000),
  imagePort: nullable(whole(0, 65_535)),
  configuration: ConfigurationRow,
  generatedDomain: nullable(line(2_048)),
  secrets: SecretsRow,
  compose: nullable(Secret),
  variables: many(ReleasedVariable, 5_000),
  createdAt: Time
})

/** Which release of an application serves. */
export const ServingRow = rowOf<ServingState>()({
  applicationUuid: ApplicationUuid,
  releaseUuid: ReleaseUuid,
  deploymentUuid: DeploymentUuid,
  serverUuid: ServerUuid,
  destinationUuid: DestinationUuid,
  degraded: nullable(text(10_000)),
  unhealthy: nullable(text(10_000))
})

/** A finished deployment with a release in the bundle. */
export const DeploymentRow = rowOf<Moved<Deployment>>()({
  uuid: DeploymentUuid,
  applicationUuid: ApplicationUuid,
  applicationName: line(255),
  serverUuid: ServerUuid,
  serverName: line(255),
  destinationUuid: DestinationUuid,
  commit: line(1_000),
  commitMessage: nullable(text(10_000)),
  pullRequestId: whole(0, 2_147_483_647),
  trigger: DeploymentTrigger,
  action: DeploymentAction,
  releaseUuid: nullable(ReleaseUuid),
  force: Schema.Boolean,
  status: Schema.Literals(finalStatuses),
  reason: nullable(text(10_000)),
  imageId: nullable(line(1_000)),
  cancelRequested: Schema.Boolean,
  requestedBy: Schema.Null,
  pusher: Schema.Null,
  approvalUntil: nullable(Time),
  startsParts: many(ServicePartUuid, 1_000),
  imageTag: nullable(line(1_000)),
  startedAt: nullable(Time),
  finishedAt: nullable(Time),
  claimedBy: Schema.Null,
  leaseUntil: Schema.Null,
  ...stamps
})

const PartRow = rowOf<ServicePart>()({
  uuid: ServicePartUuid,
  name: line(255),
  type: Schema.Literals(["application", "database"]),
  composeImage: nullable(line(2_048)),
  image: nullable(line(2_048)),
  humanName: nullable(line(255)),
  description: nullable(text(10_000)),
  isExcludedFromStatus: Schema.Boolean,
  isStopped: Schema.Boolean
})

/** A service. */
export const ServiceRow = rowOf<Moved<Service>>()({
  uuid: ServiceUuid,
  name: line(255),
  description: text(10_000),
  placement: PlacementRow,
  dockerComposeRaw: text(1_000_000),
  urls: many(Schema.Struct({ name: line(255), url: text(20_000) }), 1_000),
  template: nullable(line(255)),
  templateCompose: nullable(text(1_000_000)),
  connectsToNetwork: Schema.Boolean,
  parts: many(PartRow, 1_000),
  ...stamps
})

/** A variable of an application or a database. */
export const VariableRow = rowOf<Moved<Variable>>()({
  uuid: VariableUuid,
  applicationUuid: ApplicationUuid,
  key: VariableKey,
  value: Secret,
  isLiteral: Schema.Boolean,
  isMultiline: Schema.Boolean,
  isShownOnce: Schema.Boolean,
  isPreview: Schema.Boolean,
  isBuildtime: Schema.Boolean,
  isRuntime: Schema.Boolean,
  comment: nullable(text(256)),
  ...stamps
})

/** A storage of an application or a database. */
export const StorageRow = rowOf<Moved<Storage>>()({
  uuid: StorageUuid,
  applicationUuid: ApplicationUuid,
  name: StorageName,
  mountPath: MountPath,
  service: nullable(line(255)),
  hostPath: nullable(MountPath),
  content: nullable(Secret),
  ...stamps
})

/** A scheduled task. */
export const TaskRow = rowOf<Moved<ScheduledTask>>()({
  uuid: ScheduledTaskUuid,
  applicationUuid: ApplicationUuid,
  name: line(255),
  command: TaskCommand,
  frequency: Frequency,
  container: nullable(line(255)),
  timeout: whole(1, longestTimeout),
  isEnabled: Schema.Boolean,
  dueAt: nullable(Time),
  isAsked: Schema.Boolean,
  ...stamps
})

/** The pull request that an application is the preview of. */
export const PreviewRow = rowOf<Preview>()({
  applicationUuid: ApplicationUuid,
  pullRequestId: PullRequestId,
  previewUuid: ApplicationUuid,
  branch: nullable(line(1_000)),
  createdAt: Time
})
