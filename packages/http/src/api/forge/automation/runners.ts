import { Schema } from "effect"
import { create, done, edit, endpoints, list, read } from "../base/endpoints.ts"

/** A label of a runner as returned by the API. */
export const ActionRunnerLabel = Schema.Struct({
  id: Schema.Int.annotate({ description: "Its position in the runner's labels, from 0." }),
  name: Schema.String,
  type: Schema.Literals(["custom"])
}).annotate({ identifier: "ActionRunnerLabel" })

/** A runner as returned by the API. */
export const ActionRunner = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  status: Schema.Literals(["online", "offline"]),
  busy: Schema.Boolean.annotate({ description: "Whether it runs a job." }),
  disabled: Schema.Boolean.annotate({ description: "Whether it gets no jobs." }),
  ephemeral: Schema.Boolean.annotate({ description: "Whether it runs one job and is then deleted." }),
  labels: Schema.Array(ActionRunnerLabel)
}).annotate({ identifier: "ActionRunner" })

/** The request body that changes a runner. */
export const EditActionRunnerOption = Schema.Struct({
  disabled: Schema.Boolean
}).annotate({ identifier: "EditActionRunnerOption" })

/** A token that registers runners; shown only once. */
export const RegistrationToken = Schema.Struct({ token: Schema.String }).annotate({ identifier: "RegistrationToken" })

const listing = list(ActionRunner, { field: "runners", counted: true })
const changing = edit(ActionRunner, { body: EditActionRunnerOption })
const making = create(RegistrationToken, { status: 200 })

/** The endpoints of runners. */
export const runnerEndpoints = endpoints("runners", "Runners, which execute the jobs of workflows.", {
  "repository.actions.runner.list": listing,
  "repository.actions.runner.registration-token.create": making,
  "repository.actions.runner.read": read(ActionRunner),
  "repository.actions.runner.edit": changing,
  "repository.actions.runner.delete": done(),
  "organization.actions.runner.list": listing,
  "organization.actions.runner.registration-token.create": making,
  "organization.actions.runner.read": read(ActionRunner),
  "organization.actions.runner.edit": changing,
  "organization.actions.runner.delete": done(),
  "account.actions.runner.list": listing,
  "account.actions.runner.registration-token.create": making,
  "account.actions.runner.read": read(ActionRunner),
  "account.actions.runner.edit": changing,
  "account.actions.runner.delete": done(),
  "admin.actions.runner.list": listing,
  "admin.actions.runner.registration-token.create": making,
  "admin.actions.runner.read": read(ActionRunner),
  "admin.actions.runner.edit": changing,
  "admin.actions.runner.delete": done()
})
