import type { Task } from "@slipway/domain/forge/background"
import type { Effect } from "effect"
import { artifactSweep } from "../../automation/artifacts/artifactSweep.ts"
import { runnerCleanup } from "../../automation/runners/cleanup.ts"
import { jobCleanup, runCleanup, scheduleStart } from "../../automation/workflows/workflowTasks.ts"
import { eventCleanup } from "../../base/events/eventCleanup.ts"
import { attachmentSweep } from "../../code/attachments/attachmentSweep.ts"
import { archiveCleanup } from "../../code/contents/archiveCache.ts"
import { gitCheck, gitMaintenance } from "../../code/git/maintenance.ts"
import { codeIndexUpdate } from "../../collaboration/recognition/codeIndexUpdate.ts"
import { credentialCleanup } from "../../identity/credentials/cleanup.ts"
import { deliveryCleanup } from "../../integrations/hooks/cleanup.ts"
import { mirrorUpdate } from "../../integrations/mirrors/mirrorWork.ts"
import { packageSweep } from "../../registries/packages/packageSweep.ts"
import { noticeCleanup } from "../jobs/noticeCleanup.ts"

const all = [
  archiveCleanup,
  artifactSweep,
  attachmentSweep,
  codeIndexUpdate,
  credentialCleanup,
  deliveryCleanup,
  eventCleanup,
  gitCheck,
  gitMaintenance,
  jobCleanup,
  mirrorUpdate,
  noticeCleanup,
  packageSweep,
  runCleanup,
  runnerCleanup,
  scheduleStart
] as const

/** The services that the scheduled tasks of the code hosting service need. */
export type TaskServices = Effect.Services<(typeof all)[number]["run"]>

/** All scheduled tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task<TaskServices>> = all
