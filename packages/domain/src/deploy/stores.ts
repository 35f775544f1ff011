import type { Transaction } from "../Transaction.ts"
import type { SettingsStore } from "./administration/settings/SettingsStore.ts"
import type { AdditionalDestinationStore } from "./apps/additional-destinations/AdditionalDestinationStore.ts"
import type { ApplicationStore } from "./apps/applications/ApplicationStore.ts"
import type { PendingReportStore } from "./apps/commit-reports/PendingReportStore.ts"
import type { DeletionStore } from "./apps/deletions/DeletionStore.ts"
import type { DeploymentStore } from "./apps/deployments/DeploymentStore.ts"
import type { DomainStore } from "./apps/domains/DomainStore.ts"
import type { PlacementStore } from "./apps/placement/PlacementStore.ts"
import type { PreviewStore } from "./apps/previews/PreviewStore.ts"
import type { EnvironmentStore, ProjectStore } from "./apps/projects/ProjectStore.ts"
import type { ReleaseStore } from "./apps/releases/ReleaseStore.ts"
import type { ScheduledTaskStore } from "./apps/scheduled-tasks/ScheduledTaskStore.ts"
import type { ServiceStore } from "./apps/services/ServiceStore.ts"
import type { SharedVariableStore } from "./apps/shared-variables/SharedVariableStore.ts"
import type { RepositoryHostKeyStore } from "./apps/sources/RepositoryHostKeyStore.ts"
import type { StorageStore } from "./apps/storages/StorageStore.ts"
import type { TagStore } from "./apps/tags/TagStore.ts"
import type { VariableStore } from "./apps/variables/VariableStore.ts"
import type { DeliveryStore } from "./apps/webhooks/DeliveryStore.ts"
import type { BackupStore } from "./databases/backups/BackupStore.ts"
import type { RestoreStore } from "./databases/backups/RestoreStore.ts"
import type { DatabaseStore } from "./databases/DatabaseStore.ts"
import type { VolumeBackupStore } from "./databases/volume-backups/VolumeBackupStore.ts"
import type { VolumeRestoreStore } from "./databases/volume-backups/VolumeRestore.ts"
import type { AccountStore } from "./identity/accounts/AccountStore.ts"
import type { AuditStore } from "./identity/audit/AuditStore.ts"
import type { GrantStore } from "./identity/grants/GrantStore.ts"
import type { GroupStore } from "./identity/groups/GroupStore.ts"
import type { InvitationStore } from "./identity/invitations/InvitationStore.ts"
import type { RoleStore } from "./identity/roles/RoleStore.ts"
import type { SessionStore } from "./identity/sessions/SessionStore.ts"
import type { SignInAttemptStore } from "./identity/sessions/SignInAttemptStore.ts"
import type { TeamStore } from "./identity/teams/TeamStore.ts"
import type { TokenStore } from "./identity/tokens/TokenStore.ts"
import type { CertificateAuthorityStore } from "./infrastructure/certificates/CertificateAuthority.ts"
import type { CleanupStore } from "./infrastructure/cleanups/CleanupStore.ts"
import type { ForgeAppStore } from "./infrastructure/forge-apps/ForgeAppStore.ts"
import type { GitlabAppStore } from "./infrastructure/gitlab-apps/GitlabAppStore.ts"
import type { PrivateKeyStore } from "./infrastructure/keys/PrivateKeyStore.ts"
import type { LogDrainStore } from "./infrastructure/log-drains/LogDrainStore.ts"
import type { MetricStore } from "./infrastructure/metrics/Metrics.ts"
import type { TeamNotificationStore } from "./infrastructure/notifications/TeamNotificationStore.ts"
import type { RegistryStore } from "./infrastructure/registries/RegistryStore.ts"
import type { S3StorageStore } from "./infrastructure/s3-storages/S3StorageStore.ts"
import type { HostKeyStore } from "./infrastructure/servers/HostKeyStore.ts"
import type { DestinationStore, ServerStore } from "./infrastructure/servers/ServerStore.ts"
import type { DeploymentLogStore } from "./runtime/logs/DeploymentLogStore.ts"
import type { WorkSignal } from "./runtime/pipeline/WorkSignal.ts"

/** The union of all store ports of the deployment platform, which a storage implementation must provide. */
export type Stores =
  | AccountStore
  | AdditionalDestinationStore
  | ApplicationStore
  | AuditStore
  | CleanupStore
  | BackupStore
  | CertificateAuthorityStore
  | DatabaseStore
  | DeletionStore
  | DeliveryStore
  | DeploymentLogStore
  | DeploymentStore
  | DestinationStore
  | DomainStore
  | EnvironmentStore
  | ForgeAppStore
  | GitlabAppStore
  | GrantStore
  | HostKeyStore
  | InvitationStore
  | LogDrainStore
  | MetricStore
  | TeamNotificationStore
  | PendingReportStore
  | PlacementStore
  | PreviewStore
  | PrivateKeyStore
  | ProjectStore
  | RegistryStore
  | ReleaseStore
  | RestoreStore
  | VolumeBackupStore
  | VolumeRestoreStore
  | RepositoryHostKeyStore
  | GroupStore
  | RoleStore
  | S3StorageStore
  | ScheduledTaskStore
  | ServerStore
  | ServiceStore
  | SessionStore
  | SettingsStore
  | SharedVariableStore
  | SignInAttemptStore
  | StorageStore
  | TagStore
  | TeamStore
  | TokenStore
  | VariableStore
  | Transaction
  | WorkSignal
