import {
  actionButton,
  card,
  checkField,
  empty,
  formSection,
  html,
  otherProblems,
  problemSummary,
  safeHref,
  textField,
  typed
} from "@slipway/web/foundation"
import { serviceFrame } from "../../layout/frames.ts"
import { environmentPath, servicePath } from "../../layout/links.ts"
import { logView } from "../../layout/logView.ts"
import { domainLinks, statusBadge } from "../../layout/states.ts"
import { type ConsolePage, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { deploymentPageOf } from "../applications/deployments.ts"
import { deploymentRow } from "../applications/overview.ts"
import { runButtons } from "../databases/databases.ts"
import { serviceBackupsPage } from "./backups.ts"
import { loadService, serviceIn, serviceOperations, templateUpdate } from "./loadService.ts"

/** `/services/{uuid}`: the state of a service, its addresses and its containers. */
const overviewPage = page({
  path: "/services/:service",
  operations: [
    ...serviceOperations,
    "services.status",
    "services.start",
    "services.stop",
    "services.restart",
    "services.readTemplate",
    "services.applyTemplate"
  ],
  load: async (visit) => {
    const params = serviceIn(visit)
    const [service, status, may] = await Promise.all([
      loadService(visit),
      visit.deploy.services.status({ params }),
      decisionsOn(visit, {
        start: ["service.deploy.request", params.uuid],
        stop: ["service.deploy", params.uuid],
        update: ["service.update", params.uuid]
      })
    ])
    return { service, may, latest: status.latest_deployment, update: await templateUpdate(visit, service) }
  },
  view: ({ latest, may, service, update }, visit) => {
    const { applications, databases: t, words } = visit.texts
    const parts = [...service.applications, ...service.databases]
    const frame = serviceFrame(visit, service, "overview")
    const buttons = runButtons(visit, service.status.startsWith("running"), may)
    return {
      title: service.name,
      frame: { ...frame, heading: html`${frame.heading}${buttons}` },
      body: html`${problemSummary(visit)}
${service.urls.length > 0 && card(words.domains, html`<ul class="rows">${service.urls.map(({ name, url }) => html`<li><h3>${name}</h3><span class="grow"><a href="${safeHref(url) ?? ""}">${url}</a></span></li>`)}</ul>`)}
${latest !== null && card(applications.latest, html`<ul class="rows">${deploymentRow(visit, latest, servicePath)}</ul>`)}
${card(t.parts, parts.length === 0 ? empty(words.none) : html`<ul class="rows">${parts.map((each) => html`<li>${statusBadge(each.status)}<div class="grow"><h3>${each.human_name ?? each.name}</h3><div class="small soft"><code>${each.image ?? ""}</code> ${"fqdn" in each && domainLinks(each.fqdn)}</div></div></li>`)}</ul>`)}
${
  update?.has_update === true &&
  card(
    t.newTemplate,
    html`<div class="body"><p class="small soft">${update.is_edited ? t.editedTemplateHint : t.newTemplateHint}</p><pre class="log" tabindex="0" aria-label="${t.newTemplate}">${update.diff}</pre>
${!update.is_edited && may.update && actionButton(visit, { do: "template" }, t.applyTemplate)}</div>`
  )
}
${card(t.compose, html`<details class="body"><summary>${t.compose}</summary><pre class="log" tabindex="0" aria-label="${t.compose}">${service.docker_compose_raw}</pre></details>`)}`
    }
  },
  submit: async (visit) => {
    const params = serviceIn(visit)
    const { restart, start, stop } = visit.deploy.services
    const does = typed(visit.form, "do")
    try {
      if (does === "template") {
        await visit.deploy.services.applyTemplate({ params, body: {} })
        return { to: servicePath(params.uuid) }
      }
      if (does === "stop") {
        await stop({ params })
        return { to: servicePath(params.uuid) }
      }
      const { deployment_uuid: uuid } = await (does === "restart" ? restart : start)({ params })
      return { to: servicePath(params.uuid, "deployments", uuid) }
    } catch (error) {
      return rejectedForm(error, [])
    }
  }
})

/** `/services/{uuid}/deployments/{uuid}`: a deployment of a service. */
const deploymentPage = deploymentPageOf({
  path: "/services/:service",
  operations: [...serviceOperations],
  load: loadService,
  frame: (visit, service) => serviceFrame(visit, service, "overview")
})

/** `/services/{uuid}/logs`: the last lines of the containers of a service. */
const logsPage = page({
  path: "/services/:service/logs",
  operations: [...serviceOperations, "serviceSettings.logs"],
  load: async (visit) => {
    const [service, { lines }] = await Promise.all([
      loadService(visit),
      visit.deploy.serviceSettings.logs({ params: serviceIn(visit), query: { lines: 500 } })
    ])
    return { service, lines }
  },
  view: ({ lines, service }, visit) => {
    const { words } = visit.texts
    return {
      title: `${words.logs} · ${service.name}`,
      frame: serviceFrame(visit, service, "logs"),
      body: card(words.logs, logView(visit, words.logs, lines))
    }
  }
})

/** `/services/{uuid}/settings`: the name of a service, and its deletion. */
const settingsPage = page({
  path: "/services/:service/settings",
  operations: [...serviceOperations, "services.update", "services.delete"],
  load: async (visit) => {
    const { uuid } = serviceIn(visit)
    const [service, may] = await Promise.all([
      loadService(visit),
      decisionsOn(visit, { update: ["service.update", uuid], delete: ["service.delete", uuid] })
    ])
    return { service, may }
  },
  view: ({ may, service }, visit) => {
    const { databases: t, forms, words } = visit.texts
    return {
      title: `${words.settings} · ${service.name}`,
      frame: serviceFrame(visit, service, "settings"),
      body: html`${otherProblems(visit, ["save", "delete"])}
${
  may.update &&
  formSection(visit, {
    key: "save",
    title: words.settings,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true, value: service.name })}
${textField(own, { name: "description", label: words.description, value: service.description })}`,
    button: forms.save
  })
}
${may.delete && deletionSection(visit, { name: service.name, hint: t.deleteServiceHint, button: t.deleteService, fields: (own) => checkField(own, { name: "delete_volumes", label: t.deleteVolumes }) })}`
    }
  },
  submit: async (visit) => {
    const params = serviceIn(visit)
    const { form } = visit
    const { services } = visit.deploy
    try {
      if (typed(form, "do") === "delete") {
        const service = await loadService(visit)
        const problem = deletionProblem(visit, service.name)
        if (problem !== undefined) return problem
        await services.delete({ params, query: { delete_volumes: typed(form, "delete_volumes") === "on" } })
        return { to: environmentPath(service.project_uuid, service.environment_name) }
      }
      await services.update({
        params,
        body: { name: typed(form, "name"), description: typed(form, "description") }
      })
      return { to: servicePath(params.uuid, "settings") }
    } catch (error) {
      return rejectedForm(error, ["name", "description", "confirm"])
    }
  }
})

/** All console pages of services. */
export const servicePages: ReadonlyArray<ConsolePage> = [
  overviewPage,
  deploymentPage,
  serviceBackupsPage,
  logsPage,
  settingsPage
]
