import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { defineJob } from "../jobs/JobHandlers.ts"

/** The jobs of account emails; an email that could not be sent fails the job, which a worker retries. */
export const mailJobs = [
  defineJob(
    "SendMail",
    () => "sending mail",
    ({ id, sealed }) => Effect.flatMap(MailDelivery, (mail) => Effect.orDie(mail.deliver(id, sealed)))
  )
] as const
