import type { Stores } from "@slipway/domain/forge"
import type { Layer } from "effect"
import { type Contract, register } from "../../contract.ts"
import { workflowQueue } from "./automation/workflowQueue.ts"
import { workflowSearch } from "./automation/workflowSearch.ts"
import { events } from "./background/events.ts"
import { jobs, notices } from "./background/jobs.ts"
import { keyCheck } from "./background/keyCheck.ts"
import { tasks } from "./background/tasks.ts"
import { owned } from "./base/ownedKinds.ts"
import { attachments } from "./code/attachments.ts"
import { codeIndexContract } from "./code/codeIndex.ts"
import { interestContract } from "./code/interests.ts"
import { lfs } from "./code/lfs.ts"
import { protections } from "./code/protections.ts"
import { pushes } from "./code/pushes.ts"
import { repositories } from "./code/repositories.ts"
import { topicContract } from "./code/topics.ts"
import { activity } from "./collaboration/activity.ts"
import { issueSearch } from "./collaboration/issues.ts"
import { milestoneLists } from "./collaboration/milestones.ts"
import { notifications } from "./collaboration/notifications.ts"
import { reactions } from "./collaboration/reactions.ts"
import { times } from "./collaboration/times.ts"
import { facts } from "./entry/facts.ts"
import { effectiveAccess } from "./explanation/effectiveAccess.ts"
import { avatars } from "./identity/avatars.ts"
import { emailSearch } from "./identity/emails.ts"
import { blocks, follows } from "./identity/follows.ts"
import { sshKeys } from "./identity/keys.ts"
import { members, organizations } from "./identity/organizations.ts"
import { secondFactors, signIns } from "./identity/signIns.ts"
import { teams } from "./identity/teams.ts"
import { users } from "./identity/users.ts"
import { packageSearch } from "./registries/packages.ts"

/** The contract tests of all stores of the code hosting service. Every implementation must pass them. */
export const all: ReadonlyArray<Contract<Stores>> = [
  attachments,
  avatars,
  blocks,
  codeIndexContract,
  emailSearch,
  events,
  facts,
  follows,
  interestContract,
  issueSearch,
  jobs,
  lfs,
  keyCheck,
  members,
  notices,
  notifications,
  organizations,
  packageSearch,
  protections,
  pushes,
  effectiveAccess,
  repositories,
  secondFactors,
  signIns,
  sshKeys,
  tasks,
  teams,
  activity,
  milestoneLists,
  reactions,
  times,
  topicContract,
  workflowQueue,
  users,
  workflowSearch
]

/** Registers the contract tests of every store. `layer` is rebuilt for each test, and must start empty. */
export const contracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  register(name, layer, [...all, owned])
