import type { Repository } from "@slipway/client/forge"
import { type IconName, icon } from "../../assets/icons.ts"
import { formTo, problemSummary, selectField, textField } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { card, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryList, userList } from "../../layout/lists.ts"
import { number } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Submitted, type Visit } from "../../page/Page.ts"
import { loadRepository, type Offers, repositoryOperations } from "./loadRepository.ts"
import { namedIn, repositoryIn } from "./revision.ts"

/** The API operations of the buttons to star and watch a repository. */
export const interestOperations = [
  "account.starred.check",
  "account.starred.add",
  "account.starred.remove",
  "repository.subscription.read",
  "repository.subscription.add",
  "repository.subscription.remove"
] as const

/** The access checks that decide whether the watch and fork buttons are shown. The star button needs no check. */
export const interestOffers = {
  watch: ["repository.subscription.add", "repo"],
  fork: ["repository.fork.create", "repo"]
} as const

/** Whether the viewer has starred a repository, and whether the viewer watches it. */
export interface Interests {
  readonly isStarred: boolean
  readonly isWatched: boolean
}

/** Loads whether the viewer has starred the repository and watches it. */
export const loadInterests = async (visit: Visit): Promise<Interests> => {
  if (visit.viewer === undefined) return { isStarred: false, isWatched: false }
  const params = namedIn(visit)
  const [isStarred, watched] = await Promise.all([
    visit.forge.account.starred.check({ params }),
    visit.forge.repository.subscription.read({ params }).result()
  ])
  if (!watched.ok && watched.error.status !== 404) throw watched.error
  return { isStarred, isWatched: watched.ok && watched.value.subscribed }
}

/**
 * Renders the buttons to star, watch and fork. Each has a count that links to the list. Anonymous visitors get a link
 * to the sign-in page.
 */
export const interestBar = (
  visit: Visit,
  repository: Repository,
  { isStarred, isWatched }: Interests,
  may: Offers<keyof typeof interestOffers>
): Html => {
  const isVisitor = visit.viewer === undefined
  const { files } = visit.texts
  const base = repositoryPath(repositoryIn(visit))
  const count = (page: "forks" | "stars" | "watchers", value: number) =>
    html`<a class="count" href="${base}/${page}" aria-label="${files[page]}: ${value}">${number(visit, value)}</a>`
  const button = (does: "star" | "unstar" | "unwatch" | "watch", name: IconName) =>
    isVisitor
      ? linkButton(`/user/login?${String(new URLSearchParams({ redirect_to: base }))}`, files[does], name)
      : formTo(
          visit,
          base,
          html`<button class="button" name="do" value="${does}">${icon(name)}${files[does]}</button>`,
          "inline"
        )
  return html`<span class="push row">${(isVisitor || isWatched || may.watch) && button(isWatched ? "unwatch" : "watch", "eye")}${count("watchers", repository.watchers_count)}${button(isStarred ? "unstar" : "star", "star")}${count("stars", repository.stars_count)}${!repository.empty && (isVisitor || may.fork) && linkButton(`${base}/fork`, files.fork, "repo-forked")}${count("forks", repository.forks_count)}</span>`
}

/** Handles the buttons that star and watch a repository. */
export const submitInterest = async (visit: Visit): Promise<Submitted> => {
  const params = namedIn(visit)
  const { starred } = visit.forge.account
  const { subscription } = visit.forge.repository
  const does = typed(visit.form, "do")
  if (does === "star") await starred.add({ params })
  if (does === "unstar") await starred.remove({ params })
  if (does === "watch") await subscription.add({ params })
  if (does === "unwatch") await subscription.remove({ params })
  return { to: visit.url.pathname }
}

const peoplePage = (kind: "stars" | "watchers") =>
  page({
    path: `/:owner/:repo/${kind}`,
    operations: [...repositoryOperations, "repository.stargazer.list", "repository.subscriber.list"],
    load: async (visit) => {
      const { forge } = visit
      const params = namedIn(visit)
      const list = kind === "stars" ? forge.repository.stargazer.list : forge.repository.subscriber.list
      const [{ may, repository }, users] = await Promise.all([
        loadRepository(visit),
        list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
      ])
      return { repository, may, users }
    },
    view: ({ may, repository, users }, visit) => {
      const { files } = visit.texts
      return {
        title: `${files[kind]} · ${repository.full_name}`,
        frame: repositoryFrame(repository, "code", visit, may),
        body: html`${card(files[kind], userList(visit, users, kind === "stars" ? files.noStars : files.noWatchers))}${pagination(visit, users.length === rowsPerPage)}`
      }
    }
  })

const forksPage = page({
  path: "/:owner/:repo/forks",
  operations: [...repositoryOperations, "repository.fork.list"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, forks] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.fork.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    return { repository, may, forks }
  },
  view: ({ forks, may, repository }, visit) => ({
    title: `${visit.texts.files.forks} · ${repository.full_name}`,
    frame: repositoryFrame(repository, "code", visit, may),
    body: html`${card(visit.texts.files.forks, repositoryList(visit, forks, visit.texts.files.noForks))}${pagination(visit, forks.length === rowsPerPage)}`
  })
})

const forkPage = page({
  path: "/:owner/:repo/fork",
  operations: [...repositoryOperations, "account.organization.list", "repository.fork.create"],
  signIn: true,
  load: async (visit) => {
    const [{ may, repository }, organizations] = await Promise.all([
      loadRepository(visit),
      visit.forge.account.organization.list({ query: { limit: 50 } })
    ])
    return { repository, may, organizations }
  },
  view: ({ may, organizations, repository }, visit) => {
    const { files } = visit.texts
    const login = visit.viewer?.login ?? ""
    return {
      title: `${files.forkTitle} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: card(
        files.forkTitle,
        html`<div class="body"><p class="soft">${files.forkWhy}</p>${problemSummary(visit)}${formTo(
          visit,
          visit.url.pathname,
          html`${selectField(visit, { name: "owner", label: files.forkOwner, options: [{ value: "", label: login }, ...organizations.map(({ username }) => ({ value: username, label: username }))] })}
${textField(visit, { name: "name", label: files.forkName, value: repository.name, required: true, maxlength: 100 })}
<button class="button primary">${icon("repo-forked")}${files.fork}</button>`
        )}</div>`
      )
    }
  },
  submit: async (visit) => {
    const name = typed(visit.form, "name").trim()
    if (name === "") return { problems: { name: visit.texts.forms.required } }
    const organization = typed(visit.form, "owner")
    const fork = await visit.forge.repository.fork.create({
      params: namedIn(visit),
      body: { name, ...(organization === "" ? {} : { organization }) }
    })
    return { to: repositoryPath({ owner: fork.owner.login, name: fork.name }) }
  }
})

/** The pages with the stargazers, watchers and forks of a repository, and the page that forks it. */
export const interestPages = [peoplePage("stars"), peoplePage("watchers"), forksPage, forkPage]
