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
  "repository.actions.secret.list": actions("GET /secrets", "T", "Own"),
  "repository.actions.secret.set": actions("PUT /secrets/{secretname}", "T", "Own"),
  "repository.actions.secret.delete": actions("DELETE /secrets/{secretname}", "T", "Own"),
  "repository.actions.variable.list": actions("GET /variables", "T", "Own"),
  "repository.actions.variable.read": actions("GET /variables/{variablename}", "T", "Own"),
  "repository.actions.variable.create": actions("POST /variables/{variablename}", "T", "Own"),
  "repository.actions.variable.set": actions("PUT /variables/{variablename}", "T", "Own"),
  "repository.actions.variable.delete": actions("DELETE /variables/{variablename}", "T", "Own"),
  "repository.actions.runner.list": actions("GET /runners", "T", "Own"),
  "repository.actions.runner.registration-token.create": actions("POST /runners/registration-token", "T", "Own"),
  "repository.actions.runner.read": actions("GET /runners/{runner_id}", "T", "Own"),
  "repository.actions.runner.delete": actions("DELETE /runners/{runner_id}", "T", "Own"),
  "repository.actions.runner.edit": actions("PATCH /runners/{runner_id}", "T", "Own"),
  "repository.actions.run.list": actions("GET /runs", "T", "R:actions"),
  "repository.actions.job.list": actions("GET /jobs", "T", "R:actions"),
  "repository.actions.workflow.list": actions("GET /workflows", "T", "R:actions"),
  "repository.actions.workflow.read": actions("GET /workflows/{workflow_id}", "T", "R:actions"),
  "repository.actions.workflow.run.list": actions("GET /workflows/{workflow_id}/runs", "T", "R:actions"),
  "repository.actions.workflow.disable": actions("PUT /workflows/{workflow_id}/disable", "T", "W:actions"),
  "repository.actions.workflow.enable": actions("PUT /workflows/{workflow_id}/enable", "T", "W:actions"),
  "repository.actions.workflow.dispatch": actions("POST /workflows/{workflow_id}/dispatches", "T", "W:actions"),
  "repository.actions.job.read": actions("GET /jobs/{job_id}", "R:actions"),
  "repository.actions.job.logs": actions("GET /jobs/{job_id}/logs", "R:actions"),
  "repository.actions.task.list": actions("GET /tasks", "R:actions"),
  "repository.actions.run.read": actions("GET /runs/{run}", "R:actions"),
  "repository.actions.run.attempt.read": actions("GET /runs/{run}/attempts/{attempt}", "R:actions"),
  "repository.actions.run.attempt.job.list": actions("GET /runs/{run}/attempts/{attempt}/jobs", "R:actions"),
  "repository.actions.run.delete": actions("DELETE /runs/{run}", "T", "W:actions"),
  "repository.actions.run.rerun": actions("POST /runs/{run}/rerun", "T", "W:actions"),
  "repository.actions.run.rerun-failed-jobs": actions("POST /runs/{run}/rerun-failed-jobs", "T", "W:actions"),
  "repository.actions.run.job.rerun": actions("POST /runs/{run}/jobs/{job_id}/rerun", "T", "W:actions"),
  "repository.actions.run.job.list": actions("GET /runs/{run}/jobs", "R:actions"),
  "repository.actions.run.artifact.list": actions("GET /runs/{run}/artifacts", "R:actions"),
  "repository.actions.artifact.list": actions("GET /artifacts", "R:actions"),
  "repository.actions.artifact.read": actions("GET /artifacts/{artifact_id}", "R:actions"),
  "repository.actions.artifact.delete": actions("DELETE /artifacts/{artifact_id}", "W:actions"),
  "repository.actions.artifact.download": actions("GET /artifacts/{artifact_id}/zip", "R:actions"),
  "repository.actions.artifact.download-signed": signedLink("GET /artifacts/{artifact_id}/zip/raw", "sig")
} as const
