import type { Application, Database, Server, Service } from "@slipway/client/deploy"
import { type Frame, type Html, html, type Tab } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../page/ConsolePage.ts"
import type { WithTerminal } from "../page/withTerminal.ts"
import { applicationPath, databasePath, environmentPath, projectPath, serverPath, servicePath } from "./links.ts"
import { statusBadge } from "./states.ts"

/** A resource with the project and environment that contain it. */
interface Placed {
  readonly project_uuid: string | null
  readonly environment_name: string | null
}

const place = ({ texts }: ConsoleVisit, { environment_name: environment, project_uuid: project }: Placed): Html =>
  html`<nav class="small" aria-label="${texts.layout.breadcrumb}"><a href="${projectPath(project ?? "")}">${texts.words.project}</a> / <a href="${environmentPath(project ?? "", environment ?? "")}">${environment ?? ""}</a> /</nav>`

/** Returns whether an application is deployed from a git repository. */
export const hasRepository = ({ variant }: Pick<Application, "variant">): boolean =>
  variant !== "dockerimage" && variant !== "dockerfile"

/** Returns whether an application can have previews of pull requests. */
export const hasPreviews = ({ variant }: Pick<Application, "variant">): boolean => variant !== "dockerfile"

/** The tabs of an application's pages. */
export type ApplicationTab =
  | "overview"
  | "deployments"
  | "destinations"
  | "previews"
  | "variables"
  | "storages"
  | "tasks"
  | "webhooks"
  | "logs"
  | "metrics"
  | "terminal"
  | "settings"

/** Returns the heading and tabs of the pages of an application. */
export const applicationFrame = (
  visit: ConsoleVisit,
  application: WithTerminal<Application>,
  tab: ApplicationTab
): Frame => {
  const { texts } = visit
  const { uuid } = application
  const isFromGit = hasRepository(application)
  const tabs: ReadonlyArray<Tab & { key: ApplicationTab }> = [
    { key: "overview", label: texts.applications.overview, to: applicationPath(uuid), icon: "rocket" },
    {
      key: "deployments",
      label: texts.applications.deployments,
      to: applicationPath(uuid, "deployments"),
      icon: "history"
    },
    {
      key: "previews",
      label: texts.automation.previews,
      to: applicationPath(uuid, "previews"),
      icon: "git-pull-request",
      shown: hasPreviews(application)
    },
    {
      key: "destinations",
      label: texts.destinations.title,
      to: applicationPath(uuid, "destinations"),
      icon: "globe"
    },
    { key: "variables", label: texts.applications.variables, to: applicationPath(uuid, "variables"), icon: "key" },
    { key: "storages", label: texts.storages.title, to: applicationPath(uuid, "storages"), icon: "archive" },
    { key: "tasks", label: texts.automation.tasks, to: applicationPath(uuid, "tasks"), icon: "workflow" },
    {
      key: "webhooks",
      label: texts.automation.webhooks,
      to: applicationPath(uuid, "webhooks"),
      icon: "link",
      shown: isFromGit
    },
    { key: "logs", label: texts.words.logs, to: applicationPath(uuid, "logs"), icon: "file" },
    { key: "metrics", label: texts.servers.metrics, to: applicationPath(uuid, "metrics"), icon: "pulse" },
    {
      key: "terminal",
      label: texts.terminals.title,
      to: applicationPath(uuid, "terminal"),
      icon: "code",
      shown: application.mayOpenTerminal
    },
    { key: "settings", label: texts.words.settings, to: applicationPath(uuid, "settings"), icon: "gear" }
  ]
  return {
    heading: html`${place(visit, application)}<h1>${application.name ?? uuid}</h1>${statusBadge(application.status)}`,
    label: texts.applications.tabs,
    tabs,
    tab
  }
}

/** The tabs of a database's pages. */
export type DatabaseTab = "overview" | "backups" | "logs" | "metrics" | "terminal" | "settings"

/** Returns the heading and tabs of the pages of a database. */
export const databaseFrame = (visit: ConsoleVisit, database: WithTerminal<Database>, tab: DatabaseTab): Frame => {
  const { texts } = visit
  const { uuid } = database
  const tabs: ReadonlyArray<Tab & { key: DatabaseTab }> = [
    { key: "overview", label: texts.applications.overview, to: databasePath(uuid), icon: "package" },
    { key: "backups", label: texts.databases.backups, to: databasePath(uuid, "backups"), icon: "archive" },
    { key: "logs", label: texts.words.logs, to: databasePath(uuid, "logs"), icon: "file" },
    { key: "metrics", label: texts.servers.metrics, to: databasePath(uuid, "metrics"), icon: "pulse" },
    {
      key: "terminal",
      label: texts.terminals.title,
      to: databasePath(uuid, "terminal"),
      icon: "code",
      shown: database.mayOpenTerminal
    },
    { key: "settings", label: texts.words.settings, to: databasePath(uuid, "settings"), icon: "gear" }
  ]
  return {
    heading: html`${place(visit, database)}<h1>${database.name}</h1>${statusBadge(database.status)}`,
    label: texts.databases.tabs,
    tabs,
    tab
  }
}

/** The tabs of a service's pages. */
export type ServiceTab = "overview" | "backups" | "variables" | "logs" | "metrics" | "terminal" | "settings"

/** Returns the heading and tabs of the pages of a service. */
export const serviceFrame = (visit: ConsoleVisit, service: WithTerminal<Service>, tab: ServiceTab): Frame => {
  const { texts } = visit
  const { uuid } = service
  const tabs: ReadonlyArray<Tab & { key: ServiceTab }> = [
    { key: "overview", label: texts.applications.overview, to: servicePath(uuid), icon: "package" },
    { key: "backups", label: texts.databases.backups, to: servicePath(uuid, "backups"), icon: "archive" },
    { key: "variables", label: texts.applications.variables, to: servicePath(uuid, "variables"), icon: "key" },
    { key: "logs", label: texts.words.logs, to: servicePath(uuid, "logs"), icon: "file" },
    { key: "metrics", label: texts.servers.metrics, to: servicePath(uuid, "metrics"), icon: "pulse" },
    {
      key: "terminal",
      label: texts.terminals.title,
      to: servicePath(uuid, "terminal"),
      icon: "code",
      shown: service.mayOpenTerminal
    },
    { key: "settings", label: texts.words.settings, to: servicePath(uuid, "settings"), icon: "gear" }
  ]
  return {
    heading: html`${place(visit, service)}<h1>${service.name}</h1>${statusBadge(service.status)}`,
    label: texts.databases.serviceTabs,
    tabs,
    tab
  }
}

/** Returns the heading of the pages of a server. */
export const serverHeading = ({ texts }: ConsoleVisit, server: Pick<Server, "name" | "settings" | "uuid">): Html =>
  html`<div class="title"><nav class="small" aria-label="${texts.layout.breadcrumb}"><a href="/servers">${texts.start.servers}</a> /</nav><h1><a href="${serverPath(server.uuid)}">${server.name}</a></h1><span class="badge ${server.settings.is_reachable ? "ok" : "bad"}">${server.settings.is_reachable ? texts.servers.reachable : texts.servers.unreachable}</span></div>`
