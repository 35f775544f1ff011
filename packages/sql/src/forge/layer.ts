import { ownedKinds, type Stores } from "@slipway/domain/forge"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Database from "../database/Database.ts"
import type { SqlAddress } from "../database/DatabaseAddress.ts"
import { layerDatabaseRoom } from "../database/diskSpace.ts"
import { layerRequestCounts } from "../database/requestCounts.ts"
import { layerOwned } from "../owned/layer.ts"
import { layerTransaction } from "../Transaction.ts"
import { layerWorkflowQueue } from "./automation/workflowQueue.ts"
import { layerWorkflowSearch } from "./automation/workflows.ts"
import { layerEvents } from "./background/events.ts"
import { layerJobs, layerNotices } from "./background/jobs.ts"
import { layerKeyCheck } from "./background/keyCheck.ts"
import { layerTasks } from "./background/tasks.ts"
import { layerAttachments } from "./code/attachments.ts"
import { layerCodeIndex } from "./code/codeIndex.ts"
import { layerInterests } from "./code/interests.ts"
import { layerLfs } from "./code/lfs.ts"
import { layerProtections } from "./code/protections.ts"
import { layerPushes } from "./code/pushes.ts"
import { layerRepositories } from "./code/repositories.ts"
import { layerTopics } from "./code/topics.ts"
import { layerActivity } from "./collaboration/activity.ts"
import { layerIssues } from "./collaboration/issues.ts"
import { layerMilestones } from "./collaboration/milestones.ts"
import { layerNotifications } from "./collaboration/notifications.ts"
import { layerReactions } from "./collaboration/reactions.ts"
import { layerTimes } from "./collaboration/times.ts"
import { layerFacts } from "./entry/facts/layer.ts"
import { layerEffectiveAccess } from "./explanation/effectiveAccess.ts"
import { layerAvatars } from "./identity/avatars.ts"
import { layerEmailSearch } from "./identity/emails.ts"
import { layerBlocks, layerFollows } from "./identity/follows.ts"
import { layerSshKeys } from "./identity/keys.ts"
import { layerMembers } from "./identity/members.ts"
import { layerOrganizations } from "./identity/organizations.ts"
import { layerSecondFactors, layerSignIns } from "./identity/signIns.ts"
import { layerTeams } from "./identity/teams.ts"
import { layerUsers } from "./identity/users.ts"
import { migrations } from "./migrations/index.ts"
import { layerPackageSearch } from "./registries/packages.ts"

export { setOfSwitches, setsOf } from "./identity/units.ts"
export { migrations }

/** Provides the stores of the code hosting service, in a database that is already migrated. */
export const layerStores: Layer.Layer<Stores, never, SqlClient> = Layer.mergeAll(
  layerTransaction,
  layerUsers,
  layerEvents,
  layerCodeIndex,
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
  layerActivity,
  layerMilestones,
  layerReactions,
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

/** Opens the database of an address, migrates it, and provides the stores of the code hosting service. */
export const layer = (
  address: SqlAddress,
  options: Pick<Database.DatabaseOptions, "maxConnections"> = {}
): Layer.Layer<Stores, Database.DatabaseError> =>
  Layer.provide(
    address._tag === "Server" ? Layer.mergeAll(layerStores, layerDatabaseRoom, layerRequestCounts) : layerStores,
    Database.layer(address, { ...options, schema: "forge", migrations })
  )
