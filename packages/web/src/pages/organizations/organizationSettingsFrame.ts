import { type Organization, ServiceError } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { type OwnerOffers, ownerFrame } from "../../layout/frames.ts"
import type { View, Visit } from "../../page/Page.ts"
import { type OrganizationSettingsTab, orgIn, settingsTabs } from "./organization.ts"

/** The organization of a settings page, and the tabs that the viewer may use. */
export interface OrganizationSettings {
  readonly organization: Organization
  readonly offers: OwnerOffers
}

/** Loads the organization in the URL. Throws the error of the forge if the viewer may not change the settings. */
export const loadOrganizationSettings = async (visit: Visit): Promise<OrganizationSettings> => {
  const organization = await visit.forge.organization.read({ params: orgIn(visit) })
  const resource = `org:${organization.username}`
  const checks = [
    { action: "organization.edit", resource },
    { action: "organization.team.list", resource }
  ]
  const [edit, teams] = await visit.forge.access.check({ body: { checks, explain: true } })
  if (edit?.allowed !== true) throw new ServiceError(edit?.status ?? 404, { message: edit?.message })
  return { organization, offers: { settings: true, teams: teams?.allowed === true } }
}

/** Returns a page of the settings of an organization, with the tabs of all settings pages. */
export const organizationSettingsView = (
  visit: Visit,
  { offers, organization }: OrganizationSettings,
  tab: Exclude<OrganizationSettingsTab, "audit" | "profile">,
  body: Html,
  title?: string
): View => {
  const label = title ?? visit.texts.ownerSettings.tabs[tab]
  return {
    title: `${label} · ${organization.username}`,
    frame: ownerFrame(organization, "settings", visit, offers),
    body: html`${settingsTabs(visit, organization.username, tab)}<div class="title"><h2>${label}</h2></div>${body}`
  }
}
