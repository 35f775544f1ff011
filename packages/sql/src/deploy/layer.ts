import type { Stores } from "@slipway/domain/deploy"
import { WorkSignal } from "@slipway/domain/deploy/runtime"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import { layerDatabaseRoom } from "../database/diskSpace.ts"
import { layerRequestCounts } from "../database/requestCounts.ts"
import { layerTransaction } from "../Transaction.ts"
import { layerSettings } from "./administration/settings.ts"
import { layerAdditionalDestinations } from "./apps/additional-destinations.ts"
import { layerApplications } from "./apps/applications.ts"
import { layerPendingReports } from "./apps/commit-reports.ts"
import { layerDeletions } from "./apps/deletions.ts"
import { layerDeliveries } from "./apps/deliveries.ts"
import { layerDeployments } from "./apps/deployments.ts"
import { layerDomains } from "./apps/domains.ts"
import { layerPlacement } from "./apps/placement.ts"
import { layerPreviews } from "./apps/previews.ts"
import { layerEnvironments, layerProjects } from "./apps/projects.ts"
import { layerReleases } from "./apps/releases.ts"
import { layerScheduledTasks } from "./apps/scheduled-tasks.ts"
import { layerServices } from "./apps/services.ts"
import { layerSharedVariables } from "./apps/shared-variables.ts"
import { layerStorages } from "./apps/storages.ts"
import { layerTags } from "./apps/tags.ts"
import { layerVariables } from "./apps/variables.ts"
import { layerBackups } from "./databases/backups.ts"
import { layerDatabases } from "./databases/databases.ts"
import { layerRestores } from "./databases/restores.ts"
import { layerVolumeBackups } from "./databases/volume-backups.ts"
import { layerVolumeRestores } from "./databases/volume-restores.ts"
import { layerAccounts } from "./identity/accounts.ts"
import { layerGrants, layerGroups, layerInvitations, layerRoles } from "./identity/grants.ts"
import { layerSessions, layerSignInAttempts } from "./identity/sessions.ts"
import { layerAudit, layerTeams } from "./identity/teams.ts"
import { layerTokens } from "./identity/tokens.ts"
import { layerCertificateAuthorities } from "./infrastructure/certificates.ts"
import { layerCleanups } from "./infrastructure/cleanups.ts"
import { layerForgeApps } from "./infrastructure/forge-apps.ts"
import { layerGitlabApps } from "./infrastructure/gitlab-apps.ts"
import { layerHostKeys, layerRepositoryHostKeys } from "./infrastructure/host-keys.ts"
import { layerKeys } from "./infrastructure/keys.ts"
import { layerLogDrains } from "./infrastructure/log-drains.ts"
import { layerMetrics } from "./infrastructure/metrics.ts"
import { layerNotifications } from "./infrastructure/notifications.ts"
import { layerRegistries } from "./infrastructure/registries.ts"
import { layerS3Storages } from "./infrastructure/s3-storages.ts"
import { layerDestinations, layerServers } from "./infrastructure/servers.ts"
import { migrations } from "./migrations/index.ts"
import { layerDeploymentLogs } from "./runtime/deployment-logs.ts"

export { migrations }

/** Provides the stores of the deployment platform, in a database that is already migrated. */
export const layerStores: Layer.Layer<Stores, never, SqlClient> = Layer.mergeAll(
  layerTransaction,
  WorkSignal.layer,
  layerCertificateAuthorities,
  layerProjects,
  layerEnvironments,
  layerKeys,
  layerServers,
  layerDestinations,
  layerGrants,
  layerHostKeys,
  layerInvitations,
  layerRepositoryHostKeys,
  layerForgeApps,
  layerApplications,
  layerAudit,
  layerServices,
  layerDomains,
  layerPlacement,
  layerGroups,
  layerRoles,
  layerTags,
  layerTeams,
  layerDeployments,
  layerBackups,
  layerRestores,
  layerVolumeBackups,
  layerVolumeRestores,
  layerCleanups,
  layerDatabases,
  layerDeletions,
  layerNotifications,
  layerPendingReports,
  layerDeliveries,
  layerDeploymentLogs,
  layerReleases,
  layerGitlabApps,
  layerLogDrains,
  layerMetrics,
  layerRegistries,
  layerS3Storages,
  layerAdditionalDestinations,
  layerPreviews,
  layerVariables,
  layerSettings,
  layerScheduledTasks,
  layerSharedVariables,
  layerStorages,
  layerAccounts,
  layerSessions,
  layerSignInAttempts,
  layerTokens
)

/** Opens the database of an address, migrates it, and provides the stores of the deployment platform. */
export const layer = (
  address: SqlAddress,
  options: Pick<Database.DatabaseOptions, "maxConnections"> = {}
): Layer.Layer<Stores, Database.DatabaseError> =>
  Layer.provide(
    address._tag === "Server" ? Layer.mergeAll(layerStores, layerDatabaseRoom, layerRequestCounts) : layerStores,
    Database.layer(address, { ...options, schema: "deploy", migrations })
  )
