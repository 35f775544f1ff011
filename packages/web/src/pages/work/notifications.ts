import type { NotificationThread } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { buttonTo, formTo } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { tabBar } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"

const isRead = ({ query }: Visit): boolean => query.get("q") === "read"

/** Returns the path of an absolute URL of the forge, because links on pages have no host. */
const pathOfAddress = (address: string): string => {
  if (!URL.canParse(address)) return "/notifications"
  const { hash, pathname } = new URL(address)
  return `${pathname}${hash}`
}

const row = (visit: Visit, { id, pinned, repository, subject, unread, updated_at: at }: NotificationThread): Html => {
  const { work } = visit.texts
  const isPull = subject.type === "Pull"
  const address = subject.latest_comment_html_url === "" ? subject.html_url : subject.latest_comment_html_url
  const button = (does: string, label: string) =>
    html`<button class="button" name="do" value="${does}" aria-label="${label}: ${subject.title}">${label}</button>`
  return html`<li>${icon(isPull ? "git-pull-request" : "issue-opened", subject.state === "open" ? "ok-text" : "merged-text")}<div class="grow"><h2 class="small-title"><a href="${pathOfAddress(address)}">${subject.title}</a></h2><div class="small soft">${repository.full_name} · ${time(visit, at)}${pinned && html` · ${work.pinned}`}</div></div>${formTo(
    visit,
    `/notifications${visit.url.search}`,
    html`<input type="hidden" name="id" value="${id}">${button(unread || pinned ? "read" : "unread", unread || pinned ? work.markRead : work.markUnread)}${!pinned && button("pinned", work.pin)}`,
    "row"
  )}</li>`
}

/**
 * `/notifications`: the unread and pinned notifications of the viewer. With `?q=read`, lists the read notifications.
 */
export const notificationsPage = page({
  path: "/notifications",
  operations: ["notification.list", "notification.markRead", "notification.thread.markRead"],
  signIn: true,
  load: async (visit) =>
    visit.forge.notification.list({
      query: {
        "status-types": isRead(visit) ? ["read"] : ["unread", "pinned"],
        page: pageNumber(visit),
        limit: rowsPerPage
      }
    }),
  view: (threads, visit) => {
    const { work } = visit.texts
    const tabs = [
      { key: "unread", label: work.unread, to: "/notifications" },
      { key: "read", label: work.read, to: "/notifications?q=read" }
    ]
    return {
      title: work.notifications,
      body: html`<div class="title"><h1>${work.notifications}</h1>${!isRead(visit) && threads.length > 0 && html`<span class="push">${buttonTo(visit, "/notifications?do=all", work.markAll)}</span>`}</div>
${tabBar(visit, work.notifications, tabs, isRead(visit) ? "read" : "unread")}<section class="card" aria-label="${work.notifications}">${threads.length === 0 ? empty(work.none) : html`<ul class="rows">${threads.map((thread) => row(visit, thread))}</ul>`}</section>
${threads.length === 0 ? nothing : pagination(visit, threads.length === rowsPerPage)}`
    }
  },
  submit: async (visit) => {
    const { form, forge, query } = visit
    if (query.get("do") === "all") {
      await forge.notification.markRead({ query: { last_read_at: visit.now.toISOString() } })
      return { to: "/notifications" }
    }
    const status = (["read", "unread", "pinned"] as const).find((each) => each === typed(form, "do"))
    if (status !== undefined)
      await forge.notification.thread.markRead({
        params: { id: Number(typed(form, "id")) },
        query: { "to-status": status }
      })
    return { to: isRead(visit) ? "/notifications?q=read" : "/notifications" }
  }
})
