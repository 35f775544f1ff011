import { type Repository, ServiceError } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import type { View, Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"

/** The API operations that every settings page of a repository uses. */
export const settingsOperations = ["repository.read", "access.check"] as const

/** The keys of the tabs in the settings of a repository. */
export type SettingsTab =
  | "general"
  | "access"
  | "collaboration"
  | "branches"
  | "deployments"
  | "environments"
  | "secrets"
  | "variables"
  | "runners"
  | "keys"
  | "hooks"

/** Returns the path of a settings page of the repository in the URL. */
export const settingsPath = (visit: Visit, ...more: ReadonlyArray<string>): string =>
  [repositoryPath(repositoryIn(visit)), "settings", ...more.map(encodeURIComponent)].join("/")

/** The settings tabs of a repository that require more permission than the other tabs. */
const automationTabs = ["secrets", "variables", "runners"] as const

/** A repository, with the workflow settings tabs that the viewer may use. */
export interface SettingsOf extends Repository {
  readonly automation: ReadonlyArray<(typeof automationTabs)[number]>
}

/** Loads the repository in the URL. Throws the error of the forge if the viewer may not change the settings. */
export const loadSettings = async (visit: Visit): Promise<SettingsOf> => {
  const repository = await visit.forge.repository.read({ params: namedIn(visit) })
  const resource = `repo:${repository.full_name}`
  const actions = ["repository.edit", ...automationTabs.map((tab) => `repository.actions.${tab.slice(0, -1)}.list`)]
  const checks = actions.map((action) => ({ action, resource }))
  const [edit, ...others] = await visit.forge.access.check({ body: { checks, explain: true } })
  if (edit?.allowed !== true) throw new ServiceError(edit?.status ?? 404, { message: edit?.message })
  return { ...repository, automation: automationTabs.filter((_, at) => others[at]?.allowed === true) }
}

/** Returns a settings page of a repository, with the tabs of all settings pages. */
export const settingsView = (
  visit: Visit,
  repository: SettingsOf,
  tab: SettingsTab,
  title: string,
  body: Html
): View => {
  const { deployments, environments, ownerSettings, settings: t } = visit.texts
  const automation = repository.automation.map((key) => ({
    key,
    label: ownerSettings.tabs[key],
    to: settingsPath(visit, "actions", key)
  }))
  const tabs = [
    { key: "general", label: t.general, to: settingsPath(visit) },
    { key: "access", label: t.access, to: settingsPath(visit, "access") },
    { key: "collaboration", label: t.collaboration, to: settingsPath(visit, "collaboration") },
    { key: "branches", label: t.branches, to: settingsPath(visit, "branches") },
    { key: "deployments", label: deployments.deployments, to: settingsPath(visit, "deployments") },
    { key: "environments", label: environments.environments, to: settingsPath(visit, "environments") },
    ...automation,
    { key: "keys", label: t.keys, to: settingsPath(visit, "keys") },
    { key: "hooks", label: t.hooks, to: settingsPath(visit, "hooks") }
  ]
  return {
    title: `${title} · ${repository.full_name}`,
    // Only those who may change the settings load these pages.
    frame: repositoryFrame(repository, "settings", visit, { settings: true }),
    body: html`${tabBar(visit, t.tabs, tabs, tab)}${body}`
  }
}
