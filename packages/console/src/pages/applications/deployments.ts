import type { Deployment } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  type Frame,
  type Html,
  html,
  NotFound,
  nothing,
  pageNumber,
  pagination,
  problemSummary,
  Redirect,
  rowsPerPage,
  time,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { live, logView } from "../../layout/logView.ts"
import { deploymentBadge, imageName, isUnfinished, shortCommit } from "../../layout/states.ts"
import { type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"
import { deploymentRow, deploymentTitle } from "./overview.ts"

/** Maximum number of log lines on the page of a deployment. */
const mostLines = 1_000

/** `/applications/{uuid}/deployments`: the deployments of an application, newest first. */
export const deploymentsPage = page({
  path: "/applications/:application/deployments",
  operations: [...applicationOperations, "runs.ofApplication"],
  load: async (visit) => {
    const skip = (pageNumber(visit) - 1) * rowsPerPage
    const [application, { deployments }] = await Promise.all([
      loadApplication(visit),
      visit.deploy.runs.ofApplication({ params: applicationIn(visit), query: { skip, take: rowsPerPage } })
    ])
    return { application, deployments }
  },
  view: ({ application, deployments }, visit) => {
    const { applications: t } = visit.texts
    return {
      title: `${t.deployments} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "deployments"),
      body: html`${card(t.deployments, deployments.length === 0 ? empty(t.noDeployments) : html`<ul class="rows">${deployments.map((each) => deploymentRow(visit, each))}</ul>`)}${pagination(visit, deployments.length === rowsPerPage)}`
    }
  }
})

const awaitsApproval = ({ approval_until: until, status }: Deployment): boolean => status === "queued" && until !== null

const deploymentIn = ({ params }: ConsoleVisit) => ({ uuid: params.deployment ?? "" })

const fact = (label: string, value: Html | string): Html => html`<dt>${label}</dt><dd>${value}</dd>`

/** The application or service that deployments belong to. */
interface DeployedResource {
  readonly uuid: string
  readonly name: string | null
}

/** The pages of a deployed resource that the page of a deployment is one of. */
interface DeploymentOwner<Resource extends DeployedResource> {
  readonly path: `/${string}`
  /** The operations of `load`. */
  readonly operations: ReadonlyArray<Operation>
  readonly load: (visit: ConsoleVisit) => Promise<Resource>
  readonly frame: (visit: ConsoleVisit, resource: Resource) => Frame
}

/** Makes the page of a deployment: its state and its log, updated live until it ends. */
export const deploymentPageOf = <Resource extends DeployedResource>(owner: DeploymentOwner<Resource>) =>
  page({
    path: `${owner.path}/deployments/:deployment`,
    operations: [
      ...owner.operations,
      "deployments.get",
      "runs.log",
      "runs.cancel",
      "runs.approve",
      "runs.reject",
      "people.check"
    ],
    load: async (visit) => {
      const params = deploymentIn(visit)
      const [resource, deployment, lines] = await Promise.all([
        owner.load(visit),
        visit.deploy.deployments.get({ params }),
        visit.deploy.runs.log({ params, query: { limit: mostLines } })
      ])
      if (deployment.application_uuid !== resource.uuid) throw new NotFound()
      const isWaiting = awaitsApproval(deployment)
      const may = isWaiting
        ? await decisionsOn(visit, {
            approve: ["deployment.approve", resource.uuid],
            reject: ["deployment.reject", resource.uuid]
          })
        : { approve: false, reject: false }
      const { cancel } = isUnfinished(deployment)
        ? await decisionsOn(visit, { cancel: ["deployment.cancel", resource.uuid] })
        : { cancel: false }
      return { resource, deployment, lines, isWaiting, may: { ...may, cancel } }
    },
    view: ({ deployment, isWaiting, lines, may, resource }, visit) => {
      const { applications: t, words } = visit.texts
      const isMoving = isUnfinished(deployment)
      return {
        title: `${deploymentTitle(visit, deployment)} · ${resource.name ?? resource.uuid}`,
        frame: owner.frame(visit, resource),
        body: html`${problemSummary(visit)}${live(
          visit,
          "deployment",
          isMoving,
          html`<div class="title"><h2>${deploymentTitle(visit, deployment)}</h2>${deploymentBadge(deployment)}${may.approve && actionButton(visit, { do: "approve" }, t.approve, { className: "button primary" })}${may.reject && actionButton(visit, { do: "reject" }, t.reject, { className: "button danger" })}${may.cancel && !isWaiting && actionButton(visit, { do: "cancel" }, t.cancel, { className: "button danger" })}</div>
${isWaiting ? html`<p class="alert">${t.awaitsApproval} ${time(visit, deployment.approval_until ?? "")}<br><span class="small">${deployment.reason ?? ""}</span></p>` : deployment.reason === null ? nothing : html`<p class="alert bad">${t.failure}: ${deployment.reason}</p>`}
<section class="card" aria-label="${words.status}"><dl class="body facts">${deployment.commit !== "" && fact(words.commit, html`${shortCommit(deployment.commit)} ${deployment.commit_message ?? ""}`)}${fact(words.server, deployment.server_name)}${deployment.image !== null && fact(words.image, imageName(deployment.image))}${deployment.started_at !== null && fact(t.started, time(visit, deployment.started_at))}${deployment.finished_at !== null && fact(t.finished, time(visit, deployment.finished_at))}</dl></section>
${card(t.log, html`${lines.length === mostLines && html`<p class="body soft">${t.logCut(mostLines)}</p>`}${logView(visit, t.log, lines)}`)}`
        )}`
      }
    },
    submit: async (visit) => {
      const params = deploymentIn(visit)
      try {
        const { runs } = visit.deploy
        const wanted = typed(visit.form, "do")
        await (wanted === "approve" ? runs.approve : wanted === "reject" ? runs.reject : runs.cancel)({ params })
        return { to: visit.url.pathname }
      } catch (error) {
        return rejectedForm(error, [])
      }
    }
  })

/** `/applications/{uuid}/deployments/{uuid}`: a deployment of an application. */
export const deploymentPage = deploymentPageOf({
  path: "/applications/:application",
  operations: applicationOperations,
  load: loadApplication,
  frame: (visit, application) => applicationFrame(visit, application, "deployments")
})

/** `/deployments/{uuid}`: redirects to the page of a deployment, also of a preview. */
export const anyDeploymentPage = page({
  path: "/deployments/:deployment",
  operations: ["deployments.get"],
  load: async (visit) => {
    const { application_uuid: application, deployment_uuid: uuid } = await visit.deploy.deployments.get({
      params: deploymentIn(visit)
    })
    throw new Redirect(applicationPath(application, "deployments", uuid))
  },
  view: () => ({ title: "", body: nothing })
})
