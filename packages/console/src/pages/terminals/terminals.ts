import { ServiceError, type Terminal } from "@slipway/client/deploy"
import { card, empty, type Frame, type Html, html, selectField } from "@slipway/web/foundation"
import { terminalAssets } from "../../assets/terminal.ts"
import { applicationFrame, databaseFrame, serviceFrame } from "../../layout/frames.ts"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import type { WithTerminal } from "../../page/withTerminal.ts"
import { applicationIn, applicationOperations, loadApplication } from "../applications/loadApplication.ts"
import { databaseIn, databaseOperations, loadDatabase } from "../databases/loadDatabase.ts"
import { loadService, serviceIn, serviceOperations } from "../services/loadService.ts"

/** Returns the container that the address of the page names, if it runs; otherwise the first one. */
const chosenIn = ({ query }: ConsoleVisit, { containers }: Terminal): string =>
  (containers.find(({ name }) => name === query.get("container")) ?? containers[0])?.name ?? ""

const containerForm = (visit: ConsoleVisit, terminal: Terminal): Html => {
  const { applications, terminals: t } = visit.texts
  const options = terminal.containers.map(({ name, service }) => ({
    value: name,
    label: service === null ? name : `${service} (${name})`
  }))
  return html`<form class="form" method="get" action="${visit.url.pathname}"><div class="row">${selectField(visit, { name: "container", label: applications.container, value: chosenIn(visit, terminal), options })}<button class="button">${t.choose}</button></div></form>`
}

const terminalCard = (visit: ConsoleVisit, terminal: Terminal): Html => {
  const { terminals: t } = visit.texts
  const container = chosenIn(visit, terminal)
  const address = `/terminal${visit.url.pathname.replace(/\/terminal$/, "")}?${new URLSearchParams({ container })}`
  return card(
    t.title,
    html`<div class="body terminal" data-terminal="${address}" data-label="${t.title}" data-connecting="${t.connecting}" data-connected="${t.connected}" data-lost="${t.lost}">
${terminal.containers.length > 1 && containerForm(visit, terminal)}
<p class="small soft">${t.hint}</p>
<p class="alert warn" data-needs-script>${t.needsScript}</p>
<p class="row"><button class="button primary" type="button" data-open hidden>${t.open}</button><button class="button" type="button" data-close hidden>${t.close}</button><label hidden><input type="checkbox" data-reader> ${t.screenReader}</label><span role="status"></span></p>
<div data-screen hidden></div></div>`
  )
}

/** The containers of a resource; the reason if its server does not respond, undefined without permission. */
type Loaded = Terminal | { readonly failure: string } | undefined

const body = (visit: ConsoleVisit, terminal: Loaded): Html => {
  const { terminals: t } = visit.texts
  if (terminal === undefined) return html`<p class="alert warn">${t.denied}</p>`
  if ("failure" in terminal) return html`<p class="alert bad">${terminal.failure}</p>`
  if (!terminal.is_enabled) return html`<p class="alert info">${t.disabled}</p>`
  return terminal.containers.length === 0 ? card(t.title, empty(t.noContainers)) : terminalCard(visit, terminal)
}

/** A resource that has containers, as its page needs it. */
interface Named {
  readonly name: string | null
  readonly uuid: string
}

/** Reads the containers; an unreachable server is a message on the page. */
const readTerminal = async (asked: ReturnType<ConsoleVisit["deploy"]["terminals"]["application"]>): Promise<Loaded> => {
  const found = await asked.result()
  if (found.ok) return found.value
  if (!(found.error instanceof ServiceError) || found.error.status !== 502) throw found.error
  const { message } = (found.error.body ?? {}) as { readonly message?: unknown }
  return { failure: typeof message === "string" ? message : found.error.message }
}

const terminalPageOf = <Resource extends Named>(of: {
  readonly path: `/${string}`
  readonly operations: ReadonlyArray<Operation>
  readonly load: (visit: ConsoleVisit) => Promise<WithTerminal<Resource>>
  readonly read: (visit: ConsoleVisit) => ReturnType<ConsoleVisit["deploy"]["terminals"]["application"]>
  readonly frame: (visit: ConsoleVisit, resource: WithTerminal<Resource>) => Frame
}): ConsolePage =>
  page({
    path: `${of.path}/terminal`,
    operations: of.operations,
    load: async (visit) => {
      const resource = await of.load(visit)
      return { resource, terminal: resource.mayOpenTerminal ? await readTerminal(of.read(visit)) : undefined }
    },
    view: ({ resource, terminal }, visit) => ({
      title: `${visit.texts.terminals.title} · ${resource.name ?? resource.uuid}`,
      frame: of.frame(visit, resource),
      body: body(visit, terminal),
      ...(terminal !== undefined && "containers" in terminal && terminal.containers.length > 0
        ? { assets: terminalAssets() }
        : {})
    })
  })

/** `/applications/{uuid}/terminal` and those of databases and services: a shell in a running container. */
export const terminalPages: ReadonlyArray<ConsolePage> = [
  terminalPageOf({
    path: "/applications/:application",
    operations: [...applicationOperations, "terminals.application"],
    load: loadApplication,
    read: (visit) => visit.deploy.terminals.application({ params: applicationIn(visit) }),
    frame: (visit, application) => applicationFrame(visit, application, "terminal")
  }),
  terminalPageOf({
    path: "/databases/:database",
    operations: [...databaseOperations, "terminals.database"],
    load: loadDatabase,
    read: (visit) => visit.deploy.terminals.database({ params: databaseIn(visit) }),
    frame: (visit, database) => databaseFrame(visit, database, "terminal")
  }),
  terminalPageOf({
    path: "/services/:service",
    operations: [...serviceOperations, "terminals.service"],
    load: loadService,
    read: (visit) => visit.deploy.terminals.service({ params: serviceIn(visit) }),
    frame: (visit, service) => serviceFrame(visit, service, "terminal")
  })
]
