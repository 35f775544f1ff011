import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { defineJob } from "../jobs/JobHandlers.ts"

/** The handlers of jobs that send emails. If sending fails, the job fails, and a worker retries it. */
export const mailJobs = [
  defineJob(
    "SendMail",
    () => "sending mail",
    ({ id, sealed }) => Effect.flatMap(MailDelivery, (mail) => Effect.orDie(mail.deliver(id, sealed)))
  )
] as const
