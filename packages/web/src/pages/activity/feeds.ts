import type { Activity } from "@slipway/client/forge"
import { type Html, html, textOf } from "../../html/Html.ts"
import { rowsPerPage } from "../../layout/components.ts"
import { pathOf, repositoryPath } from "../../layout/urls.ts"
import { page, type TextView, type Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { ownerOperations, readOwner } from "../owner/readOwner.ts"
import { activityEntry } from "./activityEntry.ts"

const formats = ["rss", "atom"] as const
type Format = (typeof formats)[number]

/** The content of a feed: the activities of a user, an organization or a repository, newest first. */
interface Feed {
  readonly name: string
  /** The path of the page of the owner or repository. The path of its feed adds `.rss` or `.atom`. */
  readonly path: string
  readonly activities: ReadonlyArray<Activity>
}

/** Removes the characters that XML forbids. */
const xmlText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "")

/** Returns the feed entry of an activity: its title, link, id and text. */
const entryOf = ({ rootUrl, texts }: Visit, activity: Activity) => {
  const { commits, detail, label, path, verb } = activityEntry(texts, activity)
  const who = activity.act_user?.login ?? texts.activity.somebody
  const lines = [
    ...(detail === "" ? [] : [detail]),
    ...commits.map(({ sha, subject }) => `${sha.slice(0, 10)} ${subject}`)
  ]
  return {
    who,
    title: xmlText(`${who} ${verb} ${label}`),
    to: `${rootUrl}${path}`,
    id: `${rootUrl}/-/activities/${activity.id}`,
    text: xmlText(lines.join("\n")),
    at: new Date(activity.created)
  }
}

const rss = (visit: Visit, { activities, name, path }: Feed): Html => {
  const items = activities.map((activity) => {
    const { at, id, text, title, to } = entryOf(visit, activity)
    return html`<item><title>${title}</title><link>${to}</link><guid isPermaLink="false">${id}</guid><pubDate>${at.toUTCString()}</pubDate><description>${text}</description></item>
`
  })
  return html`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>${name}</title><link>${visit.rootUrl}${path}</link><description>${visit.texts.activity.feedOf(name)}</description>
${items}</channel></rss>
`
}

const atom = (visit: Visit, { activities, name, path }: Feed): Html => {
  const { now, rootUrl } = visit
  const entries = activities.map((activity) => {
    const { at, id, text, title, to, who } = entryOf(visit, activity)
    return html`<entry><title>${title}</title><link href="${to}"/><id>${id}</id><updated>${at.toISOString()}</updated><author><name>${who}</name></author><content type="text">${text}</content></entry>
`
  })
  const [latest] = activities
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${name}</title><subtitle>${visit.texts.activity.feedOf(name)}</subtitle><id>${rootUrl}${path}</id><link href="${rootUrl}${path}"/><link rel="self" href="${rootUrl}${path}.atom"/><updated>${latest === undefined ? now.toISOString() : new Date(latest.created).toISOString()}</updated>
${entries}</feed>
`
}

const feedView = (visit: Visit, format: Format, feed: Feed): TextView => ({
  contentType: `application/${format}+xml; charset=utf-8`,
  text: textOf(format === "rss" ? rss(visit, feed) : atom(visit, feed))
})

const query = { limit: rowsPerPage }

const ownerFeed = (format: Format) =>
  page({
    path: `/:owner.${format}`,
    operations: [...ownerOperations, "organization.feed.list", "user.feed.list"],
    load: async (visit): Promise<Feed> => {
      const name = visit.params.owner ?? ""
      const owner = await readOwner(visit, name)
      if (!("login" in owner)) {
        const activities = await visit.forge.organization.feed.list({ params: { org: name }, query })
        return { name: owner.username, path: pathOf(owner.username), activities }
      }
      const activities = await visit.forge.user.feed.list({
        params: { username: name },
        query: { ...query, "only-performed-by": "true" }
      })
      return { name: owner.login, path: pathOf(owner.login), activities }
    },
    view: (feed, visit) => feedView(visit, format, feed)
  })

const repositoryFeed = (format: Format) =>
  page({
    path: `/:owner/:repo.${format}`,
    operations: ["repository.feed.list"],
    load: async (visit): Promise<Feed> => {
      const activities = await visit.forge.repository.feed.list({ params: namedIn(visit), query })
      const { name, owner } = repositoryIn(visit)
      return { name: `${owner}/${name}`, path: repositoryPath({ owner, name }), activities }
    },
    view: (feed, visit) => feedView(visit, format, feed)
  })

/** `/{owner}.rss`, `/{owner}.atom`, `/{owner}/{repo}.rss` and `/{owner}/{repo}.atom`: the feeds of activities. */
export const feedPages = [...formats.map(ownerFeed), ...formats.map(repositoryFeed)]
