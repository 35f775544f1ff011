import type {
  DeploymentNotApproved,
  DeploymentNotFound,
  DeploymentReviewRefused,
  EnvironmentInvalid,
  EnvironmentNotFound,
  EnvironmentPatternNotFound,
  RefNotDeployable
} from "@slipway/domain/forge/collaboration"
import { conflict, forbidden, invalid, missing } from "./errorParts.ts"

/** Converts the domain errors of deployments and environments to HTTP error bodies. */
export const deploymentErrors = {
  DeploymentNotFound: (_: DeploymentNotFound) => missing,
  DeploymentNotApproved: ({ environment, state }: DeploymentNotApproved) =>
    conflict(
      state === "waiting"
        ? `the deployment waits for the protection of the environment \`${environment}\``
        : `a reviewer of the environment \`${environment}\` rejected the deployment`
    ),
  DeploymentReviewRefused: ({ because }: DeploymentReviewRefused) =>
    because === "reviewed" || because === "begun"
      ? conflict(because === "begun" ? "the deployment has begun" : "the deployment was already reviewed")
      : forbidden(
          because === "own-push"
            ? "the environment does not permit reviews of own commits"
            : "only reviewers of the environment can review its deployments"
        ),
  EnvironmentInvalid: (error: EnvironmentInvalid) => invalid(error.field, error.problem),
  EnvironmentNotFound: (_: EnvironmentNotFound) => missing,
  EnvironmentPatternNotFound: (_: EnvironmentPatternNotFound) => missing,
  RefNotDeployable: ({ branches, environment, ref }: RefNotDeployable) =>
    invalid(
      "ref",
      branches === "selected"
        ? `no pattern of the environment \`${environment}\` matches \`${ref}\`: add one, or deploy another ref`
        : `the environment \`${environment}\` takes protected branches only: \`${ref}\` is none, or protect it`
    )
} as const
