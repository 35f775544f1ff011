import type { Transaction } from "../Transaction.ts"
import type { BlockStore } from "./accounts/BlockStore.ts"
import type { EmailSearch } from "./accounts/Email.ts"
import type { FollowStore } from "./accounts/FollowStore.ts"
import type { UserStore } from "./accounts/UserStore.ts"
import type { AttachmentStore } from "./attachments/Attachment.ts"
import type { AvatarStore } from "./avatars/Avatar.ts"
import type { SecondFactorStore } from "./credentials/SecondFactor.ts"
import type { SignInStore } from "./credentials/SignInStore.ts"
import type { EffectiveAccessStore } from "./effective-access/EffectiveAccessStore.ts"
import type { FactsStore } from "./entry/FactsStore.ts"
import type { EventStore } from "./events/EventStore.ts"
import type { InterestStore } from "./interests/InterestStore.ts"
import type { IssueStore } from "./issues/IssueStore.ts"
import type { JobStore } from "./jobs/Job.ts"
import type { NoticeStore } from "./jobs/Notice.ts"
import type { SshKeyStore } from "./keys/SshKeyStore.ts"
import type { LfsStore } from "./lfs/LfsStore.ts"
import type { NotificationStore } from "./notifications/NotificationStore.ts"
import type { MemberStore } from "./organizations/MemberStore.ts"
import type { OrganizationStore } from "./organizations/OrganizationStore.ts"
import type { OwnedStores } from "./owned/kinds.ts"
import type { PackageSearch } from "./packages/PackageSearch.ts"
import type { ProtectionStore } from "./protections/ProtectionStore.ts"
import type { PushStore } from "./pushes/PushStore.ts"
import type { RepositoryStore } from "./repositories/RepositoryStore.ts"
import type { KeyCheckStore } from "./settings/KeyCheckStore.ts"
import type { TaskStore } from "./tasks/Task.ts"
import type { TeamStore } from "./teams/TeamStore.ts"
import type { TimeStore } from "./times/TimeStore.ts"
import type { TopicStore } from "./topics/Topic.ts"
import type { WorkflowQueue } from "./workflows/WorkflowQueue.ts"
import type { WorkflowSearch } from "./workflows/WorkflowSearch.ts"

/** Everything that a store of the code hosting service provides. */
export type Stores =
  | AttachmentStore
  | AvatarStore
  | BlockStore
  | EmailSearch
  | EventStore
  | FactsStore
  | FollowStore
  | InterestStore
  | IssueStore
  | JobStore
  | LfsStore
  | KeyCheckStore
  | MemberStore
  | NoticeStore
  | NotificationStore
  | OrganizationStore
  | PackageSearch
  | ProtectionStore
  | PushStore
  | OwnedStores
  | EffectiveAccessStore
  | RepositoryStore
  | SecondFactorStore
  | SignInStore
  | SshKeyStore
  | TaskStore
  | TeamStore
  | TimeStore
  | TopicStore
  | Transaction
  | UserStore
  | WorkflowQueue
  | WorkflowSearch
