import { type Kind, relations } from "@slipway/domain/deploy"
import type { Settings } from "@slipway/domain/deploy/administration"
import type {
  AdditionalDestination,
  Application,
  Deletion,
  Delivery,
  Deployment,
  Environment,
  Execution,
  Preview,
  Project,
  Release,
  ScheduledTask,
  Service,
  ServingState,
  SharedVariable,
  Storage,
  Tag,
  Variable
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type {
  Backup,
  BackupRun,
  Database as DatabaseRow,
  Restore,
  RestoreRun,
  VolumeBackup,
  VolumeBackupRun,
  VolumeRestore,
  VolumeRestoreRun
} from "@slipway/domain/deploy/databases"
import type {
  Account,
  AccountGroup,
  AuditRecord,
  Grant,
  GroupMember,
  Identity,
  Invitation,
  Member,
  Role,
  Session,
  Token
} from "@slipway/domain/deploy/identity"
import type {
  CertificateAuthority,
  ChannelSettings,
  Cleanup,
  Destination,
  DrainClaim,
  DrainProgress,
  ForgeApp,
  GitlabApp,
  MetricSample,
  PrivateKey,
  Registry,
  S3Storage,
  Server,
  ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import type { DeploymentLine } from "@slipway/domain/deploy/runtime"
import { Context, Layer } from "effect"
import { Database } from "../../Database.ts"
import { failureTable } from "../../sign-in/failures.ts"
import { Table } from "../../Table.ts"
import type { ClaimedRow } from "./due.ts"
import {
  channelKey,
  deliveredKey,
  factOf,
  holderKey,
  hostKeyKey,
  identityKey,
  joined,
  listedKey,
  memberKey,
  ownerKey,
  previewKey,
  taggingKey
} from "./keys.ts"
import type {
  ClaimRow,
  ConditionRow,
  HostKeyRow,
  NotificationRow,
  PasswordRow,
  PendingReportRow,
  RepositoryHostKeyRow,
  TaggingRow,
  TeamRow,
  UsedStateRow
} from "./rows.ts"
import { byUuid, tableOf } from "./tableOf.ts"

const makeTables = () => {
  const kinds = {
    account: tableOf<Account>("account"),
    accountGroup: tableOf<AccountGroup>("accountGroup"),
    application: tableOf<Application>("application"),
    database: tableOf<DatabaseRow>("database"),
    deletion: tableOf<Deletion>("deletion"),
    deployment: tableOf<Deployment>("deployment"),
    destination: tableOf<Destination>("destination"),
    environment: tableOf<Environment>("environment"),
    forgeApp: tableOf<ForgeApp>("forgeApp"),
    gitlabApp: tableOf<GitlabApp>("gitlabApp"),
    registry: tableOf<Registry>("registry"),
    s3Storage: tableOf<S3Storage>("s3Storage"),
    invitation: tableOf<Invitation>("invitation"),
    privateKey: tableOf<PrivateKey>("privateKey"),
    project: tableOf<Project>("project"),
    role: tableOf<Role>("role"),
    roleGrant: tableOf<Grant>("roleGrant"),
    server: tableOf<Server>("server"),
    service: tableOf<Service>("service"),
    tag: tableOf<Tag>("tag"),
    token: tableOf<Token>("token")
  } satisfies Record<Kind, unknown>
  // BOUNDARY: the relations name the facts of every type, which the types of their rows differ in.
  const byKind = kinds as unknown as Readonly<Record<Kind, Table<{ readonly id: number }>>>
  for (const { fact, from, onRemove, to } of relations) {
    byKind[from].refer((row) => factOf(row, fact), byKind[to], onRemove)
  }

  for (const type of ["project", "environment", "application", "database", "service"] as const) {
    for (const table of [kinds.roleGrant, kinds.invitation] as ReadonlyArray<Table<Grant | Invitation>>) {
      table.refer((row) => (row.placeType === type ? row.placeUuid : null), byKind[type], "removes")
    }
  }
  const team = new Table<TeamRow>("team", [])
  const member = new Table<Member & { readonly id: number }>("member", [
    { of: "member", key: (row) => memberKey(row.teamId, row.accountUuid) }
  ])
  member.refer((row) => row.accountUuid, kinds.account, "removes")
  const groupMember = new Table<GroupMember & { readonly id: number }>("groupMember", [
    { of: "groupMember", key: (row) => joined(row.groupUuid, row.accountUuid) }
  ])
  kinds.roleGrant.refer((row) => row.groupUuid, kinds.accountGroup, "removes")
  groupMember.refer((row) => row.groupUuid, kinds.accountGroup, "removes")
  groupMember.refer((row) => memberKey(row.teamId, row.accountUuid), member, "removes")
  const audit = new Table<AuditRecord>("audit", [])

  const claim = new Table<ClaimRow>("claim", [{ of: "claim", key: (row) => joined(row.type, row.uuid, row.key) }])
  claim.refer((row) => (row.type === "application" ? row.uuid : null), kinds.application, "removes")
  claim.refer((row) => (row.type === "service" ? row.uuid : null), kinds.service, "removes")

  const tagging = new Table<TaggingRow>("tagging", [
    { of: "tagging", key: (row) => taggingKey(row.application, row.tag) }
  ])
  tagging.refer((row) => row.application, [kinds.application, kinds.database], "removes")
  tagging.refer((row) => row.tag, kinds.tag, "removes")

  const identity = new Table<Identity & { readonly id: number }>("identity", [
    { of: "identity", key: identityKey },
    { of: "identity.uuid", key: (row) => row.uuid }
  ])
  identity.refer((row) => row.accountUuid, kinds.account, "removes")

  const password = new Table<PasswordRow>("password", [{ of: "password", key: (row) => row.accountUuid }])
  password.refer((row) => row.accountUuid, kinds.account, "removes")

  const session = new Table<Session & { readonly id: number }>("session", [
    { of: "session.uuid", key: (row) => row.uuid },
    { of: "session.hash", key: (row) => row.hash }
  ])
  session.refer((row) => row.accountUuid, kinds.account, "removes")

  const pendingReport = new Table<PendingReportRow>("pendingReport", [
    { of: "pendingReport.uuid", key: (row) => row.uuid }
  ])
  const notification = new Table<NotificationRow>("notification", [{ of: "notification.uuid", key: (row) => row.uuid }])
  const condition = new Table<ConditionRow>("condition", [{ of: "condition.topic", key: (row) => row.topic }])
  const channel = new Table<ChannelSettings & { readonly id: number }>("channel", [
    { of: "channel", key: (row) => channelKey(row.teamId, row.channel) }
  ])

  const certificateAuthority = new Table<CertificateAuthority & { readonly id: number }>("certificateAuthority", [
    { of: "certificateAuthority.team", key: (row) => String(row.teamId) }
  ])
  const hostKey = new Table<HostKeyRow>("hostKey", [
    { of: "hostKey", key: (row) => hostKeyKey(row.server, row.address) }
  ])
  hostKey.refer((row) => row.server, kinds.server, "removes")

  const repositoryHostKey = new Table<RepositoryHostKeyRow>("repositoryHostKey", [
    { of: "repositoryHostKey", key: (row) => row.address }
  ])

  const release = new Table<Release & { readonly id: number }>("release", [
    { of: "release.uuid", key: (row) => row.uuid },
    { of: "release.deployment", key: (row) => row.deploymentUuid }
  ])
  release.refer((row) => row.applicationUuid, kinds.application, "removes")

  const serving = new Table<ServingState & { readonly id: number }>("serving", [
    { of: "serving", key: (row) => row.applicationUuid }
  ])
  serving.refer((row) => row.applicationUuid, kinds.application, "removes")

  const variable = new Table<Variable>("variable", [
    { of: "variable.uuid", key: (row) => row.uuid },
    { of: "variable.key", key: (row) => joined(row.applicationUuid, row.key, String(row.isPreview)) }
  ])
  variable.refer((row) => row.applicationUuid, [kinds.application, kinds.database], "removes")

  const storage = new Table<Storage>("storage", [
    { of: "storage.uuid", key: (row) => row.uuid },
    { of: "storage.path", key: (row) => joined(row.applicationUuid, row.service, row.mountPath) }
  ])
  storage.refer((row) => row.applicationUuid, [kinds.application, kinds.database], "removes")

  const preview = new Table<Preview & { readonly id: number }>("preview", [
    { of: "preview.uuid", key: (row) => row.previewUuid },
    { of: "preview.pullRequest", key: (row) => previewKey(row.applicationUuid, row.pullRequestId) }
  ])
  preview.refer((row) => row.applicationUuid, kinds.application, "removes")
  preview.refer((row) => row.previewUuid, kinds.application, "removes")

  const additionalDestination = new Table<AdditionalDestination & { readonly id: number }>("additionalDestination", [
    { of: "additionalDestination.copy", key: (row) => row.copyUuid }
  ])
  additionalDestination.refer((row) => row.applicationUuid, kinds.application, "removes")
  additionalDestination.refer((row) => row.copyUuid, kinds.application, "removes")

  const sharedVariable = new Table<SharedVariable>("sharedVariable", [
    { of: "sharedVariable.uuid", key: (row) => row.uuid },
    { of: "sharedVariable.key", key: (row) => joined(row.scope, row.owner, row.key) }
  ])
  for (const scope of ["environment", "project", "server"] as const) {
    sharedVariable.refer((row) => (row.scope === scope ? row.owner : null), kinds[scope], "removes")
  }

  const task = new Table<ScheduledTask & ClaimedRow>("task", [{ of: "task.uuid", key: (row) => row.uuid }])
  task.refer((row) => row.applicationUuid, kinds.application, "removes")
  const execution = new Table<Execution & { readonly id: number }>("execution", [
    { of: "execution.uuid", key: (row) => row.uuid }
  ])
  execution.refer((row) => row.taskUuid, task, "removes")

  const backup = new Table<Backup & ClaimedRow>("backup", [{ of: "backup.uuid", key: (row) => row.uuid }])
  backup.refer((row) => row.databaseUuid, kinds.database, "removes")
  backup.refer((row) => row.s3StorageUuid, kinds.s3Storage, "refused")
  const backupRun = new Table<BackupRun & { readonly id: number }>("backupRun", [
    { of: "backupRun.uuid", key: (row) => row.uuid }
  ])
  backupRun.refer((row) => row.backupUuid, backup, "removes")

  const restore = new Table<Restore & ClaimedRow>("restore", [{ of: "restore.uuid", key: (row) => row.uuid }])
  restore.refer((row) => row.databaseUuid, kinds.database, "removes")
  const restoreRun = byUuid<RestoreRun & { readonly id: number }>("restoreRun")
  restoreRun.refer((row) => row.restoreUuid, restore, "removes")

  const volumeBackup = new Table<VolumeBackup & ClaimedRow>("volumeBackup", [
    { of: "volumeBackup.uuid", key: (row) => row.uuid },
    { of: "volumeBackup.storage", key: (row) => row.storageUuid }
  ])
  volumeBackup.refer((row) => row.storageUuid, storage, "removes")
  volumeBackup.refer((row) => row.s3StorageUuid, kinds.s3Storage, "refused")
  const volumeBackupRun = byUuid<VolumeBackupRun & { readonly id: number }>("volumeBackupRun")
  volumeBackupRun.refer((row) => row.backupUuid, volumeBackup, "removes")

  const volumeRestore = byUuid<VolumeRestore & ClaimedRow>("volumeRestore")
  volumeRestore.refer((row) => row.storageUuid, storage, "removes")
  const volumeRestoreRun = byUuid<VolumeRestoreRun & { readonly id: number }>("volumeRestoreRun")
  volumeRestoreRun.refer((row) => row.restoreUuid, volumeRestore, "removes")

  const cleanup = new Table<Cleanup & { readonly id: number }>("cleanup", [
    { of: "cleanup.uuid", key: (row) => row.uuid }
  ])
  cleanup.refer((row) => row.serverUuid, kinds.server, "removes")

  const metric = new Table<{ readonly id: number; readonly sample: MetricSample }>("metric", [])
  metric.refer((row) => row.sample.serverUuid, kinds.server, "removes")

  const drainProgress = new Table<{
    readonly id: number
    readonly server: ServerUuid
    readonly progress: DrainProgress
  }>("drainProgress", [])
  drainProgress.refer((row) => row.server, kinds.server, "removes")
  const drainClaim = new Table<{ readonly id: number; readonly server: ServerUuid; readonly claim: DrainClaim }>(
    "drainClaim",
    [{ of: "drainClaim", key: (row) => row.server }]
  )
  drainClaim.refer((row) => row.server, kinds.server, "removes")

  const delivery = new Table<Delivery & { readonly id: number }>("delivery", [
    { of: "delivery.uuid", key: (row) => row.uuid },
    { of: "delivery.body", key: deliveredKey }
  ])
  delivery.refer((row) => row.applicationUuid, kinds.application, "removes")

  const line = new Table<DeploymentLine & { readonly deployment: DeploymentUuid }>("line", [])

  // The field `database` contains all tables.
  const { database: databases, ...others } = kinds
  return {
    ...others,
    databases,
    release,
    releasesOfApplication: release.index({ key: (row) => row.applicationUuid, order: (row) => -row.id }),
    serving,
    variable,
    variablesOfApplication: variable.index({ key: (row) => row.applicationUuid }),
    storage,
    storagesOfApplication: storage.index({ key: (row) => row.applicationUuid }),
    preview,
    previewsOfApplication: preview.index({ key: (row) => row.applicationUuid, order: (row) => row.pullRequestId }),
    additionalDestination,
    destinationsOfApplication: additionalDestination.index({ key: (row) => row.applicationUuid }),
    sharedVariable,
    sharedVariablesOfOwner: sharedVariable.index({ key: ownerKey }),
    task,
    tasksOfApplication: task.index({ key: (row) => row.applicationUuid }),
    execution,
    executionsOfTask: execution.index({ key: (row) => row.taskUuid, order: (row) => -row.id }),
    backup,
    backupsOfDatabase: backup.index({ key: (row) => row.databaseUuid }),
    backupRun,
    backupRunsOf: backupRun.index({ key: (row) => row.backupUuid, order: (row) => -row.id }),
    restore,
    restoresOfDatabase: restore.index({ key: (row) => row.databaseUuid, order: (row) => -row.id }),
    restoreRun,
    restoreRunsOf: restoreRun.index({ key: (row) => row.restoreUuid, order: (row) => -row.id }),
    gitlabAppsOfTeam: kinds.gitlabApp.index({ key: (row) => String(row.teamId) }),
    registriesOfTeam: kinds.registry.index({ key: (row) => String(row.teamId) }),
    volumeBackup,
    volumeBackupRun,
    volumeRestore,
    volumeRestoresOfStorage: volumeRestore.index({ key: (row) => row.storageUuid, order: (row) => -row.id }),
    volumeRestoreRun,
    volumeRestoreRunsOf: volumeRestoreRun.index({ key: (row) => row.restoreUuid, order: (row) => -row.id }),
    volumeBackupRunsOf: volumeBackupRun.index({ key: (row) => row.backupUuid, order: (row) => -row.id }),
    cleanup,
    cleanupsOfServer: cleanup.index({ key: (row) => row.serverUuid, order: (row) => -row.id }),
    drainClaim,
    drainProgress,
    drainProgressOfServer: drainProgress.index({ key: (row) => row.server }),
    metric,
    metricsOfServer: metric.index({ key: (row) => row.sample.serverUuid }),
    metricsOfApplication: metric.index({ key: (row) => row.sample.applicationUuid }),
    delivery,
    deliveriesOfApplication: delivery.index({ key: (row) => row.applicationUuid, order: (row) => -row.id }),
    line,
    linesOfDeployment: line.index({ key: (row) => row.deployment }),
    audit,
    certificateAuthority,
    channel,
    claim,
    condition,
    groupMember,
    hostKey,
    identity,
    identitiesOfAccount: identity.index({ key: (row) => row.accountUuid }),
    member,
    notification,
    password,
    failure: failureTable(),
    session,
    sessionsByHash: session.index({ key: (row) => row.hash }),
    sessionsOfAccount: session.index({ key: (row) => row.accountUuid }),
    usedState: new Table<UsedStateRow>("usedState", [{ of: "usedState", key: (row) => row.hash }]),
    tokensOfAccount: kinds.token.index({ key: (row) => row.accountUuid }),
    pendingReport,
    repositoryHostKey,
    hostKeysOfServer: hostKey.index({ key: (row) => row.server }),
    tagging,
    team,
    settings: new Table<Settings & { readonly id: number }>("settings", [{ of: "settings", key: () => "" }]),
    claimsOfDomain: claim.index({ key: (row) => row.key }),
    claimsOfHolder: claim.index({ key: (row) => holderKey(row.type, row.uuid) }),
    taggingsOfApplication: tagging.index({ key: (row) => row.application }),
    taggingsOfTag: tagging.index({
      key: (row) => (row.place === null ? null : row.tag),
      order: (row) => row.place ?? row.id
    }),
    listedApplications: kinds.application.index({ key: ({ variant }) => (variant === "service" ? null : listedKey) }),
    environmentsOfProject: kinds.environment.index({ key: (row) => row.projectUuid }),
    destinationsOfServer: kinds.destination.index({ key: (row) => row.serverUuid }),
    deletionsOfApplication: kinds.deletion.index({ key: (row) => row.applicationUuid }),
    // Newest first.
    deploymentsOfApplication: kinds.deployment.index({ key: (row) => row.applicationUuid, order: (row) => -row.id })
  }
}

/** The tables of the deployment platform and the database that holds their rows. */
export class Tables extends Context.Service<Tables, ReturnType<typeof makeTables> & { readonly database: Database }>()(
  "@slipway/memory/deploy/Tables"
) {
  static readonly layer = Layer.sync(Tables, () => ({ ...makeTables(), database: new Database() }))
}
