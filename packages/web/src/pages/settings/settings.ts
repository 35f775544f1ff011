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
  | "tags"
  | "mirrors"
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

/** A repository with the pages for workflows that the viewer may use, and the decisions about other actions on it. */
export interface SettingsOf<K extends string = never> extends Repository {
  readonly automation: ReadonlyArray<(typeof automationTabs)[number]>
  readonly may: Readonly<Record<K, boolean>>
}

/**
 * Loads the repository in a path, and whether the viewer may do the actions in `asked`. Throws the forge's error if
 * the viewer may not change the settings.
 */
export const loadSettings = async <K extends string = never>(
  visit: Visit,
  asked: Readonly<Record<K, string>> = {} as Readonly<Record<K, string>>
): Promise<SettingsOf<K>> => {
  const repository = await visit.forge.repository.read({ params: namedIn(visit) })
  const resource = `repo:${repository.full_name}`
  const more = Object.entries<string>(asked)
  const actions = [
    "repository.edit",
    ...automationTabs.map((tab) => `repository.actions.${tab.slice(0, -1)}.list`),
    ...more.map(([, action]) => action)
  ]
  const checks = actions.map((action) => ({ action, resource }))
  const [edit, ...others] = await visit.forge.access.check({ body: { checks, explain: true } })
  if (edit?.allowed !== true) throw new ServiceError(edit?.status ?? 404, { message: edit?.message })
  const automation = automationTabs.filter((_, at) => others[at]?.allowed === true)
  const may = more.map(([key], at) => [key, others[automationTabs.length + at]?.allowed === true])
  // BOUNDARY: the keys are those of `asked`, which `fromEntries` forgets.
  return { ...repository, automation, may: Object.fromEntries(may) as Record<K, boolean> }
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
    { key: "tags", label: t.tags, to: settingsPath(visit, "tags") },
    { key: "mirrors", label: t.mirrors, to: settingsPath(visit, "mirrors") },
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
