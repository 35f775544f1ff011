import { deploymentStates } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { create, endpoints, list, read } from "../base/endpoints.ts"
import { Moment, optionalNullable, text, User } from "../base/schemas.ts"

const State = Schema.Literals(deploymentStates)

/** A deployment in the shape of GitHub. */
export const Deployment = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  sha: Schema.String,
  ref: Schema.String,
  task: Schema.String,
  environment: Schema.String,
  original_environment: Schema.String,
  description: Schema.String,
  creator: Schema.NullOr(User),
  transient_environment: Schema.Boolean,
  production_environment: Schema.Boolean,
  statuses_url: Schema.String,
  repository_url: Schema.String,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "Deployment" })

/** A status of a deployment in the shape of GitHub. */
export const DeploymentStatus = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  state: State,
  description: Schema.String,
  environment: Schema.String,
  environment_url: Schema.String,
  log_url: Schema.String,
  target_url: Schema.String,
  creator: Schema.NullOr(User),
  deployment_url: Schema.String,
  repository_url: Schema.String,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "DeploymentStatus" })

/** An environment in the shape of GitHub. */
export const Environment = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Schema.String,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "Environment" })

const WebAddress = text(2_048).check(
  Schema.makeFilter((value: string) =>
    value === "" || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
      ? undefined
      : "must be an address of the web"
  )
)

const named = (longest: number) =>
  text(longest).check(Schema.makeFilter((value: string) => (value.trim() === "" ? "must not be empty" : undefined)))

/** The body that creates a deployment. */
export const CreateDeploymentOption = Schema.Struct({
  ref: named(255),
  task: optionalNullable(named(255)),
  environment: optionalNullable(named(255)),
  description: optionalNullable(text(2_048)),
  transient_environment: optionalNullable(Schema.Boolean),
  production_environment: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateDeploymentOption" })

/** The body that adds a status to a deployment. */
export const CreateDeploymentStatusOption = Schema.Struct({
  state: State,
  description: optionalNullable(text(2_048)),
  environment_url: optionalNullable(WebAddress),
  log_url: optionalNullable(WebAddress)
}).annotate({ identifier: "CreateDeploymentStatusOption" })

const filters = {
  sha: Schema.optionalKey(text(255)),
  ref: Schema.optionalKey(text(255)),
  task: Schema.optionalKey(text(255)),
  environment: Schema.optionalKey(text(255))
}

/** The endpoints of deployments and environments. */
export const deploymentEndpoints = endpoints(
  "deployments",
  "Deployments of commits to environments, which deployment platforms report.",
  {
    "repository.deployment.list": list(Deployment, { query: filters }),
    "repository.deployment.create": create(Deployment, { body: CreateDeploymentOption }),
    "repository.deployment.read": read(Deployment),
    "repository.deployment.status.list": list(DeploymentStatus),
    "repository.deployment.status.create": create(DeploymentStatus, { body: CreateDeploymentStatusOption }),
    "repository.environment.list": list(Environment, { field: "environments", counted: true })
  }
)
