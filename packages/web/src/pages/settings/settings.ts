import { type Repository, ServiceError } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import type { View, Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"

/** The operations that every page of a repository's settings uses. */
export const settingsOperations = ["repository.read", "access.check"] as const

/** The pages of a repository's settings. */
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

/** Returns the path of a page of a repository's settings. */
export const settingsPath = (visit: Visit, ...more: ReadonlyArray<string>): string =>
  [repositoryPath(repositoryIn(visit)), "settings", ...more.map(encodeURIComponent)].join("/")

/** The pages of a repository's settings that need more permission than the others. */
const automationTabs = ["secrets", "variables", "runners"] as const

/** A repository with the pages for workflows that the viewer may use. */
export interface SettingsOf extends Repository {
  readonly automation: ReadonlyArray<(typeof automationTabs)[number]>
}

/** Loads the repository in a path. Throws the forge's error if the viewer may not change the settings. */
export const loadSettings = async (visit: Visit): Promise<SettingsOf> => {
  const repository = await visit.forge.repository.read({ params: namedIn(visit) })
  const resource = `repo:${repository.full_name}`
  const actions = ["repository.edit", ...automationTabs.map((tab) => `repository.actions.${tab.slice(0, -1)}.list`)]
  const checks = actions.map((action) => ({ action, resource }))
  const [edit, ...others] = await visit.forge.access.check({ body: { checks, explain: true } })
  if (edit?.allowed !== true) throw new ServiceError(edit?.status ?? 404, { message: edit?.message })
  return { ...repository, automation: automationTabs.filter((_, at) => others[at]?.allowed === true) }
}

/** Returns a page of a repository's settings, with the tabs of all of them. */
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
