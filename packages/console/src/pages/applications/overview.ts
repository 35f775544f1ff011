import type { Application, ApplicationStatus, Deployment, Release } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formTo,
  type Html,
  html,
  linkButton,
  nothing,
  problemSummary,
  time,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { live } from "../../layout/logView.ts"
import { deploymentBadge, domainLinks, imageName, isUnfinished, shortCommit, statusBadge } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

interface Permissions {
  readonly deploy: boolean
  readonly stop: boolean
}

const buttons = (visit: ConsoleVisit, { serving, state }: ApplicationStatus, may: Permissions): Html => {
  const { applications: t, words } = visit.texts
  const button = (does: string, label: string, className = "") =>
    html`<button class="button ${className}" name="do" value="${does}">${label}</button>`
  return formTo(
    visit,
    visit.url.pathname,
    html`${may.deploy && html`${button("deploy", serving === null ? t.deploy : t.redeploy, "primary")}${serving !== null && button("restart", words.restart)}`}${may.stop && state !== "stopped" && button("stop", words.stop)}`,
    "row push"
  )
}

const servingCard = (visit: ConsoleVisit, application: Application, status: ApplicationStatus): Html => {
  const { applications: t } = visit.texts
  const { changed, reason, serving, unreachable } = status
  return card(
    t.serving,
    html`<div class="body">${serving === null ? html`<p>${t.nothingServes}</p>` : html`<p>${statusBadge(application.status)} ${shortCommit(serving.commit)} ${imageName(serving.image)} ${time(visit, serving.created_at)}</p>`}
${application.fqdn !== null && html`<p>${domainLinks(application.fqdn)}</p>`}
${[unreachable, reason].map((each) => (each === null ? nothing : html`<p class="alert bad">${each}</p>`))}
${serving !== null && changed.length > 0 && html`<p class="alert warn">${t.changed(changed.join(", "))}</p>`}</div>`
  )
}

const containersCard = ({ texts }: ConsoleVisit, { containers }: ApplicationStatus): Html => {
  const { applications: t } = texts
  return card(
    t.containers,
    containers.length === 0
      ? empty(t.noContainers)
      : html`<ul class="rows">${containers.map(
          (each) =>
            html`<li>${statusBadge(each.health === null ? each.state : `${each.state}:${each.health}`)}<div class="grow"><h3>${each.name}</h3><div class="small soft">${imageName(each.image)}${typeof each.restarts === "number" && each.restarts > 0 && html` · ${t.restarts(each.restarts)}`}${typeof each.exit_code === "number" && each.state !== "running" && html` · ${t.exit(each.exit_code)}`}${each.out_of_memory && html` · ${t.outOfMemory}`}</div></div></li>`
        )}</ul>`
  )
}

/** Returns the title of a deployment: its commit message, its commit SHA, or its image. */
export const deploymentTitle = ({ texts }: ConsoleVisit, deployment: Deployment): string => {
  const { commit, commit_message: message, image } = deployment
  if (message !== null && message !== "") return message.split("\n", 1)[0] ?? ""
  return texts.applications.deploymentTitle(
    commit === "" ? (image ?? deployment.application_name) : commit.slice(0, 10)
  )
}

/** Shows a deployment as a row with a link to its log, on the pages of an application by default. */
export const deploymentRow = (visit: ConsoleVisit, deployment: Deployment, pathOf = applicationPath): Html => {
  const { applications: t } = visit.texts
  const { commit, deployment_uuid: uuid, pull_request_id: pull, reason } = deployment
  return html`<li>${deploymentBadge(deployment)}<div class="grow"><h3><a href="${pathOf(deployment.application_uuid, "deployments", uuid)}">${deploymentTitle(visit, deployment)}</a></h3><div class="small soft">${deployment.action}${commit !== "" && html` · ${shortCommit(commit)}`}${typeof pull === "number" && pull > 0 && html` · ${t.previewOf(pull)}`}${reason !== null && html` · ${reason}`}</div></div><span class="small soft">${time(visit, deployment.created_at)}</span></li>`
}

const releasesCard = (visit: ConsoleVisit, releases: ReadonlyArray<Release>, mayRollBack: boolean): Html => {
  const { applications: t } = visit.texts
  return card(
    t.releases,
    releases.length === 0
      ? empty(t.noReleases)
      : html`<ul class="rows">${releases.map(
          (each) =>
            html`<li><div class="grow"><h3>${shortCommit(each.commit)}</h3><div class="small soft">${imageName(each.image)}${!each.has_served && html` · ${t.neverServed}`}</div></div><span class="small soft">${time(visit, each.created_at)}</span>${each.is_current ? html`<span class="badge ok">${t.current}</span>` : mayRollBack && actionButton(visit, { do: "rollback", release: each.release_uuid }, t.rollBack, { about: t.rollBackTo(each.commit.slice(0, 10)) })}</li>`
        )}</ul>`
  )
}

/**
 * `/applications/{uuid}`: the release that receives requests, its containers, the latest deployment and all releases.
 */
export const overviewPage = page({
  path: "/applications/:application",
  operations: [
    ...applicationOperations,
    "runs.status",
    "runs.releases",
    "runs.start",
    "runs.stop",
    "runs.restart",
    "runs.rollback"
  ],
  load: async (visit) => {
    const params = applicationIn(visit)
    const [application, status, releases, may] = await Promise.all([
      loadApplication(visit),
      visit.deploy.runs.status({ params }),
      visit.deploy.runs.releases({ params }),
      decisionsOn(visit, {
        deploy: ["application.deploy.request", params.uuid],
        stop: ["application.deploy", params.uuid],
        seeDeployers: ["application.deployer.list", params.uuid]
      })
    ])
    return { application, may, status, releases: releases.images }
  },
  view: ({ application, may, releases, status }, visit) => {
    const { applications: t } = visit.texts
    const latest = status.latest_deployment
    const isMoving = latest !== null && isUnfinished(latest)
    const frame = applicationFrame(visit, application, "overview")
    return {
      title: application.name ?? application.uuid,
      frame: { ...frame, heading: html`${frame.heading}${(may.deploy || may.stop) && buttons(visit, status, may)}` },
      body: html`${problemSummary(visit)}
${live(
  visit,
  "state",
  isMoving,
  html`${servingCard(visit, application, status)}
${card(t.latest, latest === null ? empty(t.noDeployments) : html`<ul class="rows">${deploymentRow(visit, latest)}</ul>`)}
${containersCard(visit, status)}`
)}
${releasesCard(visit, releases, may.deploy)}
${may.seeDeployers && html`<p>${linkButton(applicationPath(application.uuid, "deployers"), visit.texts.people.deployers, "people")}</p>`}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { restart, rollback, start, stop } = visit.deploy.runs
    const does = typed(visit.form, "do")
    try {
      if (does === "stop") {
        await stop({ params })
        return { to: applicationPath(params.uuid) }
      }
      const deployment =
        does === "restart"
          ? await restart({ params })
          : does === "rollback"
            ? await rollback({ params, body: { commit: typed(visit.form, "release") } })
            : await start({ params })
      return { to: applicationPath(params.uuid, "deployments", deployment.deployment_uuid) }
    } catch (error) {
      return rejectedForm(error, [])
    }
  }
})
