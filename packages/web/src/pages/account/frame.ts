import { type Html, html } from "../../html/Html.ts"
import { tabBar } from "../../layout/frames.ts"
import type { View, Visit } from "../../page/Page.ts"

/** The keys of the tabs in the settings of the signed-in user. */
export type AccountTab =
  | "profile"
  | "account"
  | "security"
  | "applications"
  | "keys"
  | "notifications"
  | "organization"
  | "repos"
  | "packages"
  | "hooks"
  | "variables"
  | "runners"
  | "blocked_users"

/** Returns a page of the settings of the signed-in user, with the tabs of all settings pages. */
export const accountView = (visit: Visit, tab: AccountTab, body: Html, title?: string): View => {
  const { account: t } = visit.texts
  const at = (key: AccountTab, path = `/user/settings/${key}`) => ({ key, label: t[key], to: path })
  const tabs = [
    at("profile", "/user/settings"),
    at("account"),
    at("security"),
    at("applications"),
    at("keys"),
    at("notifications"),
    at("organization"),
    at("repos"),
    at("packages"),
    at("hooks"),
    at("variables", "/user/settings/actions/variables"),
    at("runners", "/user/settings/actions/runners"),
    at("blocked_users")
  ]
  return {
    title: `${title ?? t[tab]} · ${t.title}`,
    body: html`<div class="title"><h1>${t.title}</h1></div>${tabBar(visit, t.tabs, tabs, tab)}${title !== undefined && html`<h2>${title}</h2>`}<div class="medium">${body}</div>`
  }
}
