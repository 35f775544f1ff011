import type { Organization, User } from "@slipway/client/forge"
import type { Html } from "../../html/Html.ts"
import { type OwnerOffers, tabBar } from "../../layout/frames.ts"
import { pathOf } from "../../layout/urls.ts"
import { decisionsOn, type Question } from "../../page/decisions.ts"
import type { Visit } from "../../page/Page.ts"

/** The API operations that every page of an organization uses. */
export const organizationOperations = ["organization.read", "access.check"] as const

/** Returns the path parameters of API requests that identify the organization in the URL. */
export const orgIn = ({ params }: Visit) => ({ org: params.org ?? "" })

/** Returns the path of a page below an organization. */
export const orgPath = (name: string, ...more: ReadonlyArray<string>): string => `/org${pathOf(name, ...more)}`

/**
 * Returns which tabs and actions of an organization the viewer may use. Adds the results of the access checks in
 * `more`.
 */
export const offersOf = <K extends string, M extends string = never>(
  visit: Visit,
  { username }: Organization,
  actions: Readonly<Record<K, string>>,
  more: Readonly<Record<M, Question>> = {} as Readonly<Record<M, Question>>
): Promise<Readonly<Record<K | M | "teams" | "settings", boolean>>> => {
  const all = { teams: "organization.team.list", settings: "organization.edit", ...actions }
  const questions = Object.entries(all).map(([key, action]) => [key, [action, `org:${username}`]])
  return decisionsOn(visit, { ...Object.fromEntries(questions), ...more })
}

/** The keys of the tabs in the settings of an organization. */
export type OrganizationSettingsTab =
  | "audit"
  | "blocked_users"
  | "hooks"
  | "labels"
  | "profile"
  | "runners"
  | "secrets"
  | "variables"

/** Renders the tabs in the settings of an organization. */
export const settingsTabs = (visit: Visit, name: string, tab: OrganizationSettingsTab): Html => {
  const { admin, organizations: t, ownerSettings } = visit.texts
  const tabs = [
    { key: "profile", label: t.profile, to: orgPath(name, "settings") },
    { key: "labels", label: ownerSettings.tabs.labels, to: orgPath(name, "settings", "labels") },
    { key: "hooks", label: ownerSettings.tabs.hooks, to: orgPath(name, "settings", "hooks") },
    { key: "secrets", label: ownerSettings.tabs.secrets, to: orgPath(name, "settings", "actions", "secrets") },
    { key: "variables", label: ownerSettings.tabs.variables, to: orgPath(name, "settings", "actions", "variables") },
    { key: "runners", label: ownerSettings.tabs.runners, to: orgPath(name, "settings", "actions", "runners") },
    {
      key: "blocked_users",
      label: ownerSettings.tabs.blocked_users,
      to: orgPath(name, "settings", "blocked_users")
    },
    { key: "audit", label: admin.tabs.audit, to: orgPath(name, "settings", "audit") }
  ]
  return tabBar(visit, t.orgSettings, tabs, tab)
}

/** Returns which tabs of a user or an organization are shown to the viewer. */
export const ownerOffers = (visit: Visit, owner: Organization | User): Promise<OwnerOffers> =>
  "login" in owner ? Promise.resolve({}) : offersOf(visit, owner, {})

/** Loads the organization in the URL, and which of its tabs and actions the viewer may use. */
export const loadOrganization = async <K extends string>(visit: Visit, actions: Readonly<Record<K, string>>) => {
  const organization = await visit.forge.organization.read({ params: orgIn(visit) })
  return { organization, offers: await offersOf(visit, organization, actions) }
}
