import { makeTransaction, Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { WorkSignal } from "@slipway/domain/deploy/runtime"
import { Effect, Layer } from "effect"
import { settingsStore } from "./administration/settings.ts"
import { additionalDestinationStore } from "./apps/additional-destinations.ts"
import { applicationStore } from "./apps/applications.ts"
import { pendingReportStore } from "./apps/commit-reports.ts"
import { deletionStore } from "./apps/deletions.ts"
import { deliveryStore } from "./apps/deliveries.ts"
import { deploymentStore } from "./apps/deployments.ts"
import { domainStore } from "./apps/domains.ts"
import { placementStore } from "./apps/placement.ts"
import { previewStore } from "./apps/previews.ts"
import { environmentStore, projectStore } from "./apps/projects.ts"
import { releaseStore } from "./apps/releases.ts"
import { scheduledTaskStore } from "./apps/scheduled-tasks.ts"
import { serviceStore } from "./apps/services.ts"
import { sharedVariableStore } from "./apps/shared-variables.ts"
import { storageStore } from "./apps/storages.ts"
import { tagStore } from "./apps/tags.ts"
import { variableStore } from "./apps/variables.ts"
import { Tables } from "./base/tables.ts"
import { backupStore } from "./databases/backups.ts"
import { databaseStore } from "./databases/databases.ts"
import { restoreStore } from "./databases/restores.ts"
import { volumeBackupStore } from "./databases/volume-backups.ts"
import { volumeRestoreStore } from "./databases/volume-restores.ts"
import { accountStore } from "./identity/accounts.ts"
import { sessionStore, signInAttemptStore } from "./identity/sessions.ts"
import { auditStore, grantStore, groupStore, invitationStore, roleStore, teamStore } from "./identity/teams.ts"
import { tokenStore } from "./identity/tokens.ts"
import { certificateAuthorityStore } from "./infrastructure/certificates.ts"
import { cleanupStore } from "./infrastructure/cleanups.ts"
import { forgeAppStore } from "./infrastructure/forge-apps.ts"
import { gitlabAppStore } from "./infrastructure/gitlab-apps.ts"
import { hostKeyStore, repositoryHostKeyStore } from "./infrastructure/host-keys.ts"
import { privateKeyStore } from "./infrastructure/keys.ts"
import { logDrainStore } from "./infrastructure/log-drains.ts"
import { metricStore } from "./infrastructure/metrics.ts"
import { notificationStore } from "./infrastructure/notifications.ts"
import { registryStore } from "./infrastructure/registries.ts"
import { s3StorageStore } from "./infrastructure/s3-storages.ts"
import { destinationStore, serverStore } from "./infrastructure/servers.ts"
import { deploymentLogStore } from "./runtime/deployment-logs.ts"

const transaction = Layer.effect(
  Transaction,
  Effect.map(Tables, ({ database }) => makeTransaction(database.run, database.run))
)

/** Provides every store of the deployment platform in memory, initially empty, and the transactions of these stores. */
export const layer: Layer.Layer<Stores> = Layer.mergeAll(
  accountStore,
  sessionStore,
  signInAttemptStore,
  applicationStore,
  auditStore,
  backupStore,
  certificateAuthorityStore,
  cleanupStore,
  databaseStore,
  deletionStore,
  deliveryStore,
  deploymentLogStore,
  deploymentStore,
  releaseStore,
  restoreStore,
  volumeBackupStore,
  volumeRestoreStore,
  variableStore,
  destinationStore,
  domainStore,
  environmentStore,
  forgeAppStore,
  grantStore,
  hostKeyStore,
  invitationStore,
  repositoryHostKeyStore,
  notificationStore,
  pendingReportStore,
  placementStore,
  additionalDestinationStore,
  previewStore,
  privateKeyStore,
  projectStore,
  gitlabAppStore,
  logDrainStore,
  metricStore,
  registryStore,
  s3StorageStore,
  groupStore,
  roleStore,
  scheduledTaskStore,
  serverStore,
  serviceStore,
  settingsStore,
  sharedVariableStore,
  storageStore,
  tagStore,
  teamStore,
  tokenStore,
  transaction,
  WorkSignal.layer
).pipe(Layer.provide(Tables.layer))
