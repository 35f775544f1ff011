import { type Stores, WorkSignal } from "@slipway/domain/deploy"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import { layerRequestCounts } from "../database/requestCounts.ts"
import { layerDatabaseRoom } from "../database/room.ts"
import { layerTransaction } from "../Transaction.ts"
import { layerApplications } from "./applications.ts"
import { layerBackups } from "./backups.ts"
import { layerCleanups } from "./cleanups.ts"
import { layerDatabases } from "./databases.ts"
import { layerDeletions } from "./deletions.ts"
import { layerDeliveries } from "./deliveries.ts"
import { layerDeploymentLogs } from "./deployment-logs.ts"
import { layerDeployments } from "./deployments.ts"
import { layerDomains } from "./domains.ts"
import { layerForgeApps } from "./forge-apps.ts"
import { layerHostKeys, layerRepositoryHostKeys } from "./host-keys.ts"
import { layerKeys } from "./keys.ts"
import { migrations } from "./migrations/index.ts"
import { layerPlacement } from "./placement.ts"
import { layerPreviews } from "./previews.ts"
import { layerEnvironments, layerProjects } from "./projects.ts"
import { layerReleases } from "./releases.ts"
import { layerScheduledTasks } from "./scheduled-tasks.ts"
import { layerDestinations, layerServers } from "./servers.ts"
import { layerServices } from "./services.ts"
import { layerSettings } from "./settings.ts"
import { layerSharedVariables } from "./shared-variables.ts"
import { layerStorages } from "./storages.ts"
import { layerTags } from "./tags.ts"
import { layerTokens } from "./tokens.ts"
import { layerVariables } from "./variables.ts"

export { migrations }

/** The stores of the deployment platform in a database that has its migrations. */
export const layerStores: Layer.Layer<Stores, never, SqlClient> = Layer.mergeAll(
  layerTransaction,
  WorkSignal.layer,
  layerProjects,
  layerEnvironments,
  layerKeys,
  layerServers,
  layerDestinations,
  layerHostKeys,
  layerRepositoryHostKeys,
  layerForgeApps,
  layerApplications,
  layerServices,
  layerDomains,
  layerPlacement,
  layerTags,
  layerDeployments,
  layerBackups,
  layerCleanups,
  layerDatabases,
  layerDeletions,
  layerDeliveries,
  layerDeploymentLogs,
  layerReleases,
  layerPreviews,
  layerVariables,
  layerSettings,
  layerScheduledTasks,
  layerSharedVariables,
  layerStorages,
  layerTokens
)

/** Opens the database of an address, brings it up to date, and keeps the deployment platform in it. */
export const layer = (
  address: SqlAddress,
  options: Pick<Database.DatabaseOptions, "maxConnections"> = {}
): Layer.Layer<Stores, Database.DatabaseError> =>
  Layer.provide(
    address._tag === "Server" ? Layer.mergeAll(layerStores, layerDatabaseRoom, layerRequestCounts) : layerStores,
    Database.layer(address, { ...options, schema: "deploy", migrations })
  )
