import type { WikiPage } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, Redirect, type Submitted, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { subjectOf } from "../code/tree.ts"

const baseOf = (visit: Visit): string => `${repositoryPath(repositoryIn(visit))}/wiki`

const pagePath = (visit: Visit, { sub_url: name }: Pick<WikiPage, "sub_url">): string =>
  `${baseOf(visit)}/${encodeURIComponent(decoded(name))}`

/** Decodes the name of a wiki page, which the API returns percent-encoded. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const actionIn = ({ query }: Visit): string => query.get("action") ?? ""

const textOf = (encoded: string): string => Buffer.from(encoded, "base64").toString("utf8")

const editForm = (visit: Visit, action: string, found: WikiPage | undefined, title: string): Html => {
  const { wiki } = visit.texts
  const content = found === undefined ? "" : textOf(found.content_base64)
  return card(
    title,
    html`<div class="body">${problemSummary(visit)}${formTo(
      visit,
      action,
      html`${textField(visit, { name: "title", label: wiki.title, value: found?.title ?? visit.query.get("title") ?? "", required: true })}
${textArea(visit, { name: "content", label: wiki.content, hint: visit.texts.issues.commentHint, value: content, rows: 20, maxlength: 500_000 })}
${textField(visit, { name: "message", label: wiki.message })}
<div class="row"><button class="button primary" name="do" value="save">${wiki.save}</button>${linkButton(found === undefined ? `${baseOf(visit)}?action=_pages` : pagePath(visit, found), wiki.cancel)}</div>`
    )}</div>`
  )
}

/** Saves the wiki page in a form and redirects to it. If that fails, returns the error messages of the form. */
const saved = async (
  visit: Visit,
  save: (body: { title: string; content_base64: string; message?: string }) => PromiseLike<WikiPage>
): Promise<Submitted> => {
  const title = typed(visit.form, "title").trim()
  const message = typed(visit.form, "message").trim()
  if (title === "") return { problems: { title: visit.texts.forms.required } }
  const text = typed(visit.form, "content").replaceAll("\r\n", "\n")
  const body = { title, content_base64: Buffer.from(text).toString("base64"), ...(message === "" ? {} : { message }) }
  return { to: pagePath(visit, await save(body)) }
}

/** The access checks that decide which buttons of a wiki are shown. */
const offered = {
  create: ["repository.wiki.page.create", "repo"],
  edit: ["repository.wiki.page.edit", "repo"],
  delete: ["repository.wiki.page.delete", "repo"]
} as const

/**
 * `/{owner}/{repo}/wiki`: the wiki page `Home`. With `?action=_pages`, lists all pages; with `?action=_new`, shows the
 * form for a new page.
 */
