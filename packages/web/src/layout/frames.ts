import type { Organization, Repository, User } from "@slipway/client/forge"
import { icon } from "../assets/icons.ts"
import { type Html, html, nothing } from "../html/Html.ts"
import type { BaseVisit } from "../page/BasePage.ts"
import type { Frame, Tab } from "../page/Frame.ts"
import type { Visit } from "../page/Page.ts"
import type { Texts } from "../texts/Texts.ts"
import { avatar } from "./components.ts"
import { number } from "./time.ts"
import { pathOf, repositoryPath } from "./urls.ts"

/** Renders tabs. The current tab is marked. */
export const tabBar = (visit: BaseVisit, label: string, tabs: ReadonlyArray<Tab>, current: string): Html =>
  html`<nav class="tabs" aria-label="${label}">${tabs
    .filter(({ shown = true }) => shown)
    .map(
      (tab) =>
        html`<a href="${tab.to}"${tab.key === current && html` aria-current="page"`}>${tab.icon === undefined ? nothing : icon(tab.icon)}${tab.label}${tab.count !== undefined && tab.count > 0 && html` <span class="count">${number(visit, tab.count)}</span>`}</a>`
    )}</nav>`

/** The keys of the tabs of a repository. */
export type RepositoryTab =
  | "code"
  | "issues"
  | "pulls"
  | "actions"
  | "packages"
  | "releases"
  | "wiki"
  | "activity"
  | "settings"

/** Which optional tabs of a repository the viewer can use. The forge decides this. */
export interface RepositoryOffers {
  readonly settings: boolean
}

/** Returns the tabs of a repository. To add a page with its own tab, add a row. */
const repositoryTabs = (
  repository: Repository,
  texts: Texts["code"],
  { settings }: RepositoryOffers
): ReadonlyArray<Tab & { key: RepositoryTab }> => {
  const base = repositoryPath({ owner: repository.owner.login, name: repository.name })
  return [
    { key: "code", label: texts.code, to: base, icon: "code", shown: repository.has_code },
    {
      key: "issues",
      label: texts.issues,
      to: `${base}/issues`,
      icon: "issue-opened",
      count: repository.open_issues_count,
      shown: repository.has_issues
    },
    {
      key: "pulls",
      label: texts.pulls,
      to: `${base}/pulls`,
      icon: "git-pull-request",
      count: repository.open_pr_counter,
      shown: repository.has_pull_requests
    },
    { key: "actions", label: texts.actions, to: `${base}/actions`, icon: "play", shown: repository.has_actions },
    { key: "packages", label: texts.packages, to: `${base}/packages`, icon: "package", shown: repository.has_packages },
    {
      key: "releases",
      label: texts.releases,
      to: `${base}/releases`,
      icon: "tag",
      count: repository.release_counter,
      shown: repository.has_releases
    },
    { key: "wiki", label: texts.wiki, to: `${base}/wiki`, icon: "comment", shown: repository.has_wiki },
    { key: "activity", label: texts.activity, to: `${base}/activity`, icon: "pulse" },
    {
      key: "settings",
      label: texts.settings,
      to: `${base}/settings`,
      icon: "gear",
      shown: settings
    }
  ]
}

/** Renders badges for the visibility and the type of a repository. */
export const repositoryBadges = (repository: Repository, { words }: Texts): ReadonlyArray<Html> => [
  html`<span class="badge">${repository.private ? words.private : repository.internal ? words.internal : words.public}</span>`,
  ...(repository.archived ? [html` <span class="badge warn">${words.archived}</span>`] : []),
  ...(repository.template ? [html` <span class="badge">${words.template}</span>`] : []),
  ...(repository.mirror ? [html` <span class="badge">${words.mirror}</span>`] : [])
]

/** Returns the heading and tabs of the pages of a repository. */
export const repositoryFrame = (
  repository: Repository,
  tab: RepositoryTab,
  { texts }: Visit,
  offers: RepositoryOffers
): Frame => {
  const { name, owner, parent } = repository
  const forked =
    parent === null
      ? nothing
      : html`<span class="soft small">${texts.words.forkedFrom} <a href="${pathOf(...parent.full_name.split("/"))}">${parent.full_name}</a></span>`
  return {
    heading: html`<h1><a href="${pathOf(owner.login)}">${owner.login}</a> <span class="soft">/</span> <a href="${repositoryPath({ owner: owner.login, name })}">${name}</a></h1>${repositoryBadges(repository, texts)}${forked}`,
    label: texts.code.tabs,
    tabs: repositoryTabs(repository, texts.code, offers),
    tab
  }
}

/** Which tabs of an organization the viewer can use. The forge decides this. */
export interface OwnerOffers {
  readonly teams?: boolean
  readonly settings?: boolean
}

/** The keys of the tabs of a user or an organization. */
export type OwnerTab =
  | "repositories"
  | "activity"
  | "packages"
  | "members"
  | "teams"
  | "stars"
  | "followers"
  | "following"
  | "settings"

/** Returns the heading and tabs of the pages of a user or an organization. */
export const ownerFrame = (
  owner: User | Organization,
  tab: OwnerTab,
  { texts, viewer }: Visit,
  { settings = false, teams = false }: OwnerOffers = {}
): Frame => {
  const login = "login" in owner ? owner.login : owner.username
  const isOrganization = !("login" in owner)
  return {
    heading: html`${avatar(owner.avatar_url, "big")}<h1>${owner.full_name === "" ? login : owner.full_name}</h1>${owner.full_name !== "" && html`<span class="soft">${login}</span>`}${owner.visibility !== "public" && html`<span class="badge">${texts.words[owner.visibility]}</span>`}`,
    label: texts.start.ownerTabs,
    tabs: [
      { key: "repositories", label: texts.start.repositories, to: pathOf(login), icon: "repo" },
      { key: "activity", label: texts.activity.title, to: `${pathOf(login)}/-/activity`, icon: "pulse" },
      { key: "packages", label: texts.code.packages, to: `${pathOf(login)}/-/packages`, icon: "package" },
      ...(["stars", "followers", "following"] as const).map((key) => ({
        key,
        label: texts.start[key],
        to: `${pathOf(login)}/-/${key}`,
        shown: !isOrganization && viewer !== undefined
      })),
      {
        key: "members",
        label: texts.start.members,
        to: `/org${pathOf(login)}/members`,
        icon: "people",
        shown: isOrganization && viewer !== undefined
      },
      {
        key: "teams",
        label: texts.start.teams,
        to: `/org${pathOf(login)}/teams`,
        icon: "organization",
        shown: isOrganization && teams
      },
      {
        key: "settings",
        label: texts.layout.settings,
        to: `/org${pathOf(login)}/settings`,
        icon: "gear",
        shown: isOrganization && settings
      }
    ],
    tab
  }
}
