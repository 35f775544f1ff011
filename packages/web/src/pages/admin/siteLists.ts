import { ServiceError } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { problemSummary } from "../../forms/fields.ts"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { organizationList } from "../../layout/lists.ts"
import { number, time } from "../../layout/time.ts"
import { pathOf } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { runnerRow } from "../automation/runnerRow.ts"
import { type AdminTab, adminView } from "./adminFrame.ts"

const asked = (visit: Visit) => ({ page: pageNumber(visit), limit: rowsPerPage })

/** Returns an administration page that shows one list. */
const listView = (visit: Visit, tab: AdminTab, rows: ReadonlyArray<unknown>, list: Html, above: Html = nothing) =>
  adminView(
    visit,
    tab,
    html`${problemSummary(visit)}${above}<section class="card" aria-label="${visit.texts.admin.tabs[tab]}">${list}</section>${pagination(visit, rows.length === rowsPerPage)}`
  )

const rowsOf = (rows: ReadonlyArray<Html>, none: string): Html =>
  rows.length === 0 ? empty(none) : html`<ul class="rows">${rows}</ul>`

/** `/admin/organizations`: all organizations. */
export const adminOrganizationsPage = page({
  path: "/admin/organizations",
  operations: ["admin.organization.list"],
  signIn: true,
  load: async (visit) => visit.forge.admin.organization.list({ query: asked(visit) }),
  view: (found, visit) =>
    listView(visit, "organizations", found, organizationList(visit, found, visit.texts.start.noneFound))
})

/** `/admin/emails`: the email addresses of all users. */
export const adminEmailsPage = page({
  path: "/admin/emails",
  operations: ["admin.email.search"],
  signIn: true,
  load: async (visit) => {
    const q = visit.query.get("q")?.trim().slice(0, 255) ?? ""
    return await visit.forge.admin.email.search({ query: { q, ...asked(visit) } })
  },
  view: (emails, visit) => {
    const { admin: t, issues, start } = visit.texts
    const rows = emails.map(
      ({ email, primary, username, verified }) =>
        html`<li><div class="grow"><div class="row"><h3>${email}</h3>${primary && html`<span class="badge">${t.primary}</span>`}${verified ? html`<span class="badge ok">${t.confirmed}</span>` : html`<span class="badge warn">${t.unconfirmed}</span>`}</div><a class="small" href="/admin/users${pathOf(username)}">${username}</a></div></li>`
    )
    const search = html`<form class="filters" role="search" aria-label="${t.searchUsers}" action="/admin/emails"><input type="search" name="q" aria-label="${t.searchUsers}" placeholder="${t.searchUsers}" value="${visit.query.get("q") ?? ""}" maxlength="255"><button class="button">${icon("search")}${issues.filter}</button></form>`
    return listView(visit, "emails", emails, rowsOf(rows, start.noneFound), search)
  }
})

/** `/admin/tasks`: the scheduled tasks. Administrators can start them manually. */
export const adminTasksPage = page({
  path: "/admin/tasks",
  operations: ["admin.cron.list", "admin.cron.run"],
  signIn: true,
  load: async (visit) => visit.forge.admin.cron.list({ query: asked(visit) }),
  view: (tasks, visit) => {
    const { admin: t } = visit.texts
    const rows = tasks.map(
      ({ exec_times: count, name, next, prev, schedule }) =>
        html`<li><div class="grow"><h3>${name}</h3><div class="small soft"><code>${schedule}</code> · ${t.runs(number(visit, count))}${prev !== null && html` · ${t.last} ${time(visit, prev)}`} · ${t.next} ${time(visit, next)}</div></div>${actionButton(visit, { task: name }, t.runNow, { about: name })}</li>`
    )
    return listView(visit, "tasks", tasks, rowsOf(rows, t.noTasks))
  },
  submit: async (visit) => {
    await visit.forge.admin.cron.run({ params: { task: typed(visit.form, "task") } })
    return { to: "/admin/tasks" }
  }
})

