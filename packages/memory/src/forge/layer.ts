import { makeTransaction, Transaction } from "@slipway/domain"
import { ownedKinds, type Stores } from "@slipway/domain/forge"
import { Context, Effect, Layer } from "effect"
import { ownedContext } from "../ownedLayer.ts"
import { attachmentStore } from "./attachments.ts"
import { avatarStore } from "./avatars.ts"
import { effectiveAccessStore } from "./effectiveAccess.ts"
import { emailSearch } from "./emails.ts"
import { eventStore } from "./events.ts"
import { factsStore } from "./facts.ts"
import { blockStore, followStore } from "./follows.ts"
import { interestStore } from "./interests.ts"
import { issueStore } from "./issues.ts"
import { jobStore, noticeStore } from "./jobs.ts"
import { keyCheckStore } from "./keyCheck.ts"
import { sshKeyStore } from "./keys.ts"
import { lfsStore } from "./lfs.ts"
import { notificationStore } from "./notifications.ts"
import { memberStore, organizationStore } from "./organizations.ts"
import { packageSearch } from "./packages.ts"
import { protectionStore } from "./protections.ts"
import { pushStore } from "./pushes.ts"
import { repositoryStore } from "./repositories.ts"
import { secondFactorStore, signInStore } from "./signIns.ts"
import { Tables } from "./tables.ts"
import { taskStore } from "./tasks.ts"
import { teamStore } from "./teams.ts"
import { timeStore } from "./times.ts"
import { topicStore } from "./topics.ts"
import { userStore } from "./users.ts"
import { workflowQueue } from "./workflowQueue.ts"
import { workflowSearch } from "./workflows.ts"

export { blobStore } from "./blobs.ts"
export { gitRepositories } from "./git.ts"
export { gitReader } from "./objects/reader.ts"
export { gitWriter } from "./objects/writer.ts"
export { unadoptedRepositories } from "./unadopted.ts"

const transaction = Layer.effect(
  Transaction,
  Effect.map(Tables, ({ database }) => makeTransaction(database.run, database.run))
)

const ownedStores = Layer.effectContext(
  Effect.map(Tables, ({ database, owned }) => ownedContext(ownedKinds, database, owned))
)

/** Puts stores in memory back to an earlier state, so that many tests may begin with the same data. */
export class Checkpoint extends Context.Service<
  Checkpoint,
  {
    /** Remembers what is committed, and gives back what restores it. */
    readonly take: Effect.Effect<Effect.Effect<void>>
  }
>()("@slipway/memory/forge/Checkpoint") {}

const checkpoint = Layer.effect(
  Checkpoint,
  Effect.map(Tables, ({ database }) => ({ take: database.checkpoint }))
)

/** Every store of the code hosting service in memory, as `layer` is, with what puts them all back. */
export const layerWithCheckpoint: Layer.Layer<Checkpoint | Stores> = Layer.mergeAll(
  attachmentStore,
  avatarStore,
  blockStore,
  checkpoint,
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
  noticeStore,
  notificationStore,
  organizationStore,
  packageSearch,
  workflowSearch,
  protectionStore,
  pushStore,
  ownedStores,
  effectiveAccessStore,
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

/** Every store of the code hosting service in memory, empty at first, and their transactions. */
export const layer: Layer.Layer<Stores> = layerWithCheckpoint
