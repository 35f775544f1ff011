import { Transaction } from "@slipway/domain"
import {
  type NewWorkflowJob,
  type NewWorkflowRun,
  ObjectId,
  type Repository,
  workflowJobs,
  workflowRuns
} from "@slipway/domain/forge"