/** `/admin/notices`: the notices for administrators, such as jobs that keep failing. */
export const adminNoticesPage = page({
  path: "/admin/notices",
  operations: ["admin.notice.list", "admin.notice.remove"],
  signIn: true,
  load: async (visit) => visit.forge.admin.notice.list({ query: asked(visit) }),
  view: (notices, visit) => {
    const { admin: t, forms } = visit.texts
    const rows = notices.map(
      ({ created, description, id }) =>
        html`<li><div class="grow"><p>${description}</p><span class="small soft">${time(visit, created)}</span></div>${actionButton(visit, { id: String(id) }, forms.remove, { about: description })}</li>`
    )
    return listView(visit, "notices", notices, rowsOf(rows, t.noNotices))
  },
  submit: async (visit) => {
    const removed = await visit.forge.admin.notice.remove({ params: { id: typed(visit.form, "id") } }).result()
    // Another administrator may have removed it.
    if (!removed.ok && !(removed.error instanceof ServiceError && removed.error.status === 404)) throw removed.error
    return { to: "/admin/notices" }
  }
})

/** `/admin/runners`: the runners of the site. */
export const adminRunnersPage = page({
  path: "/admin/runners",
  operations: [
    "admin.actions.runner.list",
    "admin.actions.runner.registrationToken.create",
    "admin.actions.runner.edit",
    "admin.actions.runner.delete"
  ],
  signIn: true,
  load: async (visit) => visit.forge.admin.actions.runner.list({ query: asked(visit) }),
  view: (runners, visit) => {
    const { admin: t } = visit.texts
    const { outcome } = visit.form
    const rows = runners.map((runner) => runnerRow(visit, runner))
    return adminView(
      visit,
      "runners",
      html`${problemSummary(visit)}${typeof outcome === "string" && card(t.registrationToken, html`<div class="body" tabindex="-1" data-focus><p>${t.registrationHint}</p><pre class="message" tabindex="0">${outcome}</pre></div>`)}<p>${actionButton(visit, { do: "register" }, t.newRunner)}</p><section class="card" aria-label="${t.tabs.runners}">${rowsOf(rows, t.noRunners)}</section>${pagination(visit, runners.length === rowsPerPage)}`
    )
  },
  submit: async (visit) => {
    const { runner } = visit.forge.admin.actions
    const params = { runner_id: typed(visit.form, "id") }
    const does = typed(visit.form, "do")
    if (does === "register") return { outcome: (await runner.registrationToken.create()).token }
    if (does === "enable" || does === "disable") await runner.edit({ params, body: { disabled: does === "disable" } })
    else if (does === "delete") await runner.delete({ params })
    else throw new NotFound()
    return { to: "/admin/runners" }
  }
})

/** `/admin/unadopted`: git repositories on disk that belong to no repository of the forge. */
export const adminUnadoptedPage = page({
  path: "/admin/unadopted",
  operations: ["admin.unadopted.list", "admin.unadopted.adopt", "admin.unadopted.delete"],
  signIn: true,
  load: async (visit) => visit.forge.admin.unadopted.list({ query: asked(visit) }),
  view: (names, visit) => {
    const { admin: t, forms } = visit.texts
    const rows = names.map(
      (name) =>
        html`<li><h3 class="grow">${name}</h3><span class="row">${actionButton(visit, { do: "adopt", name }, t.adopt, { about: name })}${actionButton(visit, { do: "delete", name }, forms.delete, { className: "button danger", about: name })}</span></li>`
    )
    return listView(visit, "unadopted", names, rowsOf(rows, t.noUnadopted))
  },
  submit: async (visit) => {
    const [username = "", reponame = ""] = typed(visit.form, "name").split("/")
    if (username === "" || reponame === "") throw new NotFound()
    const params = { username, reponame }
    const { unadopted } = visit.forge.admin
    const does = typed(visit.form, "do")
    if (does === "adopt") await unadopted.adopt({ params })
    else if (does === "delete") await unadopted.delete({ params })
    else throw new NotFound()
    return { to: "/admin/unadopted" }
  }
})
