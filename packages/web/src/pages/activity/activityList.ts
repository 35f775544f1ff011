import type { Activity } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { avatar, empty, linkButton } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { pathOf, repositoryPath } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { activityEntry } from "./activityEntry.ts"

const row = (visit: Visit, activity: Activity): Html => {
  const { act_user: user, created, repo } = activity
  const { commits, detail, label, path, verb } = activityEntry(visit.texts, activity)
  const who =
    user === null
      ? html`<span class="soft">${visit.texts.activity.somebody}</span>`
      : html`<a href="${pathOf(user.login)}">${user.login}</a>`
  const base = repositoryPath({ owner: repo.owner.login, name: repo.name })
  return html`<li>${avatar(user?.avatar_url ?? "")}<div class="grow"><p>${who} ${verb} <a href="${path}">${label}</a> <span class="small soft">${time(visit, created)}</span></p>${detail !== "" && html`<p class="soft">${detail}</p>`}
${commits.length > 0 && html`<ul class="small">${commits.map(({ sha, subject }) => html`<li><a href="${base}/commit/${sha}"><code>${sha.slice(0, 10)}</code></a> ${subject}</li>`)}</ul>`}</div></li>`
}

/** Renders a list of activities. */
export const activityList = (
  visit: Visit,
  activities: ReadonlyArray<Activity>,
  none = visit.texts.activity.none
): Html =>
  activities.length === 0
    ? empty(none)
    : html`<ul class="rows tall">${activities.map((activity) => row(visit, activity))}</ul>`

/** Renders links to the feeds of a user, an organization or a repository. `path` is the path of its page. */
export const feedLinks = ({ texts }: Visit, path: string): Html =>
  html`${linkButton(`${path}.rss`, texts.activity.rss, "rss")}${linkButton(`${path}.atom`, texts.activity.atom, "rss")}`
