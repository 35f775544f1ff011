import type { AdminSetting } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { card, empty } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { page, type Visit } from "../../page/Page.ts"
import { adminTabs, adminView } from "./adminFrame.ts"

/** `/admin`: the version, the latest notices, and links to the other pages of the administration. */
export const adminPage = page({
  path: "/admin",
  operations: ["version.read", "admin.notice.list"],
  signIn: true,
  load: async (visit) => {
    const [notices, { version }] = await Promise.all([
      visit.forge.admin.notice.list({ query: { limit: 5 } }),
      visit.forge.version.read()
    ])
    return { notices, version }
  },
  view: ({ notices, version }, visit) => {
    const { admin: t } = visit.texts
    const links = adminTabs.filter((key) => key !== "overview")
    return adminView(
      visit,
      "overview",
      html`<p>${t.version} <code>${version}</code></p>${card(
        t.tabs.notices,
        notices.length === 0
          ? empty(t.noNotices)
          : html`<ul class="rows">${notices.map(({ created, description }) => html`<li><div class="grow"><p>${description}</p><span class="small soft">${time(visit, created)}</span></div></li>`)}</ul>`
      )}
${card(t.areas, html`<ul class="rows">${links.map((key) => html`<li><a href="${`/admin/${key}`}">${t.tabs[key]}</a></li>`)}</ul>`)}`
    )
  }
})

const valueOf = ({ texts: { admin: t } }: Visit, value: AdminSetting["value"]): string => {
  if (value === null) return t.unlimited
  if (typeof value === "boolean") return value ? t.on : t.off
  if (typeof value === "object") return value.length === 0 ? t.nothing : value.join(", ")
  return value === "" ? t.nothing : String(value)
}

const groupCard = (visit: Visit, group: string, settings: ReadonlyArray<AdminSetting>): Html => {
  const { admin: t } = visit.texts
  const rows = settings.map(
    (setting) =>
      html`<tr><th scope="row"><code>${setting.name}</code></th><td>${valueOf(visit, setting.value)}</td></tr>`
  )
  return card(
    t.groups[group] ?? group,
    html`<table class="data"><thead><tr><th scope="col">${t.setting}</th><th scope="col">${t.value}</th></tr></thead><tbody>${rows}</tbody></table>`
  )
}

/** `/admin/config`: the settings of the site. */
export const adminConfigPage = page({
  path: "/admin/config",
  operations: ["admin.settings.list"],
  signIn: true,
  load: async (visit) => await visit.forge.admin.settings.list(),
  view: (settings, visit) => {
    const groups = [...Map.groupBy(settings, ({ group }) => group)]
    return adminView(
      visit,
      "config",
      html`<p class="soft">${visit.texts.admin.configHint}</p>${groups.map(([group, rows]) => groupCard(visit, group, rows))}`
    )
  }
})
