import { area } from "../Action.ts"

const actions = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/actions",
  scope: ["repository"],
  guards: ["repo-visible"]
})
const page = area({
  on: "repository",
  base: "/{username}/{reponame}/actions",
  scope: ["repository"],
  guards: ["repo-visible"]
})
const signedLink = area({ on: "signedLink", base: "/repos/{username}/{reponame}/actions", scope: [] })

/** The actions on workflows, runners, secrets and variables of a repository, each with its route and its guards. */
export const repositoryServiceActions = {
  "repository.actions.secret.list": actions(
    "GET /secrets",
    "List the names of secrets of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.secret.set": actions(
    "PUT /secrets/{secretname}",
    "Set a secret of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.secret.delete": actions(
    "DELETE /secrets/{secretname}",
    "Delete a secret of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.variable.list": actions(
    "GET /variables",
    "List the variables of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.variable.read": actions(
    "GET /variables/{variablename}",
    "Read a variable of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.variable.create": actions(
    "POST /variables/{variablename}",
    "Create a variable in a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.variable.set": actions(
    "PUT /variables/{variablename}",
    "Set a variable of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.variable.delete": actions(
    "DELETE /variables/{variablename}",
    "Delete a variable of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.list": actions(
    "GET /runners",
    "List the runners of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.registration-token.create": actions(
    "POST /runners/registration-token",
    "Create a token that registers runners",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.read": actions(
    "GET /runners/{runner_id}",
    "Read a runner of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.delete": actions(
    "DELETE /runners/{runner_id}",
    "Delete a runner of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.edit": actions(
    "PATCH /runners/{runner_id}",
    "Change a runner of a repository",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.run.list": actions("GET /runs", "List the workflow runs of a repository", "sign-in", "R:actions"),
  "repository.actions.job.list": actions("GET /jobs", "List the jobs of a repository", "sign-in", "R:actions"),
  "repository.actions.workflow.list": actions(
    "GET /workflows",
    "List the workflows of a repository",
    "sign-in",
    "R:actions"
  ),
  "repository.actions.workflow.read": actions(
    "GET /workflows/{workflow_id}",
    "Read a workflow of a repository",
    "sign-in",
    "R:actions"
  ),
  // Web pages embed it by a URL outside of the API.
  "repository.actions.workflow.badge": page(
    "GET /workflows/{workflow_id}/badge.svg",
    "Show the badge of a workflow",
    "R:actions"
  ),
  "repository.actions.workflow.run.list": actions(
    "GET /workflows/{workflow_id}/runs",
    "List the runs of a workflow",
    "sign-in",
    "R:actions"
  ),
  "repository.actions.workflow.disable": actions(
    "PUT /workflows/{workflow_id}/disable",
    "Disable a workflow of a repository",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.workflow.enable": actions(
    "PUT /workflows/{workflow_id}/enable",
    "Enable a workflow of a repository",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.workflow.dispatch": actions(
    "POST /workflows/{workflow_id}/dispatches",
    "Dispatch a workflow manually",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.job.read": actions("GET /jobs/{job_id}", "Read a job of a repository", "R:actions"),
  "repository.actions.job.logs": actions("GET /jobs/{job_id}/logs", "Download the log of a job", "R:actions"),
  "repository.actions.task.list": actions("GET /tasks", "List the tasks of a repository", "R:actions"),
  "repository.actions.run.read": actions("GET /runs/{run}", "Read a workflow run of a repository", "R:actions"),
  "repository.actions.run.attempt.read": actions(
    "GET /runs/{run}/attempts/{attempt}",
    "Read an attempt of a workflow run",
    "R:actions"
  ),
  "repository.actions.run.attempt.job.list": actions(
    "GET /runs/{run}/attempts/{attempt}/jobs",
    "List the jobs of an attempt of a workflow run",
    "R:actions"
  ),
  "repository.actions.run.delete": actions(
    "DELETE /runs/{run}",
    "Delete a workflow run of a repository",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.run.cancel": actions(
    "POST /runs/{run}/cancel",
    "Cancel a workflow run of a repository",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.run.approve": actions(
    "POST /runs/{run}/approve",
    "Approve a workflow run of a pull request from a fork",
    "sign-in",
    "W:actions",
    "person"
  ),
  "repository.actions.run.rerun": actions("POST /runs/{run}/rerun", "Rerun a workflow", "sign-in", "W:actions"),
  "repository.actions.run.rerun-failed-jobs": actions(
    "POST /runs/{run}/rerun-failed-jobs",
    "Rerun the failed jobs of a workflow run",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.run.job.rerun": actions(
    "POST /runs/{run}/jobs/{job_id}/rerun",
    "Rerun a job of a workflow run",
    "sign-in",
    "W:actions"
  ),
  "repository.actions.run.job.list": actions("GET /runs/{run}/jobs", "List the jobs of a workflow run", "R:actions"),
  "repository.actions.run.artifact.list": actions(
    "GET /runs/{run}/artifacts",
    "List the artifacts of a workflow run",
    "R:actions"
  ),
  "repository.actions.artifact.list": actions("GET /artifacts", "List the artifacts of a repository", "R:actions"),
  "repository.actions.artifact.read": actions(
    "GET /artifacts/{artifact_id}",
    "Read an artifact of a repository",
    "R:actions"
  ),
  "repository.actions.artifact.delete": actions(
    "DELETE /artifacts/{artifact_id}",
    "Delete an artifact of a repository",
    "W:actions"
  ),
  "repository.actions.artifact.download": actions(
    "GET /artifacts/{artifact_id}/zip",
    "Download an artifact as a zip archive",
    "R:actions"
  ),
  "repository.actions.artifact.download-signed": signedLink(
    "GET /artifacts/{artifact_id}/zip/raw",
    "Download an artifact by a signed URL",
    "sig"
  )
} as const
