import { ownedKinds, type Stores } from "@slipway/domain/forge"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import { layerRequestCounts } from "../database/requestCounts.ts"
import { layerDatabaseRoom } from "../database/room.ts"
import { layerOwned } from "../owned/layer.ts"
import { layerTransaction } from "../Transaction.ts"
import { layerAttachments } from "./attachments.ts"
import { layerAvatars } from "./avatars.ts"
import { layerEffectiveAccess } from "./effectiveAccess.ts"
import { layerEmailSearch } from "./emails.ts"
import { layerEvents } from "./events.ts"
import { layerFacts } from "./facts/layer.ts"
import { layerBlocks, layerFollows } from "./follows.ts"
import { layerInterests } from "./interests.ts"
import { layerIssues } from "./issues.ts"
import { layerJobs, layerNotices } from "./jobs.ts"
import { layerKeyCheck } from "./keyCheck.ts"
import { layerSshKeys } from "./keys.ts"
import { layerLfs } from "./lfs.ts"
import { layerMembers } from "./members.ts"
import { migrations } from "./migrations/index.ts"
import { layerNotifications } from "./notifications.ts"
import { layerOrganizations } from "./organizations.ts"
import { layerPackageSearch } from "./packages.ts"
import { layerProtections } from "./protections.ts"
import { layerPushes } from "./pushes.ts"
import { layerRepositories } from "./repositories.ts"
import { layerSecondFactors, layerSignIns } from "./signIns.ts"
import { layerTasks } from "./tasks.ts"
import { layerTeams } from "./teams.ts"
import { layerTimes } from "./times.ts"
import { layerTopics } from "./topics.ts"
import { layerUsers } from "./users.ts"
import { layerWorkflowQueue } from "./workflowQueue.ts"
import { layerWorkflowSearch } from "./workflows.ts"

export { setOfSwitches, setsOf } from "./units.ts"
export { migrations }

/** The stores of the code hosting service in a database that has its migrations. */
export const layerStores: Layer.Layer<Stores, never, SqlClient> = Layer.mergeAll(
  layerTransaction,
  layerUsers,
  layerEvents,
  layerInterests,
  layerIssues,
  layerJobs,
  layerKeyCheck,
  layerNotices,
  layerNotifications,
  layerEmailSearch,
  layerFollows,
  layerBlocks,
  layerSecondFactors,
  layerSignIns,
  layerAttachments,
  layerAvatars,
  layerOwned(ownedKinds),
  layerOrganizations,
  layerMembers,
  layerTasks,
  layerTeams,
  layerTimes,
  layerTopics,
  layerWorkflowQueue,
  layerPackageSearch,
  layerWorkflowSearch,
  layerRepositories,
  layerProtections,
  layerPushes,
  layerLfs,
  layerSshKeys,
  layerEffectiveAccess,
  layerFacts
)

/** Opens the database of an address, brings it up to date, and keeps the code hosting service in it. */
export const layer = (
  address: SqlAddress,
  options: Pick<Database.DatabaseOptions, "maxConnections"> = {}
): Layer.Layer<Stores, Database.DatabaseError> =>
  Layer.provide(
    address._tag === "Server" ? Layer.mergeAll(layerStores, layerDatabaseRoom, layerRequestCounts) : layerStores,
    Database.layer(address, { ...options, schema: "forge", migrations })
  )
