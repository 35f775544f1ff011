import { longestPattern } from "@slipway/domain/forge/code"
import { deploymentDecisions, deploymentStates, longestWait, patternTypes } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { create, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text, User } from "../base/schemas.ts"

const State = Schema.Literals(deploymentStates)

const ApprovalWord = Schema.Literals(["approved", "rejected", "waiting"])

/** A deployment in the format of GitHub's API. */
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
  state: State.annotate({ description: "The state of the newest status." }),
  approval: Schema.Struct({ state: ApprovalWord, current_user_can_approve: Schema.Boolean }).annotate({
    description: "Whether the protection of the environment lets the deployment run."
  }),
  environment_url: Schema.String.annotate({
    description: "The address of the page by the newest status; empty for none."
  }),
  log_url: Schema.String.annotate({ description: "The address of the output by the newest status; empty for none." }),
  connected: Schema.Boolean.annotate({ description: "False if it was created by a token that is revoked or expired." }),
  statuses_url: Schema.String,
  repository_url: Schema.String,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "Deployment" })

/** A status of a deployment in the format of GitHub's API. */
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

/** A user or team that reviews deployments, in the format of GitHub's API. */
const Reviewer = Schema.Struct({
  type: Schema.Literals(["User", "Team"]),
  reviewer: Schema.Struct({
    id: Schema.Int,
    login: Schema.optionalKey(Schema.String),
    name: Schema.optionalKey(Schema.String),
    slug: Schema.optionalKey(Schema.String)
  }).annotate({ description: "`login` of a user; `name` and `slug` of a team." })
}).annotate({ identifier: "DeploymentReviewer" })

const BranchPolicy = Schema.Struct({
  protected_branches: Schema.Boolean,
  custom_branch_policies: Schema.Boolean
}).annotate({ identifier: "DeploymentBranchPolicy" })

/** An environment in the format of GitHub's API. */
export const Environment = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Schema.String,
  protection_rules: Schema.Array(
    Schema.Struct({
      type: Schema.Literals(["wait_timer", "required_reviewers", "branch_policy"]),
      wait_timer: Schema.optionalKey(Schema.Int),
      prevent_self_review: Schema.optionalKey(Schema.Boolean),
      reviewers: Schema.optionalKey(Schema.Array(Reviewer))
    })
  ),
  deployment_branch_policy: Schema.NullOr(BranchPolicy),
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "Environment" })

/** The approval of a deployment, in the format of pending deployments in GitHub's API. */
export const DeploymentApproval = Schema.Struct({
  environment: Schema.Struct({ name: Schema.String, url: Schema.String }),
  state: ApprovalWord,
  wait_timer: Schema.Int,
  wait_timer_started_at: Moment,
  waiting_until: Schema.NullOr(Moment),
  current_user_can_approve: Schema.Boolean,
  reviewers: Schema.Array(Reviewer),
  review: Schema.NullOr(
    Schema.Struct({
      state: Schema.Literals(deploymentDecisions),
      comment: Schema.String,
      user: Schema.NullOr(User),
      created_at: Moment
    })
  )
}).annotate({ identifier: "DeploymentApproval" })

const WebAddress = text(2_048).check(
  Schema.makeFilter((value: string) =>
    value === "" || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
      ? undefined
      : "must be an address of the web"
  )
)

const named = (longest: number) =>
  text(longest).check(Schema.makeFilter((value: string) => (value.trim() === "" ? "must not be empty" : undefined)))

/** The request body that creates a deployment. */
export const CreateDeploymentOption = Schema.Struct({
  ref: named(255),
  sha: optionalNullable(text(64)).annotate({ description: "A commit of `ref`; default its newest." }),
  task: optionalNullable(named(255)),
  environment: optionalNullable(named(255)),
  description: optionalNullable(text(2_048)),
  transient_environment: optionalNullable(Schema.Boolean),
  production_environment: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateDeploymentOption" })

/** The request body that adds a status to a deployment. */
export const CreateDeploymentStatusOption = Schema.Struct({
  state: State,
  description: optionalNullable(text(2_048)),
  environment_url: optionalNullable(WebAddress),
  log_url: optionalNullable(WebAddress)
}).annotate({ identifier: "CreateDeploymentStatusOption" })

/** The request body that approves or rejects a deployment. */
export const ReviewDeploymentOption = Schema.Struct({
  state: Schema.Literals(deploymentDecisions),
  comment: optionalNullable(text(2_048))
}).annotate({ identifier: "ReviewDeploymentOption" })

const NamedReviewer = Schema.Struct({ type: Schema.Literals(["User", "Team"]), id: Schema.Int })

/** The request body that sets the protection rules of an environment; the rule of an omitted field is removed. */
export const SetEnvironmentOption = Schema.Struct({
  wait_timer: optionalNullable(
    Schema.Int.check(
      Schema.makeFilter((value: number) =>
        value < 0 || value > longestWait ? `must be 0 to ${longestWait} minutes` : undefined
      )
    )
  ),
  prevent_self_review: optionalNullable(Schema.Boolean),
  reviewers: optionalNullable(Schema.Array(NamedReviewer)),
  deployment_branch_policy: optionalNullable(
    BranchPolicy.check(
      Schema.makeFilter(({ custom_branch_policies, protected_branches }) =>
        custom_branch_policies !== protected_branches
          ? undefined
          : "must have exactly one true field, or be null to permit all branches"
      )
    )
  )
}).annotate({ identifier: "SetEnvironmentOption" })

/** A pattern of branches or tags that may deploy to an environment, in the format of GitHub's API. */
export const EnvironmentPattern = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  type: Schema.Literals(patternTypes)
}).annotate({ identifier: "EnvironmentPattern" })

/** The request body that adds a pattern to an environment. */
export const CreateEnvironmentPatternOption = Schema.Struct({
  name: named(longestPattern),
  type: optionalNullable(Schema.Literals(patternTypes)).annotate({ description: "Default `branch`." })
}).annotate({ identifier: "CreateEnvironmentPatternOption" })

/** The request body that changes a pattern of an environment. */
export const EditEnvironmentPatternOption = Schema.Struct({ name: named(longestPattern) }).annotate({
  identifier: "EditEnvironmentPatternOption"
})

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
    "repository.deployment.approval.read": read(DeploymentApproval),
    "repository.deployment.approval.create": edit(DeploymentApproval, { body: ReviewDeploymentOption }),
    "repository.environment.list": list(Environment, { field: "environments", counted: true }),
    "repository.environment.read": read(Environment),
    "repository.environment.set": edit(Environment, { body: SetEnvironmentOption }),
    "repository.environment.delete": remove(),
    "repository.environment.policy.list": list(EnvironmentPattern, { field: "branch_policies", counted: true }),
    "repository.environment.policy.create": edit(EnvironmentPattern, { body: CreateEnvironmentPatternOption }),
    "repository.environment.policy.read": read(EnvironmentPattern),
    "repository.environment.policy.update": edit(EnvironmentPattern, { body: EditEnvironmentPatternOption }),
    "repository.environment.policy.delete": remove()
  }
)
