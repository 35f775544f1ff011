import type { ActionWorkflow, ActionWorkflowRun } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { pathOf, repositoryPath, withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { dispatch, dispatchForm, dispatchOperations, loadDispatched, loadEnvironments } from "./dispatchForm.ts"
import { stateOfRun } from "./runStates.ts"

const statuses = ["queued", "waiting", "in_progress", "success", "failure", "cancelled", "skipped"] as const

const statusIn = ({ query }: Visit) => statuses.find((each) => each === query.get("status"))

/** The access checks that decide which buttons of a workflow the viewer gets. */
const offered = {
  enable: ["repository.actions.workflow.enable", "repo"],
  disable: ["repository.actions.workflow.disable", "repo"],
  dispatch: ["repository.actions.workflow.dispatch", "repo"]
} as const

const load = async (visit: Visit) => {
  const { forge, query } = visit
  const params = namedIn(visit)
  const name = query.get("workflow") ?? ""
  const status = statusIn(visit)
  const asked = {
    page: pageNumber(visit),
    limit: rowsPerPage,
    ...(status === undefined ? {} : { status: [status] })
  }
  const [{ may, repository }, workflows, runs] = await Promise.all([
    loadRepository(visit, offered),
    forge.repository.actions.workflow.list({ params }),
    name === ""
      ? forge.repository.actions.run.list({ params, query: asked })
      : forge.repository.actions.workflow.run.list({ params: { ...params, workflow_id: name }, query: asked })
  ])
  const workflow = workflows.find(({ id }) => id === name)
  const dispatched = may.dispatch ? await loadDispatched(visit, workflow) : undefined
  const environments = await loadEnvironments(visit, dispatched)
  return { repository, may, workflows, runs, workflow, dispatched, environments }
}

const runRow = (visit: Visit, run: ActionWorkflowRun): Html => {
  const { automation } = visit.texts
  const at = `${repositoryPath(repositoryIn(visit))}/actions/runs/${run.id}`
  return html`<li>${stateOfRun(visit, run)}<div class="grow"><h3><a href="${at}">${run.display_title === "" ? automation.run(run.run_number) : run.display_title}</a></h3><div class="small soft">${automation.run(run.run_number)} · ${run.event} · ${icon("git-branch")} ${run.head_branch} · ${automation.by} <a href="${pathOf(run.actor.login)}">${run.actor.login}</a></div></div><span class="small soft">${time(visit, run.created_at)}</span></li>`
}

const workflowMenu = (visit: Visit, workflows: ReadonlyArray<ActionWorkflow>, current: string): Html => {
  const { automation } = visit.texts
  const link = (to: string, label: Html | string, isCurrent: boolean) =>
    html`<li><a href="${to}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`
  return html`<aside><section><h2>${automation.workflows}</h2><ul>${link(visit.url.pathname, automation.allWorkflows, current === "")}${workflows.map(({ id, name, state }) => link(withQuery(visit.url, { workflow: id, page: undefined }), html`${name}${state !== "active" && html` <span class="badge">${automation.disabled}</span>`}`, current === id))}</ul></section></aside>`
}

const workflowHead = (visit: Visit, { may, workflow }: Awaited<ReturnType<typeof load>>): Html => {
  if (workflow === undefined) return nothing
  const { automation } = visit.texts
  const isActive = workflow.state === "active"
  const does = isActive ? "disable" : "enable"
  return html`<h2>${workflow.name}</h2><code>${workflow.path}</code>${may[does] && html`<span class="push">${formTo(visit, withQuery(visit.url, { page: undefined }), html`<button class="button" name="do" value="${does}">${automation[does]}</button>`, "inline")}</span>`}`
}

const statusFilter = (visit: Visit): Html => {
  const { automation } = visit.texts
  const workflow = visit.query.get("workflow")
  return html`<form class="filters" aria-label="${automation.filter}" action="${visit.url.pathname}">${workflow !== null && html`<input type="hidden" name="workflow" value="${workflow}">`}<select name="status" aria-label="${automation.status}"><option value="">${automation.anyStatus}</option>${statuses.map((each) => html`<option value="${each}"${each === statusIn(visit) && html` selected`}>${automation.states[each]}</option>`)}</select><button class="button">${automation.filter}</button></form>`
}

/** `/{owner}/{repo}/actions`: the runs of all workflows or of one workflow, and the form that starts a workflow. */
export const actionsPage = page({
  path: "/:owner/:repo/actions",
  operations: [
    ...repositoryOperations,
    "repository.actions.workflow.list",
    "repository.actions.workflow.enable",
    "repository.actions.workflow.disable",
    ...dispatchOperations,
    "repository.actions.workflow.run.list",
    "repository.actions.run.list"
  ],
  signIn: true,
  load,
  view: (loaded, visit) => {
    const { dispatched, environments, may, repository, runs, workflow, workflows } = loaded
    const { automation } = visit.texts
    const starts = dispatched?.state === "active" && dispatched.dispatch_inputs !== null
    return {
      title: `${automation.actions} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "actions", visit, may),
      body: html`<div class="split"><div><div class="title">${workflowHead(visit, loaded)}</div>${starts && dispatchForm(visit, repository, dispatched, environments)}${statusFilter(visit)}${card(
        automation.runs,
        runs.length === 0
          ? empty(workflows.length === 0 ? automation.noWorkflows : automation.noRuns)
          : html`<ul class="rows">${runs.map((run) => runRow(visit, run))}</ul>`
      )}${pagination(visit, runs.length === rowsPerPage)}</div>${workflowMenu(visit, workflows, workflow?.id ?? "")}</div>`
    }
  },
  submit: async (visit) => {
    const workflow = visit.query.get("workflow") ?? ""
    if (workflow === "") throw new NotFound()
    const does = typed(visit.form, "do")
    const params = { ...namedIn(visit), workflow_id: workflow }
    if (does === "dispatch" || does === "inputs") return dispatch(visit, workflow)
    const { disable, enable } = visit.forge.repository.actions.workflow
    if (does === "enable") await enable({ params })
    if (does === "disable") await disable({ params })
    return { to: withQuery(visit.url, { page: undefined }) }
  }
})
