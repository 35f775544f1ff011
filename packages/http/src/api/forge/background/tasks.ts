import { Schema } from "effect"
import { done, endpoints, list } from "../base/endpoints.ts"
import { Moment } from "../base/schemas.ts"

/** A scheduled task of the service, such as a cleanup. */
export const Cron = Schema.Struct({
  name: Schema.String,
  schedule: Schema.String.annotate({ description: "In cron syntax, in UTC." }),
  next: Moment,
  prev: Schema.NullOr(Moment),
  exec_times: Schema.Int
}).annotate({ identifier: "Cron" })

/** The endpoints of scheduled tasks. */
export const taskEndpoints = endpoints("tasks", "Scheduled tasks of the service.", {
  "admin.cron.list": list(Cron),
  "admin.cron.run": done()
})
