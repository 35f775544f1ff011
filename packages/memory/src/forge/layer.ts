import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { avatarStore } from "./avatars.ts"
import { effectiveAccessStore } from "./effectiveAccess.ts"
import { emailStore } from "./emails.ts"
import { eventStore } from "./events.ts"
import { factsStore } from "./facts.ts"
import { blockStore, followStore } from "./follows.ts"
import { jobStore, noticeStore } from "./jobs.ts"
import { labelStore } from "./labels.ts"
import { memberStore, organizationStore } from "./organizations.ts"
import { repositoryStore } from "./repositories.ts"
import { secondFactorStore, signInStore } from "./signIns.ts"
import { Tables } from "./tables.ts"
import { teamStore } from "./teams.ts"
import { accessTokenStore } from "./tokens.ts"
import { userStore } from "./users.ts"

export { gitRepositories } from "./git.ts"

const transaction = Layer.effect(
  Transaction,
  Effect.map(Tables, ({ database }) => ({ run: database.run }))
)

/** Every store of the code hosting service in memory, empty at first, and their transactions. */
export const layer: Layer.Layer<Stores> = Layer.mergeAll(
  accessTokenStore,
  avatarStore,
  blockStore,
  emailStore,
  eventStore,
  factsStore,
  followStore,
  labelStore,
  jobStore,
  memberStore,
  noticeStore,
  organizationStore,
  effectiveAccessStore,
  repositoryStore,
  secondFactorStore,
  signInStore,
  teamStore,
  transaction,
  userStore
).pipe(Layer.provide(Tables.layer))
