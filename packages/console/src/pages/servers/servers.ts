import type { Resource, ServerDetails } from "@slipway/client/deploy"
import {
  card,
  checkField,
  empty,
  formSection,
  formTo,
  type Html,
  html,
  linkButton,
  nothing,
  number,
  otherProblems,
  pageNumber,
  pagination,
  problemSummary,
  rowsPerPage,
  selectField,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { serverHeading } from "../../layout/frames.ts"
import { resourcePath, serverPath } from "../../layout/links.ts"
import { domainLinks, statusBadge } from "../../layout/states.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { metricsPage } from "./metrics.ts"
import { proxyPage } from "./proxy.ts"

const serverIn = ({ params }: ConsoleVisit) => ({ uuid: params.server ?? "" })

/** `/servers`: all servers that the viewer can access. */
const serversPage = page({
  path: "/servers",
  operations: ["servers.list", "people.check"],
  load: async (visit) => {
    const [servers, may] = await Promise.all([
      visit.deploy.servers.list({ query: { page: pageNumber(visit), per_page: rowsPerPage } }),
      decisionsOn(visit, { create: ["server.create"] })
    ])
    return { servers, may }
  },
  view: ({ may, servers }, visit) => {
    const { servers: t, start } = visit.texts
    return {
      title: start.servers,
      body: html`<div class="title"><h1>${start.servers}</h1>${may.create && linkButton("/servers/new", t.add, "plus", "primary push")}</div>
${card(start.servers, servers.length === 0 ? empty(start.firstServer) : html`<ul class="rows">${servers.map(({ description, ip, name, settings, uuid }) => html`<li><span class="badge ${settings.is_reachable ? "ok" : "bad"}">${settings.is_reachable ? t.reachable : t.unreachable}</span><div class="grow"><h3><a href="${serverPath(uuid)}">${name}</a></h3><div class="small soft">${description === "" ? ip : description}</div></div></li>`)}</ul>`)}${pagination(visit, servers.length === rowsPerPage)}`
    }
  }
})

const addressFields = ["name", "description", "ip", "port", "user", "private_key_uuid"] as const

/** `/servers/new`: adds a server that is reached over SSH. */
const newServerPage = page({
  path: "/servers/new",
  operations: ["servers.create", "keys.list", "people.check"],
  load: async (visit) => {
    const [keys, may] = await Promise.all([
      visit.deploy.keys.list({ query: { per_page: 100 } }),
      decisionsOn(visit, { create: ["server.create"] })
    ])
    return { keys, may }
  },
  view: ({ keys, may }, visit) => {
    const { servers: t, words } = visit.texts
    return {
      title: t.add,
      body: html`<div class="narrow"><div class="title"><h1>${t.add}</h1></div>${problemSummary(visit)}${
        may.create
          ? html`<p class="soft">${t.addHint}</p>${keys.length === 0 && html`<p class="alert warn">${t.noKeys}</p>`}${formTo(
              visit,
              "/servers/new",
              html`${textField(visit, { name: "name", label: words.name, required: true })}
${textField(visit, { name: "description", label: words.description })}
${textField(visit, { name: "ip", label: t.address, required: true })}
${textField(visit, { name: "port", label: t.port, type: "number", value: "22" })}
${textField(visit, { name: "user", label: t.user, value: "root" })}
${selectField(visit, { name: "private_key_uuid", label: t.key, options: keys.map(({ name, uuid }) => ({ value: uuid, label: name })) })}
<p><button class="button primary">${t.add}</button></p>`
            )}`
          : html`<p class="alert warn">${visit.texts.administration.needsAdministrator}</p>`
      }</div>`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const key = typed(form, "private_key_uuid")
    try {
      const { uuid } = await visit.deploy.servers.create({
        body: {
          name: typed(form, "name"),
          description: typed(form, "description"),
          ip: typed(form, "ip"),
          port: Number(typed(form, "port")),
          user: typed(form, "user"),
          ...(key === "" ? {} : { private_key_uuid: key })
        }
      })
      return { to: serverPath(uuid) }
    } catch (error) {
      return rejectedForm(error, addressFields)
    }
  }
})

interface Permissions {
  readonly test: boolean
  readonly proxy: boolean
  readonly clean: boolean
}

/** Shows the buttons of a server that the viewer may use. */
const serverButtons = (visit: ConsoleVisit, server: ServerDetails, may: Permissions): Html => {
  const { servers: t } = visit.texts
  if (!may.test && !may.proxy && !may.clean) return nothing
  return html`<div class="body">${formTo(visit, visit.url.pathname, html`${may.test && html`<button class="button primary" name="do" value="test">${t.test}</button>`}${may.test && server.settings.can_install_engine && html`<button class="button" name="do" value="install">${t.install}</button>`}${may.proxy && html`<button class="button" name="do" value="proxy">${t.restartProxy}</button>`}${may.clean && html`<button class="button" name="do" value="clean">${t.cleanUp}</button>`}`, "row")}${may.clean && html`<p class="small soft">${t.cleanUpHint}</p>`}</div>`
}

const factsCard = (visit: ConsoleVisit, server: ServerDetails, may: Permissions): Html => {
  const { servers: t, words } = visit.texts
  const { disk_check: disk, settings, transfer } = server
  const transferText = transfer === null || transfer.state === "claimed" ? undefined : t[transfer.state]
  return card(
    t.tested,
    html`<dl class="body facts"><dt>${t.address}</dt><dd>${server.private_key_uuid === null ? t.local : html`<code>${server.user}@${server.ip}:${server.port}</code>`}</dd>
<dt>${words.status}</dt><dd>${settings.validation_result ?? (settings.is_reachable ? t.reachable : t.notTested)}${settings.validated_at !== null && html` · ${time(visit, settings.validated_at)}`}</dd>
<dt>${t.proxy}</dt><dd>${server.proxy_type}</dd>
${transferText !== undefined && html`<dt>${t.transfer}</dt><dd>${transferText}</dd>`}
${disk !== null && html`<dt>${t.disk}</dt><dd>${typeof disk.percent === "number" ? t.diskUsed(number(visit, disk.percent)) : (disk.because ?? "")} · ${time(visit, disk.at)}</dd>`}</dl>${serverButtons(visit, server, may)}`
  )
}

const resourcesCard = ({ texts }: ConsoleVisit, resources: ReadonlyArray<Resource>): Html =>
  card(
    texts.servers.resources,
    resources.length === 0
      ? empty(texts.servers.noResources)
      : html`<ul class="rows">${resources.map((each) => html`<li>${statusBadge(each.status)}<div class="grow"><h3><a href="${resourcePath(each)}">${each.name ?? each.uuid}</a></h3><div class="small">${domainLinks(each.fqdn)}</div></div></li>`)}</ul>`
  )

/** `/servers/{uuid}`: the state of a server, its resources and its settings. */
const serverPage = page({
  path: "/servers/:server",
  operations: [
    "servers.get",
    "servers.update",
    "servers.delete",
    "servers.validate",
    "servers.startValidation",
    "servers.restartProxy",
    "cleanups.run",
    "resources.onServer",
    "people.check"
  ],
  load: async (visit) => {
    const params = serverIn(visit)
    const server = await visit.deploy.servers.get({ params })
    const may = await decisionsOn(visit, {
      test: ["server.validate", server.uuid],
      proxy: ["server.proxy.restart", server.uuid],
      clean: ["server.cleanup.run", server.uuid],
      update: ["server.update", server.uuid],
      delete: ["server.delete", server.uuid],
      seeResources: ["server.resource.list", server.uuid],
      seeMetrics: ["server.metrics", server.uuid],
      seeVariables: ["sharedVariable.list", server.uuid]
    })
    const resources = may.seeResources ? await visit.deploy.resources.onServer({ params }) : undefined
    return { server, may, resources }
  },
  view: ({ may, resources, server }, visit) => {
    const { forms, servers: t, words } = visit.texts
    return {
      title: server.name,
      body: html`${serverHeading(visit, server)}${otherProblems(visit, ["save", "delete"])}${typeof visit.form.outcome === "string" && html`<p class="alert info" role="status">${visit.form.outcome}</p>`}
${factsCard(visit, server, may)}
<p class="row">${may.seeResources && linkButton(serverPath(server.uuid, "proxy"), t.proxyAndCertificates, "shield-check")}${may.seeMetrics && linkButton(serverPath(server.uuid, "metrics"), t.metrics, "pulse")}${may.seeVariables && linkButton(serverPath(server.uuid, "variables"), visit.texts.variables.title, "code")}</p>
${resources !== undefined && resourcesCard(visit, resources)}
${
  may.update &&
  formSection(visit, {
    key: "save",
    title: words.settings,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true, value: server.name })}
${textField(own, { name: "description", label: words.description, value: server.description })}
${textField(own, { name: "wildcard_domain", label: t.wildcard, value: server.wildcard_domain ?? "" })}
${checkField(own, { name: "is_terminal_enabled", label: t.terminals, hint: t.terminalsHint, checked: server.settings.is_terminal_enabled })}`,
    button: forms.save
  })
}
${may.delete && deletionSection(visit, { name: server.name, hint: t.deleteHint, button: t.delete })}`
    }
  },
  submit: async (visit) => {
    const params = serverIn(visit)
    const { form } = visit
    const { cleanups, servers } = visit.deploy
    try {
      switch (typed(form, "do")) {
        case "test":
          return { outcome: (await servers.validate({ params })).message }
        case "install":
          return { outcome: (await servers.startValidation({ params, body: { install: true } })).message }
        case "proxy":
          return { outcome: (await servers.restartProxy({ params })).message }
        case "clean":
          return { outcome: (await cleanups.run({ params })).message }
        case "delete": {
          const problem = deletionProblem(visit, (await servers.get({ params })).name)
          if (problem !== undefined) return problem
          await servers.delete({ params })
          return { to: "/servers" }
        }
        default: {
          const wildcard = typed(form, "wildcard_domain")
          await servers.update({
            params,
            body: {
              name: typed(form, "name"),
              description: typed(form, "description"),
              wildcard_domain: wildcard === "" ? null : wildcard,
              is_terminal_enabled: typed(form, "is_terminal_enabled") === "on"
            }
          })
          return { to: serverPath(params.uuid) }
        }
      }
    } catch (error) {
      return rejectedForm(error, ["name", "description", "wildcard_domain", "confirm"])
    }
  }
})

/** All console pages of servers. */
export const serverPages: ReadonlyArray<ConsolePage> = [serversPage, newServerPage, metricsPage, proxyPage, serverPage]
