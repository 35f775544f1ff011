import { makeTransaction, Transaction } from "@slipway/domain"
import { ownedKinds, type Stores } from "@slipway/domain/forge"
import { Context, Effect, Layer } from "effect"
import { ownedContext } from "../ownedLayer.ts"
import { workflowQueue } from "./automation/workflowQueue.ts"
import { workflowSearch } from "./automation/workflows.ts"
import { eventStore } from "./background/events.ts"
import { jobStore, noticeStore } from "./background/jobs.ts"
import { keyCheckStore } from "./background/keyCheck.ts"
import { taskStore } from "./background/tasks.ts"
import { Tables } from "./base/tables.ts"
import { attachmentStore } from "./code/attachments.ts"
import { codeIndexStore } from "./code/codeIndex.ts"
import { interestStore } from "./code/interests.ts"
import { lfsStore } from "./code/lfs.ts"
import { protectionStore } from "./code/protections.ts"
import { pushStore } from "./code/pushes.ts"
import { repositoryStore } from "./code/repositories.ts"
import { topicStore } from "./code/topics.ts"
import { activityStore } from "./collaboration/activity.ts"
import { issueStore } from "./collaboration/issues.ts"
import { milestoneStore } from "./collaboration/milestones.ts"
import { notificationStore } from "./collaboration/notifications.ts"
import { reactionStore } from "./collaboration/reactions.ts"
import { timeStore } from "./collaboration/times.ts"
import { factsStore } from "./entry/facts.ts"
import { effectiveAccessStore } from "./explanation/effectiveAccess.ts"
import { avatarStore } from "./identity/avatars.ts"
import { emailSearch } from "./identity/emails.ts"
import { blockStore, followStore } from "./identity/follows.ts"
import { sshKeyStore } from "./identity/keys.ts"
import { memberStore, organizationStore } from "./identity/organizations.ts"
import { secondFactorStore, signInStore } from "./identity/signIns.ts"
import { teamStore } from "./identity/teams.ts"
import { userStore } from "./identity/users.ts"
import { packageSearch } from "./registries/packages.ts"

export { blobStore } from "./base/blobs.ts"
export { gitRepositories } from "./code/git.ts"
export { gitReader } from "./code/objects/reader.ts"
export { gitWriter } from "./code/objects/writer.ts"
export { unadoptedRepositories } from "./code/unadopted.ts"

const transaction = Layer.effect(
  Transaction,
  Effect.map(Tables, ({ database }) => makeTransaction(database.run, database.run))
)

const ownedStores = Layer.effectContext(
  Effect.map(Tables, ({ database, owned }) => ownedContext(ownedKinds, database, owned))
)

/** Resets all stores to an earlier state, so that many tests can begin with the same data. */
export class Checkpoint extends Context.Service<
  Checkpoint,
  {
    /** Saves the committed state, and returns an effect that restores it. */
    readonly take: Effect.Effect<Effect.Effect<void>>
  }
>()("@slipway/memory/forge/Checkpoint") {}

const checkpoint = Layer.effect(
  Checkpoint,
  Effect.map(Tables, ({ database }) => ({ take: database.checkpoint }))
)

/** Provides the same stores as `layer`, and the service that resets them all. */
export const layerWithCheckpoint: Layer.Layer<Checkpoint | Stores> = Layer.mergeAll(
  activityStore,
  attachmentStore,
  avatarStore,
  blockStore,
  checkpoint,
  codeIndexStore,
  emailSearch,
  eventStore,
  factsStore,
  followStore,
  interestStore,
  issueStore,
  jobStore,
  lfsStore,
  keyCheckStore,
  memberStore,
  milestoneStore,
  noticeStore,
  notificationStore,
  organizationStore,
  packageSearch,
  workflowSearch,
  protectionStore,
  pushStore,
  ownedStores,
  effectiveAccessStore,
  reactionStore,
  repositoryStore,
  secondFactorStore,
  signInStore,
  sshKeyStore,
  taskStore,
  teamStore,
  timeStore,
  topicStore,
  transaction,
  userStore,
  workflowQueue
).pipe(Layer.provide(Tables.layer))

/**
 * Provides every store of the code hosting service in memory, initially empty, and the transactions of these stores.
 */
export const layer: Layer.Layer<Stores> = layerWithCheckpoint
