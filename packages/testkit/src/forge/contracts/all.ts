import type { Stores } from "@slipway/domain/forge"
import type { Layer } from "effect"
import { type Contract, register } from "../../contract.ts"
import { attachments } from "./attachments.ts"
import { avatars } from "./avatars.ts"
import { effectiveAccess } from "./effectiveAccess.ts"
import { emailSearch } from "./emails.ts"
import { events } from "./events.ts"
import { facts } from "./facts.ts"
import { blocks, follows } from "./follows.ts"
import { interestContract } from "./interests.ts"
import { issueSearch } from "./issues.ts"
import { jobs, notices } from "./jobs.ts"
import { keyCheck } from "./keyCheck.ts"
import { sshKeys } from "./keys.ts"
import { lfs } from "./lfs.ts"
import { notifications } from "./notifications.ts"
import { members, organizations } from "./organizations.ts"
import { owned } from "./owned.ts"
import { packageSearch } from "./packages.ts"
import { protections } from "./protections.ts"
import { pushes } from "./pushes.ts"
import { repositories } from "./repositories.ts"
import { secondFactors, signIns } from "./signIns.ts"
import { tasks } from "./tasks.ts"
import { teams } from "./teams.ts"
import { times } from "./times.ts"
import { topicContract } from "./topics.ts"
import { users } from "./users.ts"
import { workflowQueue } from "./workflowQueue.ts"
import { workflowSearch } from "./workflowSearch.ts"

/** Every promise of the stores of the code hosting service. */
export const all: ReadonlyArray<Contract<Stores>> = [
  attachments,
  avatars,
  blocks,
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
  times,
  topicContract,
  workflowQueue,
  users,
  workflowSearch
]

/** Registers the contracts of every store; `layer` is built anew for each test, and has to start empty. */
export const contracts = <E>(name: string, layer: Layer.Layer<Stores, E>): void =>
  register(name, layer, [...all, owned])
