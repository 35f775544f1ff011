import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { TokenId } from "../../identity/credentials/AccessToken.ts"
import type { UserId } from "../../identity/users/User.ts"
import { branchPolicies, type EnvironmentRules } from "./rules.ts"

/** The schema of the id of a deployment environment of a repository. */
export const EnvironmentId = Schema.Int.pipe(Schema.brand("EnvironmentId"))
export type EnvironmentId = typeof EnvironmentId.Type

/** The schema of the id of a deployment. */
export const DeploymentId = Schema.Int.pipe(Schema.brand("DeploymentId"))
export type DeploymentId = typeof DeploymentId.Type

/** The schema of the id of a deployment's status. */
export const DeploymentStatusId = Schema.Int.pipe(Schema.brand("DeploymentStatusId"))
export type DeploymentStatusId = typeof DeploymentStatusId.Type

/** A deployment environment of a repository, such as `production`; its name is unique there, ignoring case. */
export interface Environment extends EnvironmentRules {
  readonly id: EnvironmentId
  readonly repositoryId: RepositoryId
  readonly name: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** The table of deployment environments; the first deployment with a new environment name creates the environment. */
export const environments = owned<Environment>()("environment", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    name: Fields.text({ ignoringCase: true }),
    reviewers: Fields.json(),
    waitMinutes: Fields.integer(),
    preventSelfReview: Fields.boolean(),
    branches: Fields.oneOf(...branchPolicies),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { oldest: ascending() },
  unique: { name: ["repositoryId", "name"] }
})

/** A deployment of a commit to an environment, as a deployment platform reports it to the forge. */
export interface Deployment {
  readonly id: DeploymentId
  readonly repositoryId: RepositoryId
  readonly commit: ObjectId
  /** The branch, tag or commit, as the request named it. */
  readonly ref: string
  readonly task: string
  readonly environment: string
  readonly description: string
  /** Whether the environment exists only for a limited time, such as a preview of a pull request. */
  readonly isTransient: boolean
  /** Whether end users use the environment. */
  readonly isProduction: boolean
  readonly creatorId: UserId | null
  /** Whether the deployment was created with an API token; `tokenId` is null after the token is deleted. */
  readonly isByToken: boolean
  readonly tokenId: TokenId | null
  readonly createdAt: string
  /** The time of the latest status. */
  readonly updatedAt: string
}

/** The table of deployments of commits. */
export const deployments = owned<Deployment>()("deployment", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    commit: Fields.text(),
    ref: Fields.text(),
    task: Fields.text(),
    environment: Fields.text({ ignoringCase: true }),
    description: Fields.text(),
    isTransient: Fields.boolean(),
    isProduction: Fields.boolean(),
    creatorId: Fields.looseReference("user"),
    isByToken: Fields.boolean(),
    tokenId: Fields.looseReference("accessToken"),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { newest: descending() },
  filters: ["commit", "ref", "task", "environment"]
})

/** The states of a deployment, as GitHub names them. */
export const deploymentStates = ["error", "failure", "inactive", "in_progress", "queued", "pending", "success"] as const
export type DeploymentState = (typeof deploymentStates)[number]

/** A status report about a deployment; the newest one is the current state. */
export interface DeploymentStatus {
  readonly id: DeploymentStatusId
  readonly deploymentId: DeploymentId
  readonly state: DeploymentState
  readonly description: string
  /** The URL of the deployment's log; empty if there is none. */
  readonly logUrl: string
  /** The URL of the deployed application; empty if there is none. */
  readonly environmentUrl: string
  readonly creatorId: UserId | null
  readonly createdAt: string
}

/** The table of deployment statuses. */
export const deploymentStatuses = owned<DeploymentStatus>()("deploymentStatus", {
  within: ["deploymentId"],
  fields: {
    deploymentId: Fields.reference("deployment"),
    state: Fields.oneOf(...deploymentStates),
    description: Fields.text(),
    logUrl: Fields.text(),
    environmentUrl: Fields.text(),
    creatorId: Fields.looseReference("user"),
    createdAt: Fields.time()
  },
  orders: { newest: descending() }
})

/** Reports that the repository has no deployment with this id. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()("DeploymentNotFound", {
  id: Schema.Number
}) {}
