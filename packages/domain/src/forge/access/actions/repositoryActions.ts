import { area } from "../Action.ts"

const actions = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/actions",
  scope: ["repository"],
  guards: ["repo-visible"]
})
const signedLink = area({ on: "signedLink", base: "/repos/{username}/{reponame}/actions", scope: [] })

/** The actions service of a repository: each action with its route and the guards of its row. */
export const repositoryServiceActions = {
  "repository.actions.secret.list": actions("GET /secrets", "sign-in", "repo-owner"),
  "repository.actions.secret.set": actions("PUT /secrets/{secretname}", "sign-in", "repo-owner"),
  "repository.actions.secret.delete": actions("DELETE /secrets/{secretname}", "sign-in", "repo-owner"),
  "repository.actions.variable.list": actions("GET /variables", "sign-in", "repo-owner"),
  "repository.actions.variable.read": actions("GET /variables/{variablename}", "sign-in", "repo-owner"),
  "repository.actions.variable.create": actions("POST /variables/{variablename}", "sign-in", "repo-owner"),
  "repository.actions.variable.set": actions("PUT /variables/{variablename}", "sign-in", "repo-owner"),
  "repository.actions.variable.delete": actions("DELETE /variables/{variablename}", "sign-in", "repo-owner"),
  "repository.actions.runner.list": actions("GET /runners", "sign-in", "repo-owner"),
  "repository.actions.runner.registration-token.create": actions(
    "POST /runners/registration-token",
    "sign-in",
    "repo-owner"
  ),
  "repository.actions.runner.read": actions("GET /runners/{runner_id}", "sign-in", "repo-owner"),
  "repository.actions.runner.delete": actions("DELETE /runners/{runner_id}", "sign-in", "repo-owner"),
  "repository.actions.runner.edit": actions("PATCH /runners/{runner_id}", "sign-in", "repo-owner"),
  "repository.actions.run.list": actions("GET /runs", "sign-in", "R:actions"),
  "repository.actions.job.list": actions("GET /jobs", "sign-in", "R:actions"),
  "repository.actions.workflow.list": actions("GET /workflows", "sign-in", "R:actions"),
  "repository.actions.workflow.read": actions("GET /workflows/{workflow_id}", "sign-in", "R:actions"),
  "repository.actions.workflow.run.list": actions("GET /workflows/{workflow_id}/runs", "sign-in", "R:actions"),
  "repository.actions.workflow.disable": actions("PUT /workflows/{workflow_id}/disable", "sign-in", "W:actions"),
  "repository.actions.workflow.enable": actions("PUT /workflows/{workflow_id}/enable", "sign-in", "W:actions"),
  "repository.actions.workflow.dispatch": actions("POST /workflows/{workflow_id}/dispatches", "sign-in", "W:actions"),
  "repository.actions.job.read": actions("GET /jobs/{job_id}", "R:actions"),
  "repository.actions.job.logs": actions("GET /jobs/{job_id}/logs", "R:actions"),
  "repository.actions.task.list": actions("GET /tasks", "R:actions"),
  "repository.actions.run.read": actions("GET /runs/{run}", "R:actions"),
  "repository.actions.run.attempt.read": actions("GET /runs/{run}/attempts/{attempt}", "R:actions"),
  "repository.actions.run.attempt.job.list": actions("GET /runs/{run}/attempts/{attempt}/jobs", "R:actions"),
  "repository.actions.run.delete": actions("DELETE /runs/{run}", "sign-in", "W:actions"),
  "repository.actions.run.rerun": actions("POST /runs/{run}/rerun", "sign-in", "W:actions"),
  "repository.actions.run.rerun-failed-jobs": actions("POST /runs/{run}/rerun-failed-jobs", "sign-in", "W:actions"),
  "repository.actions.run.job.rerun": actions("POST /runs/{run}/jobs/{job_id}/rerun", "sign-in", "W:actions"),
  "repository.actions.run.job.list": actions("GET /runs/{run}/jobs", "R:actions"),
  "repository.actions.run.artifact.list": actions("GET /runs/{run}/artifacts", "R:actions"),
  "repository.actions.artifact.list": actions("GET /artifacts", "R:actions"),
  "repository.actions.artifact.read": actions("GET /artifacts/{artifact_id}", "R:actions"),
  "repository.actions.artifact.delete": actions("DELETE /artifacts/{artifact_id}", "W:actions"),
  "repository.actions.artifact.download": actions("GET /artifacts/{artifact_id}/zip", "R:actions"),
  "repository.actions.artifact.download-signed": signedLink("GET /artifacts/{artifact_id}/zip/raw", "sig")
} as const
