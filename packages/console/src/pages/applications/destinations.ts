import type { ApplicationDestination } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  formSection,
  type Html,
  html,
  otherProblems,
  selectField,
  typed
} from "@slipway/web/foundation"
import { applicationFrame } from "../../layout/frames.ts"
import { applicationPath, serverPath } from "../../layout/links.ts"
import { statusBadge } from "../../layout/states.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { applicationIn, applicationOperations, loadApplication } from "./loadApplication.ts"

const row = (
  visit: ConsoleVisit,
  destination: ApplicationDestination,
  serverName: string | undefined,
  mayUpdate: boolean
): Html => {
  const { destinations: t } = visit.texts
  const { application_uuid: application, is_additional: isAdditional, server_uuid: server, status, uuid } = destination
  const name = serverName ?? server
  return html`<li>${statusBadge(status)}<div class="grow"><h3><a href="${serverPath(server)}">${name}</a></h3><div class="small soft"><code>${destination.network}</code> · ${isAdditional ? html`<a href="${applicationPath(application)}">${t.copy}</a>` : t.own}</div></div>${mayUpdate && isAdditional && actionButton(visit, { do: "remove", destination: uuid }, t.remove, { className: "button danger", about: name })}</li>`
}

/** `/applications/{uuid}/destinations`: the servers on which an application runs, with its state on each of them. */
export const destinationsPage = page({
  path: "/applications/:application/destinations",
  operations: [
    ...applicationOperations,
    "applications.destinations",
    "applications.addDestination",
    "applications.removeDestination",
    "servers.list",
    "servers.listAllDestinations"
  ],
  load: async (visit) => {
    const params = applicationIn(visit)
    const { applications, servers } = visit.deploy
    const [application, used, all, named, may] = await Promise.all([
      loadApplication(visit),
      applications.destinations({ params }),
      servers.listAllDestinations({ query: { per_page: 100 } }),
      servers.list({ query: { per_page: 100 } }),
      decisionsOn(visit, { update: ["application.update", params.uuid] })
    ])
    const names = new Map(named.map(({ name, uuid }) => [uuid, name]))
    const taken = new Set(used.map((each) => each.server_uuid))
    const others = all.filter((each) => names.has(each.server_uuid) && !taken.has(each.server_uuid))
    return { application, used, others, names, may }
  },
  view: ({ application, may, names, others, used }, visit) => {
    const { destinations: t } = visit.texts
    return {
      title: `${t.title} · ${application.name ?? application.uuid}`,
      frame: applicationFrame(visit, application, "destinations"),
      body: html`${otherProblems(visit, ["add"])}
${card(t.title, html`<ul class="rows">${used.map((each) => row(visit, each, names.get(each.server_uuid), may.update))}</ul><p class="body small soft">${t.hint}</p>`)}
${
  may.update &&
  others.length > 0 &&
  formSection(visit, {
    key: "add",
    title: t.add,
    hint: t.addHint,
    fields: (own) =>
      selectField(own, {
        name: "destination_uuid",
        label: visit.texts.words.destination,
        options: others.map(({ network, server_uuid: server, uuid }) => ({
          value: uuid,
          label: `${names.get(server) ?? server} · ${network}`
        }))
      }),
    button: t.add
  })
}`
    }
  },
  submit: async (visit) => {
    const params = applicationIn(visit)
    const { applications } = visit.deploy
    try {
      if (typed(visit.form, "do") === "remove") {
        const destination = typed(visit.form, "destination")
        await applications.removeDestination({ params: { ...params, destination_uuid: destination } })
      } else {
        const body = { destination_uuid: typed(visit.form, "destination_uuid") }
        await applications.addDestination({ params, body })
      }
      return { to: applicationPath(params.uuid, "destinations") }
    } catch (error) {
      return rejectedForm(error, ["destination_uuid"])
    }
  }
})
