import type { Transaction } from "../Transaction.ts"
import type { BlockStore } from "./accounts/BlockStore.ts"
import type { EmailStore } from "./accounts/EmailStore.ts"
import type { FollowStore } from "./accounts/FollowStore.ts"
import type { UserStore } from "./accounts/UserStore.ts"
import type { AvatarStore } from "./avatars/Avatar.ts"
import type { AccessTokenStore } from "./credentials/AccessTokenStore.ts"
import type { SecondFactorStore } from "./credentials/SecondFactor.ts"
import type { SignInStore } from "./credentials/SignInStore.ts"
import type { EffectiveAccessStore } from "./effective-access/EffectiveAccessStore.ts"
import type { FactsStore } from "./entry/FactsStore.ts"
import type { EventStore } from "./events/EventStore.ts"
import type { JobStore } from "./jobs/Job.ts"
import type { NoticeStore } from "./jobs/Notice.ts"
import type { MemberStore } from "./organizations/MemberStore.ts"
import type { OrganizationStore } from "./organizations/OrganizationStore.ts"
import type { OwnedStores } from "./owned/kinds.ts"
import type { RepositoryStore } from "./repositories/RepositoryStore.ts"
import type { KeyCheckStore } from "./settings/KeyCheckStore.ts"
import type { TeamStore } from "./teams/TeamStore.ts"

/** Everything that a store of the code hosting service provides. */
export type Stores =
  | AccessTokenStore
  | AvatarStore
  | BlockStore
  | EmailStore
  | EventStore
  | FactsStore
  | FollowStore
  | JobStore
  | KeyCheckStore
  | MemberStore
  | NoticeStore
  | OrganizationStore
  | OwnedStores
  | EffectiveAccessStore
  | RepositoryStore
  | SecondFactorStore
  | SignInStore
  | TeamStore
  | Transaction
  | UserStore
