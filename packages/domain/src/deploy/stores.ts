import type { Transaction } from "../Transaction.ts"
import type { ApplicationStore } from "./applications/ApplicationStore.ts"
import type { BackupStore } from "./backups/BackupStore.ts"
import type { CleanupStore } from "./cleanups/CleanupStore.ts"
import type { DatabaseStore } from "./databases/DatabaseStore.ts"
import type { DeletionStore } from "./deletions/DeletionStore.ts"
import type { DeploymentStore } from "./deployments/DeploymentStore.ts"
import type { DomainStore } from "./domains/DomainStore.ts"
import type { ForgeAppStore } from "./forge-apps/ForgeAppStore.ts"
import type { PrivateKeyStore } from "./keys/PrivateKeyStore.ts"
import type { DeploymentLogStore } from "./logs/DeploymentLogStore.ts"
import type { WorkSignal } from "./pipeline/WorkSignal.ts"
import type { PlacementStore } from "./placement/PlacementStore.ts"
import type { PreviewStore } from "./previews/PreviewStore.ts"
import type { EnvironmentStore, ProjectStore } from "./projects/ProjectStore.ts"
import type { ReleaseStore } from "./releases/ReleaseStore.ts"
import type { ScheduledTaskStore } from "./scheduled-tasks/ScheduledTaskStore.ts"
import type { HostKeyStore } from "./servers/HostKeyStore.ts"
import type { DestinationStore, ServerStore } from "./servers/ServerStore.ts"
import type { ServiceStore } from "./services/ServiceStore.ts"
import type { SettingsStore } from "./settings/SettingsStore.ts"
import type { SharedVariableStore } from "./shared-variables/SharedVariableStore.ts"
import type { RepositoryHostKeyStore } from "./sources/RepositoryHostKeyStore.ts"
import type { StorageStore } from "./storages/StorageStore.ts"
import type { TagStore } from "./tags/TagStore.ts"
import type { TokenStore } from "./tokens/TokenStore.ts"
import type { VariableStore } from "./variables/VariableStore.ts"
import type { DeliveryStore } from "./webhooks/DeliveryStore.ts"

/** Everything that a store of the deployment platform provides. */
export type Stores =
  | ApplicationStore
  | CleanupStore
  | BackupStore
  | DatabaseStore
  | DeletionStore
  | DeliveryStore
  | DeploymentLogStore
  | DeploymentStore
  | DestinationStore
  | DomainStore
  | EnvironmentStore
  | ForgeAppStore
  | HostKeyStore
  | PlacementStore
  | PreviewStore
  | PrivateKeyStore
  | ProjectStore
  | ReleaseStore
  | RepositoryHostKeyStore
  | ScheduledTaskStore
  | ServerStore
  | ServiceStore
  | SettingsStore
  | SharedVariableStore
  | StorageStore
  | TagStore
  | TokenStore
  | VariableStore
  | Transaction
  | WorkSignal
