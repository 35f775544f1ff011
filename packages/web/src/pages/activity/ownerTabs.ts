import type { Organization, User } from "@slipway/client/forge"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { type OwnerTab, ownerFrame } from "../../layout/frames.ts"
import { repositoryList, userList } from "../../layout/lists.ts"
import { pathOf } from "../../layout/urls.ts"
import { page, Redirect, type View, type Visit } from "../../page/Page.ts"
import { ownerOffers } from "../organizations/organization.ts"
import { ownerOperations, readOwner } from "../owner/readOwner.ts"
import { activityList, feedLinks } from "./activityList.ts"
import { heatmapCard } from "./heatmap.ts"

const listed = (visit: Visit) => ({ page: pageNumber(visit), limit: rowsPerPage })

const nameIn = ({ params }: Visit): string => params.owner ?? ""

/** Loads a user. If the owner is an organization, redirects, because organizations have neither stars nor followers. */
const loadUser = async (visit: Visit): Promise<User> => {
  const owner = await readOwner(visit, nameIn(visit))
  if ("login" in owner) return owner
  throw new Redirect(pathOf(owner.username))
}

const tabView = (visit: Visit, owner: User | Organization, tab: OwnerTab, label: string, list: Html): View => ({
  title: `${label} · ${"login" in owner ? owner.login : owner.username}`,
  frame: ownerFrame(owner, tab, visit),
  body: card(label, list)
})

/** Loads the daily activity of a user; undefined for organizations, and where the site has no heatmaps. */
const loadHeatmap = async ({ forge }: Visit, owner: User | Organization) => {
  if (!("login" in owner)) return undefined
  const found = await forge.user.heatmap({ params: { username: owner.login } }).result()
  if (found.ok) return found.value
  if (found.error.status === 404) return undefined
  throw found.error
}

/** `/{owner}/-/activity`: the activities of a user, or in the repositories of an organization. */
const activityPage = page({
  path: "/:owner/-/activity",
  operations: [...ownerOperations, "access.check", "organization.feed.list", "user.feed.list", "user.heatmap"],
  load: async (visit) => {
    const name = nameIn(visit)
    const owner = await readOwner(visit, name)
    const query = listed(visit)
    const [activities, offers, times] = await Promise.all([
      "login" in owner
        ? visit.forge.user.feed.list({ params: { username: name }, query: { ...query, "only-performed-by": "true" } })
        : visit.forge.organization.feed.list({ params: { org: name }, query }),
      ownerOffers(visit, owner),
      loadHeatmap(visit, owner)
    ])
    return { owner, activities, offers, times }
  },
  view: ({ activities, offers, owner, times }, visit) => {
    const { activity: t } = visit.texts
    const path = pathOf("login" in owner ? owner.login : owner.username)
    return {
      title: `${t.title} · ${"login" in owner ? owner.login : owner.username}`,
      frame: ownerFrame(owner, "activity", visit, offers),
      feeds: path,
      body: html`<div class="title"><h2>${t.title}</h2><span class="push row">${feedLinks(visit, path)}</span></div>${times === undefined ? nothing : heatmapCard(visit, times)}<section class="card" aria-label="${t.title}">${activityList(visit, activities)}</section>${pagination(visit, activities.length === rowsPerPage)}`
    }
  }
})

/** `/{owner}/-/stars`: the repositories that a user starred. */
const starsPage = page({
  path: "/:owner/-/stars",
  operations: [...ownerOperations, "user.starred.list"],
  signIn: true,
  load: async (visit) => {
    const owner = await loadUser(visit)
    const found = await visit.forge.user.starred.list({ params: { username: owner.login }, query: listed(visit) })
    return { owner, found }
  },
  view: ({ found, owner }, visit) => {
    const { start: t } = visit.texts
    const list = html`${repositoryList(visit, found, t.noStarred)}${pagination(visit, found.length === rowsPerPage)}`
    return tabView(visit, owner, "stars", t.stars, list)
  }
})

const peoplePage = (tab: "followers" | "following") =>
  page({
    path: `/:owner/-/${tab}`,
    operations: [...ownerOperations, "user.follower.list", "user.following.list"],
    signIn: true,
    load: async (visit) => {
      const owner = await loadUser(visit)
      const { follower, following } = visit.forge.user
      const list = tab === "followers" ? follower.list : following.list
      return { owner, found: await list({ params: { username: owner.login }, query: listed(visit) }) }
    },
    view: ({ found, owner }, visit) => {
      const { start: t } = visit.texts
      const none = tab === "followers" ? t.noFollowers : t.noFollowing
      return tabView(
        visit,
        owner,
        tab,
        t[tab],
        html`${userList(visit, found, none)}${pagination(visit, found.length === rowsPerPage)}`
      )
    }
  })

/** The pages with the activities of owners, and with the stars and followers of users. */
export const ownerTabPages = [activityPage, starsPage, peoplePage("followers"), peoplePage("following")]
