import type { Repository } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { requireAllowed } from "../../page/decisions.ts"
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
  | "keys"
  | "hooks"

/** Returns the path of a page of a repository's settings. */
export const settingsPath = (visit: Visit, ...more: ReadonlyArray<string>): string =>
  [repositoryPath(repositoryIn(visit)), "settings", ...more.map(encodeURIComponent)].join("/")

/** Loads the repository in a path. Throws the forge's error if the viewer may not change the settings. */
export const loadSettings = async (visit: Visit): Promise<Repository> => {
  const repository = await visit.forge.repository.read({ params: namedIn(visit) })
  await requireAllowed(visit, ["repository.edit", `repo:${repository.full_name}`])
  return repository
}

/** Returns a page of a repository's settings, with the tabs of all of them. */
export const settingsView = (
  visit: Visit,
  repository: Repository,
  tab: SettingsTab,
  title: string,
  body: Html
): View => {
  const { deployments, environments, settings: t } = visit.texts
  const tabs = [
    { key: "general", label: t.general, to: settingsPath(visit) },
    { key: "access", label: t.access, to: settingsPath(visit, "access") },
    { key: "collaboration", label: t.collaboration, to: settingsPath(visit, "collaboration") },
    { key: "branches", label: t.branches, to: settingsPath(visit, "branches") },
    { key: "deployments", label: deployments.deployments, to: settingsPath(visit, "deployments") },
    { key: "environments", label: environments.environments, to: settingsPath(visit, "environments") },
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
