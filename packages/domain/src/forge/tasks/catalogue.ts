import type { Effect } from "effect"
import { artifactSweep } from "../artifacts/sweeping.ts"
import { attachmentSweep } from "../attachments/sweeping.ts"
import { archiveCleanup } from "../contents/keptArchives.ts"
import { credentialCleanup } from "../credentials/cleanup.ts"
import { eventCleanup } from "../events/eventCleanup.ts"
import { gitCheck, gitMaintenance } from "../git/maintenance.ts"
import { deliveryCleanup } from "../hooks/cleanup.ts"
import { noticeCleanup } from "../jobs/noticeCleanup.ts"
import { mirrorUpdate } from "../mirrors/mirrorWork.ts"
import { packageSweep } from "../packages/sweeping.ts"
import { runnerCleanup } from "../runners/cleanup.ts"
import { jobCleanup, runCleanup, scheduleStart } from "../workflows/workflowTasks.ts"
import type { Task } from "./Task.ts"

const all = [
  archiveCleanup,
  artifactSweep,
  attachmentSweep,
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

/** What the tasks of the code hosting service work with. */
export type TaskServices = Effect.Services<(typeof all)[number]["run"]>

/** The tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task<TaskServices>> = all
