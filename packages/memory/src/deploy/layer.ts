import { makeTransaction, Transaction } from "@slipway/domain"
import { type Stores, WorkSignal } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { applicationStore } from "./applications.ts"
import { backupStore } from "./backups.ts"
import { cleanupStore } from "./cleanups.ts"
import { databaseStore } from "./databases.ts"
import { deletionStore } from "./deletions.ts"
import { deliveryStore } from "./deliveries.ts"
import { deploymentLogStore } from "./deployment-logs.ts"
import { deploymentStore } from "./deployments.ts"
import { domainStore } from "./domains.ts"
import { forgeAppStore } from "./forge-apps.ts"
import { hostKeyStore, repositoryHostKeyStore } from "./host-keys.ts"
import { privateKeyStore } from "./keys.ts"
import { placementStore } from "./placement.ts"
import { previewStore } from "./previews.ts"
import { environmentStore, projectStore } from "./projects.ts"
import { releaseStore } from "./releases.ts"
import { scheduledTaskStore } from "./scheduled-tasks.ts"
import { destinationStore, serverStore } from "./servers.ts"
import { serviceStore } from "./services.ts"
import { settingsStore } from "./settings.ts"
import { sharedVariableStore } from "./shared-variables.ts"
import { storageStore } from "./storages.ts"
import { Tables } from "./tables.ts"
import { tagStore } from "./tags.ts"
import { tokenStore } from "./tokens.ts"
import { variableStore } from "./variables.ts"

const transaction = Layer.effect(
  Transaction,
  Effect.map(Tables, ({ database }) => makeTransaction(database.run, database.run))
)

/** Every store of the deployment platform in memory, empty at first, and their transactions. */
export const layer: Layer.Layer<Stores> = Layer.mergeAll(
  applicationStore,
  backupStore,
  cleanupStore,
  databaseStore,
  deletionStore,
  deliveryStore,
  deploymentLogStore,
  deploymentStore,
  releaseStore,
  variableStore,
  destinationStore,
  domainStore,
  environmentStore,
  forgeAppStore,
  hostKeyStore,
  repositoryHostKeyStore,
  placementStore,
  previewStore,
  privateKeyStore,
  projectStore,
  scheduledTaskStore,
  serverStore,
  serviceStore,
  settingsStore,
  sharedVariableStore,
  storageStore,
  tagStore,
  tokenStore,
  transaction,
  WorkSignal.layer
).pipe(Layer.provide(Tables.layer))
