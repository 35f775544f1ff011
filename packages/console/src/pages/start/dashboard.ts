import type { Deployment, ListedServer, Project, Resource } from "@slipway/client/deploy"
import { card, empty, type Html, html, linkButton, nothing, number, time } from "@slipway/web/foundation"
import { applicationPath, projectPath, resourcePath, serverPath, servicePath } from "../../layout/links.ts"
import { deploymentBadge, shortCommit, statusBadge, toneOf } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"

const mostRows = 10

/** Maximum number of projects and of servers that the dashboard shows. The list pages show all of them. */
const mostCards = 50

interface Loaded {
  readonly projects: ReadonlyArray<Project>
  readonly servers: ReadonlyArray<ListedServer>
  readonly resources: ReadonlyArray<Resource>
  readonly running: ReadonlyArray<Deployment>
  readonly failed: ReadonlyArray<Deployment>
  readonly may: Readonly<Record<"createProject" | "createServer", boolean>>
}

const isRunning = ({ status }: Resource): boolean => toneOf(status) === "ok"

const projectRow = (visit: ConsoleVisit, project: Project, resources: ReadonlyArray<Resource>): Html => {
  const own = resources.filter(({ project_uuid: of }) => of === project.uuid)
  const running = own.filter(isRunning).length
  const tone = own.length === 0 ? "" : running === own.length ? "ok" : "warn"
  return html`<li><div class="grow"><h3><a href="${projectPath(project.uuid)}">${project.name}</a></h3><div class="small soft">${project.description}</div></div><span class="badge ${tone}">${visit.texts.start.healthy(running, own.length)}</span></li>`
}

/** Shows a deployment with a link to its page, on the pages of its service or its application. */
const deploymentRow = (visit: ConsoleVisit, deployment: Deployment, resources: ReadonlyArray<Resource>): Html => {
  const isOfService = resources.some(({ type, uuid }) => type === "service" && uuid === deployment.application_uuid)
  const pathOf = isOfService ? servicePath : applicationPath
  return html`<li>${deploymentBadge(deployment)}<div class="grow"><h3><a href="${pathOf(deployment.application_uuid, "deployments", deployment.deployment_uuid)}">${deployment.application_name}</a></h3><div class="small soft">${shortCommit(deployment.commit)} ${deployment.server_name}</div></div><span class="small soft">${time(visit, deployment.created_at)}</span></li>`
}

const step = ({ texts }: ConsoleVisit, isDone: boolean, text: string, to: string | undefined): Html =>
  html`<li><span class="badge ${isDone ? "ok" : "warn"}">${isDone ? texts.start.done : texts.start.open}</span><span class="grow">${isDone || to === undefined ? text : html`<a href="${to}">${text}</a>`}</span></li>`

const checklist = (visit: ConsoleVisit, { may, projects, resources, servers }: Loaded): Html => {
  const isReachable = servers.some(({ settings }) => settings.is_reachable)
  if (isReachable && projects.length > 0 && resources.length > 0) return nothing
  const { start } = visit.texts
  const [server] = servers
  const [project] = projects
  const toServer = server === undefined ? "/servers" : serverPath(server.uuid)
  const hasProxy = servers.some(({ proxy_type: type }) => type !== "none")
  const hasDomain = servers.some(({ wildcard_domain: domain }) => domain !== null)
  return card(
    start.checklist,
    html`<ul class="rows">${step(visit, isReachable, isReachable ? start.reachable : start.unreachable, toServer)}${step(visit, hasProxy, start.hasProxy, toServer)}${step(visit, hasDomain, start.hasDomain, toServer)}${step(visit, projects.length > 0, start.hasProject, may.createProject ? "/projects/new" : undefined)}${step(visit, resources.length > 0, start.hasApplication, project === undefined ? "/projects" : projectPath(project.uuid))}</ul>`
  )
}

/** Shows how much of the disk and the memory of a server is used. */
const use = (visit: ConsoleVisit, { disk_check: disk, memory_use: memory }: ListedServer): Html => {
  const { servers: t } = visit.texts
  const parts = [
    ...(typeof disk?.percent === "number" ? [t.diskUse(number(visit, disk.percent))] : []),
    ...(memory === null ? [] : [t.memoryUse(number(visit, memory.percent))])
  ]
  return html`<span class="small soft">${parts.join(" · ")}</span>`
}

/** `/`: the projects with their health, running and failed deployments, resources that need attention, and servers. */
export const dashboardPage = page<Loaded>({
  path: "/",
  operations: ["projects.list", "servers.list", "resources.list", "deployments.list", "people.check"],
  load: async (visit) => {
    const { deploy } = visit
    const [projects, servers, resources, running, failed, may] = await Promise.all([
      deploy.projects.list({ query: { per_page: mostCards } }),
      deploy.servers.list({ query: { per_page: mostCards } }),
      deploy.resources.list(),
      deploy.deployments.list({ query: { selection: "open", per_page: mostRows } }),
      deploy.deployments.list({ query: { selection: "failed", per_page: mostRows } }),
      decisionsOn(visit, { createProject: ["project.create"], createServer: ["server.create"] })
    ])
    return { projects, servers, resources, running, failed, may }
  },
  view: (loaded, visit) => {
    const { failed, may, projects, resources, running, servers } = loaded
    const { start } = visit.texts
    const failing = resources.filter((each) => !isRunning(each) && toneOf(each.status) !== "").slice(0, mostRows)
    return {
      title: start.title,
      body: html`<div class="title"><h1>${start.title}</h1>${may.createProject && linkButton("/projects/new", visit.texts.projects.newTitle, "plus", "primary push")}</div>
${checklist(visit, loaded)}
${card(start.projects, projects.length === 0 ? empty(start.firstProject, may.createProject ? linkButton("/projects/new", visit.texts.projects.newTitle) : nothing) : html`<ul class="rows">${projects.map((project) => projectRow(visit, project, resources))}</ul>`)}
${card(start.running, running.length === 0 ? empty(start.noneRunning) : html`<ul class="rows">${running.map((each) => deploymentRow(visit, each, resources))}</ul>`)}
${card(start.failures, failing.length === 0 ? empty(start.noFailures) : html`<ul class="rows">${failing.map((each) => html`<li>${statusBadge(each.status)}<h3 class="grow"><a href="${resourcePath(each)}">${each.name ?? each.uuid}</a></h3><span class="small soft">${each.environment_name}</span></li>`)}</ul>`)}
${failed.length > 0 && card(start.failedDeployments, html`<ul class="rows">${failed.map((each) => deploymentRow(visit, each, resources))}</ul>`)}
${card(start.servers, servers.length === 0 ? empty(start.firstServer, may.createServer ? linkButton("/servers/new", visit.texts.servers.add) : nothing) : html`<ul class="rows">${servers.map((server) => html`<li><span class="badge ${server.settings.is_reachable ? "ok" : "bad"}">${server.settings.is_reachable ? visit.texts.servers.reachable : visit.texts.servers.unreachable}</span><h3 class="grow"><a href="${serverPath(server.uuid)}">${server.name}</a></h3>${use(visit, server)}</li>`)}</ul>`)}`
    }
  }
})
