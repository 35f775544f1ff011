import { Schema } from "effect"
import { line, nonEmpty, text, whole } from "../../apps/fields/field.ts"
import { fields } from "../../apps/fields/table.ts"
import { type Environment, EnvironmentUuid, type Project, ProjectUuid } from "../../apps/projects/Project.ts"
import { Frequency } from "../../apps/scheduled-tasks/ScheduledTask.ts"
import { type SharedVariable, SharedVariableUuid } from "../../apps/shared-variables/SharedVariable.ts"
import { StorageUuid } from "../../apps/storages/Storage.ts"
import { VariableKey } from "../../apps/variables/Variable.ts"
import { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import { limitFields } from "../../containers/engine/limits.ts"
import { type Backup, type BackupRun, BackupRunUuid, BackupUuid } from "../../databases/backups/Backup.ts"
import { type Database, DatabaseUuid } from "../../databases/Database.ts"
import { kindNames } from "../../databases/kinds.ts"
import { sslModes } from "../../databases/ssl.ts"
import {
  type VolumeBackup,
  type VolumeBackupRun,
  VolumeBackupRunUuid,
  VolumeBackupUuid
} from "../../databases/volume-backups/VolumeBackup.ts"
import { TeamId } from "../../identity/teams/Team.ts"
import { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import { type PrivateKey, PrivateKeyUuid } from "../../infrastructure/keys/PrivateKey.ts"
import { type S3Storage, S3StorageUuid } from "../../infrastructure/s3-storages/S3Storage.ts"
import { type LogDrain, logDrainTypes } from "../../infrastructure/servers/LogDrain.ts"
import {
  type Destination,
  DestinationUuid,
  EngineTransport,
  ProxyType,
  type Server,
  ServerUuid
} from "../../infrastructure/servers/Server.ts"
import { type Moved, many, nullable, PlacementRow, rowOf, Secret, stamps, Time } from "./rowSchemas.ts"

const Name = nonEmpty(line(255))
const Count = whole(0, 100_000)
const Size = Schema.Number.check(
  Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, { message: "Must be a size." })
)

const LogDrainRow = rowOf<LogDrain>()({
  type: Schema.Literals(logDrainTypes),
  isEnabled: Schema.Boolean,
  url: line(2_048),
  dataset: line(255),
  secret: nullable(Secret)
})

/** The server that a bundle moves. */
export const ServerRow = rowOf<Moved<Server>>()({
  uuid: ServerUuid,
  teamId: TeamId,
  name: Name,
  description: text(10_000),
  ip: nonEmpty(line(253)),
  port: whole(1, 65_535),
  user: nonEmpty(line(32)),
  privateKeyUuid: nullable(PrivateKeyUuid),
  isBuildServer: Schema.Boolean,
  proxyType: ProxyType,
  proxyConfiguration: nullable(text(1_000_000)),
  wildcardDomain: nullable(line(253)),
  concurrentBuilds: whole(1, 1_000),
  deploymentQueueLimit: whole(1, 100_000),
  dynamicTimeout: whole(1, 86_400),
  connectionTimeout: whole(1, 300),
  engineTransport: EngineTransport,
  engineSocket: nullable(line(255)),
  enginePort: whole(1, 65_535),
  engineAuthority: nullable(text(100_000)),
  engineCertificate: nullable(text(100_000)),
  engineKey: nullable(Secret),
  cleanupFrequency: Frequency,
  diskCheckFrequency: Frequency,
  diskThreshold: whole(1, 100),
  diskCheck: Schema.Null,
  isMetricsEnabled: Schema.Boolean,
  metricsInterval: whole(1, 86_400),
  metricsDays: whole(1, 3_650),
  isTerminalEnabled: Schema.Boolean,
  logDrains: many(LogDrainRow, logDrainTypes.length),
  validation: Schema.Null,
  transfer: Schema.Null,
  ...stamps
})

/** A destination of the server. */
export const DestinationRow = rowOf<Moved<Destination>>()({
  uuid: DestinationUuid,
  serverUuid: ServerUuid,
  teamId: TeamId,
  name: Name,
  network: nonEmpty(line(255)),
  ...stamps
})

/** A private key that the server or one of its applications uses. */
export const KeyRow = rowOf<Moved<PrivateKey>>()({
  uuid: PrivateKeyUuid,
  teamId: TeamId,
  name: Name,
  description: text(10_000),
  privateKey: Secret,
  publicKey: text(100_000),
  fingerprint: line(255),
  signsFor: nullable(line(2_048)),
  ...stamps
})

/** An S3 storage that receives backups from the server. */
export const BucketRow = rowOf<Moved<S3Storage>>()({
  uuid: S3StorageUuid,
  teamId: TeamId,
  name: Name,
  description: text(10_000),
  endpoint: nonEmpty(line(2_048)),
  region: line(255),
  bucket: nonEmpty(line(255)),
  accessKey: Secret,
  secretKey: Secret,
  isUsable: Schema.Boolean,
  recipient: nullable(line(255)),
  identity: nullable(Secret),
  ...stamps
})

/** A project of the resources on the server. */
export const ProjectRow = rowOf<Moved<Project>>()({
  uuid: ProjectUuid,
  teamId: TeamId,
  name: Name,
  description: text(10_000),
  ...stamps
})

/** An environment of the resources on the server. */
export const EnvironmentRow = rowOf<Moved<Environment>>()({
  uuid: EnvironmentUuid,
  projectUuid: ProjectUuid,
  teamId: TeamId,
  name: Name,
  description: text(10_000),
  isProtected: Schema.Boolean,
  ...stamps
})

/** A shared variable of the server, a project, an environment or the team. */
export const SharedVariableRow = rowOf<Moved<SharedVariable>>()({
  uuid: SharedVariableUuid,
  scope: Schema.Literals(["team", "project", "environment", "server"]),
  owner: line(24),
  key: VariableKey,
  value: Secret,
  isLiteral: Schema.Boolean,
  isMultiline: Schema.Boolean,
  isShownOnce: Schema.Boolean,
  comment: nullable(text(256)),
  ...stamps
})

const LimitsRow = rowOf<Database["limits"]>()(
  // INVARIANT: `limitFields` are the keys of the limits.
  Object.fromEntries(
    limitFields.map((name) => [name, fields[name].unset === null ? nullable(fields[name].schema) : fields[name].schema])
  ) as unknown as { readonly [Key in keyof Database["limits"]]-?: Schema.Top }
)

/** A database. */
export const DatabaseRow = rowOf<Moved<Database>>()({
  uuid: DatabaseUuid,
  kind: Schema.Literals(kindNames),
  name: Name,
  description: text(10_000),
  image: nonEmpty(line(2_048)),
  placement: PlacementRow,
  settings: Schema.Record(line(255), nullable(text(200_000))),
  secrets: Schema.Record(line(255), Secret),
  limits: LimitsRow,
  health: rowOf<Database["health"]>()({
    isEnabled: Schema.Boolean,
    interval: Count,
    timeout: Count,
    retries: Count,
    startPeriod: Count
  }),
  ssl: rowOf<Database["ssl"]>()({ isEnabled: Schema.Boolean, mode: nullable(Schema.Literals(sslModes)) }),
  certificateExpiresAt: nullable(Time),
  isPublic: Schema.Boolean,
  publicPort: nullable(whole(1, 65_535)),
  declaredBy: nullable(
    Schema.Struct({
      forgeLink: Schema.Struct({ forgeAppUuid: ForgeAppUuid, owner: line(255), name: line(255) }),
      name: line(255)
    })
  ),
  action: nullable(Schema.Literals(["start", "stop", "restart", "repair"])),
  state: Schema.Literals(["idle", "done", "failed"]),
  reason: nullable(text(10_000)),
  runUuid: nullable(DeploymentUuid),
  servingUuid: nullable(DeploymentUuid),
  unhealthy: nullable(text(10_000)),
  claimedBy: Schema.Null,
  leaseUntil: Schema.Null,
  ...stamps
})

const due = { frequency: Frequency, isEnabled: Schema.Boolean, dueAt: nullable(Time), isAsked: Schema.Boolean }

/** A backup schedule of a database. */
export const BackupRow = rowOf<Moved<Backup>>()({
  uuid: BackupUuid,
  databaseUuid: DatabaseUuid,
  ...due,
  keeps: Count,
  keepsDays: Count,
  keepsGigabytes: Size,
  s3StorageUuid: nullable(S3StorageUuid),
  savesToS3: Schema.Boolean,
  isOnlyInS3: Schema.Boolean,
  s3Keeps: Count,
  s3KeepsDays: Count,
  s3KeepsGigabytes: Size,
  databases: many(line(255), 100),
  dumpsAll: Schema.Boolean,
  timeout: whole(1, 1_000_000),
  ...stamps
})

const ended = {
  status: Schema.Literals(["success", "failed"]),
  message: nullable(text(100_000)),
  startedAt: Time,
  finishedAt: nullable(Time)
}
const StoredObject = nullable(
  Schema.Struct({ storageUuid: S3StorageUuid, key: line(2_048), isLeftover: Schema.optionalKey(Schema.Boolean) })
)

/** A finished backup of a database. */
export const BackupRunRow = rowOf<BackupRun>()({
  uuid: BackupRunUuid,
  backupUuid: BackupUuid,
  ...ended,
  size: nullable(Size),
  dumpsAll: Schema.Boolean,
  databases: many(line(255), 100),
  image: nullable(line(2_048)),
  isLocal: nullable(Schema.Boolean),
  object: StoredObject
})

/** A backup schedule of a storage. */
export const VolumeBackupRow = rowOf<Moved<VolumeBackup>>()({
  uuid: VolumeBackupUuid,
  storageUuid: StorageUuid,
  ...due,
  s3StorageUuid: S3StorageUuid,
  s3Keeps: Count,
  s3KeepsDays: Count,
  s3KeepsGigabytes: Size,
  timeout: whole(1, 1_000_000),
  ...stamps
})

/** A finished backup of a storage. */
export const VolumeBackupRunRow = rowOf<VolumeBackupRun>()({
  uuid: VolumeBackupRunUuid,
  backupUuid: VolumeBackupUuid,
  ...ended,
  size: nullable(Size),
  object: StoredObject
})