const wikiPage = page({
  path: "/:owner/:repo/wiki",
  first: true,
  operations: [...repositoryOperations, "repository.wiki.page.list", "repository.wiki.page.create"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, pages] = await Promise.all([
      loadRepository(visit, offered),
      visit.forge.repository.wiki.page.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    const isHome = actionIn(visit) === "" && visit.form.values.size === 0
    if (isHome && pages.some(({ title }) => title === "Home")) throw new Redirect(`${baseOf(visit)}/Home`)
    return { repository, may, pages }
  },
  view: ({ may, pages, repository }, visit) => {
    const { wiki } = visit.texts
    const isNew = actionIn(visit) === "_new" && may.create
    const create = may.create ? linkButton(`${baseOf(visit)}?action=_new`, wiki.newPage, "plus", "primary") : nothing
    const list =
      pages.length === 0
        ? empty(wiki.empty, create)
        : html`<ul class="rows">${pages.map((each) => html`<li>${icon("file", "soft")}<div class="grow"><h3><a href="${pagePath(visit, each)}">${each.title}</a></h3></div>${each.last_commit !== null && html`<span class="small soft">${wiki.lastChange} ${time(visit, each.last_commit.author.date)}</span>`}</li>`)}</ul>`
    return {
      title: `${isNew ? wiki.newPage : wiki.pages} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "wiki", visit, may),
      body: isNew
        ? editForm(visit, `${baseOf(visit)}?action=_new`, undefined, wiki.newPage)
        : html`<div class="title"><h2>${wiki.pages}</h2><span class="push">${pages.length > 0 && create}</span></div><section class="card" aria-label="${wiki.pages}">${list}</section>${pagination(visit, pages.length === rowsPerPage)}`
    }
  },
  submit: (visit) => saved(visit, (body) => visit.forge.repository.wiki.page.create({ params: namedIn(visit), body }))
})

const place = (visit: Visit) => ({
  kind: "wiki" as const,
  repository: repositoryPath(repositoryIn(visit)),
  tree: undefined,
  folder: ""
})

const load = async (visit: Visit) => {
  const params = { ...namedIn(visit), pageName: visit.params.page ?? "" }
  const isHistory = actionIn(visit) === "_revision"
  if (params.pageName === "." || params.pageName === "..") throw new NotFound()
  const [{ may, repository }, found] = await Promise.all([
    loadRepository(visit, offered),
    visit.forge.repository.wiki.page.read({ params })
  ])
  const rendered = (encoded: string) => (encoded === "" ? nothing : visit.markdown(textOf(encoded), place(visit)))
  const [body, sidebar, footer, history] = await Promise.all([
    rendered(found.content_base64),
    rendered(found.sidebar),
    rendered(found.footer),
    isHistory
      ? visit.forge.repository.wiki.revision.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
      : undefined
  ])
  return { repository, may, found, body, sidebar, footer, history }
}

type Loaded = Awaited<ReturnType<typeof load>>

const buttons = (visit: Visit, { found, may }: Loaded): Html => {
  const { wiki } = visit.texts
  const at = pagePath(visit, found)
  return html`<span class="push row">${linkButton(`${baseOf(visit)}?action=_pages`, wiki.pages)}${linkButton(`${at}?action=_revision`, wiki.history, "history")}${may.edit && linkButton(`${at}?action=_edit`, wiki.edit, "pencil")}${may.create && linkButton(`${baseOf(visit)}?action=_new`, wiki.newPage, "plus", "primary")}</span>`
}

const contentOf = (visit: Visit, { body, footer, found, history, may, sidebar }: Loaded): Html => {
  const { wiki } = visit.texts
  if (history !== undefined)
    return html`${card(wiki.history, history.commits.length === 0 ? empty(wiki.noHistory) : html`<ul class="rows">${history.commits.map(({ author, message, sha }) => html`<li><div class="grow"><b>${subjectOf(message)}</b><div class="small soft">${author.name} · ${time(visit, author.date)}</div></div><code>${sha.slice(0, 10)}</code></li>`)}</ul>`)}${pagination(visit, history.commits.length === rowsPerPage)}`
  if (actionIn(visit) === "_edit" && may.edit) {
    const at = `${pagePath(visit, found)}?action=_edit`
    const remove = html`<section class="card"><div class="body">${formTo(
      visit,
      at,
      html`<p>${wiki.deleteWhat(found.title)}</p><button class="button danger" name="do" value="delete">${icon("trash")}${wiki.delete}</button>`
    )}</div></section>`
    return html`${editForm(visit, at, found, wiki.edit)}${may.delete && remove}`
  }
  const main = html`<section class="card" aria-label="${found.title}"><div class="body markdown">${body}</div></section>${footer !== nothing && html`<div class="small soft markdown">${footer}</div>`}`
  return sidebar === nothing
    ? main
    : html`<div class="split"><div>${main}</div><aside aria-label="${wiki.more}"><div class="markdown">${sidebar}</div></aside></div>`
}

/**
 * `/{owner}/{repo}/wiki/{page}`: a page of the wiki. With `?action=_edit`, shows the edit form; with
 * `?action=_revision`, lists its commits.
 */
const wikiEntryPage = page({
  path: "/:owner/:repo/wiki/:page",
  first: true,
  operations: [
    ...repositoryOperations,
    "repository.wiki.page.read",
    "repository.wiki.page.edit",
    "repository.wiki.page.delete",
    "repository.wiki.revision.list"
  ],
  load,
  view: (loaded, visit) => ({
    title: `${loaded.found.title} · ${loaded.repository.full_name}`,
    frame: repositoryFrame(loaded.repository, "wiki", visit, loaded.may),
    body: html`<div class="title"><h2>${loaded.found.title}</h2>${buttons(visit, loaded)}</div>${contentOf(visit, loaded)}`
  }),
  submit: async (visit) => {
    const params = { ...namedIn(visit), pageName: visit.params.page ?? "" }
    if (typed(visit.form, "do") === "delete") {
      await visit.forge.repository.wiki.page.delete({ params })
      return { to: `${baseOf(visit)}?action=_pages` }
    }
    return saved(visit, (body) => visit.forge.repository.wiki.page.edit({ params, body }))
  }
})

/** The pages of a wiki. */
export const wikiPages = [wikiPage, wikiEntryPage]
