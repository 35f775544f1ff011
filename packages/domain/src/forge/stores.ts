import type { Transaction } from "../Transaction.ts"
import type { WorkflowQueue } from "./automation/workflows/WorkflowQueue.ts"
import type { WorkflowSearch } from "./automation/workflows/WorkflowSearch.ts"
import type { JobStore } from "./background/jobs/Job.ts"
import type { NoticeStore } from "./background/jobs/Notice.ts"
import type { TaskStore } from "./background/tasks/Task.ts"
import type { KeyCheckStore } from "./base/settings/KeyCheckStore.ts"
import type { AttachmentStore } from "./code/attachments/Attachment.ts"
import type { CodeIndexStore } from "./code/code-search/CodeIndexStore.ts"
import type { InterestStore } from "./code/interests/InterestStore.ts"
import type { LfsStore } from "./code/lfs/LfsStore.ts"
import type { ProtectionStore } from "./code/protections/ProtectionStore.ts"
import type { PushStore } from "./code/pushes/PushStore.ts"
import type { RepositoryStore } from "./code/repositories/RepositoryStore.ts"
import type { TopicStore } from "./code/topics/Topic.ts"
import type { ActivityStore } from "./collaboration/activity/ActivityStore.ts"
import type { IssueStore } from "./collaboration/issues/IssueStore.ts"
import type { MilestoneStore } from "./collaboration/issues/MilestoneStore.ts"
import type { NotificationStore } from "./collaboration/notifications/NotificationStore.ts"
import type { ReactionStore } from "./collaboration/reactions/ReactionStore.ts"
import type { TimeStore } from "./collaboration/times/TimeStore.ts"
import type { FactsStore } from "./entry/FactsStore.ts"
import type { EventStore } from "./events/EventStore.ts"
import type { EffectiveAccessStore } from "./explanation/effective-access/EffectiveAccessStore.ts"
import type { BlockStore } from "./identity/accounts/BlockStore.ts"
import type { EmailSearch } from "./identity/accounts/Email.ts"
import type { FollowStore } from "./identity/accounts/FollowStore.ts"
import type { UserStore } from "./identity/accounts/UserStore.ts"
import type { AvatarStore } from "./identity/avatars/Avatar.ts"
import type { SecondFactorStore } from "./identity/credentials/SecondFactor.ts"
import type { SignInStore } from "./identity/credentials/SignInStore.ts"
import type { SshKeyStore } from "./identity/keys/SshKeyStore.ts"
import type { MemberStore } from "./identity/members/MemberStore.ts"
import type { OrganizationStore } from "./identity/organizations/OrganizationStore.ts"
import type { TeamStore } from "./identity/teams/TeamStore.ts"
import type { OwnedStores } from "./ownedKinds.ts"
import type { PackageSearch } from "./registries/packages/PackageSearch.ts"

/**
 * All stores and transactions of the code hosting service, as requirements of an effect; a store adapter provides all
 * of them.
 */
export type Stores =
  | ActivityStore
  | AttachmentStore
  | AvatarStore
  | BlockStore
  | CodeIndexStore
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
  | MilestoneStore
  | NoticeStore
  | NotificationStore
  | OrganizationStore
  | PackageSearch
  | ProtectionStore
  | PushStore
  | ReactionStore
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
