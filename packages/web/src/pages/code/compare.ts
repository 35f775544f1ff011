import type { Branch, Repository } from "@slipway/client/forge"
import { longestText } from "../../client/ServiceAccess.ts"
import { formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { encodedPath, repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { NotFound, page, Redirect, type Visit } from "../../page/Page.ts"
import { commitList } from "./commits.ts"
import { diffView, parseDiff } from "./diffView.ts"
import { loadRepository, offersNewPull, repositoryOperations } from "./loadRepository.ts"
import { namedIn, repositoryIn } from "./revision.ts"
import { subjectOf } from "./tree.ts"

interface Sides {
  readonly base: string
  readonly head: string
}

/** Returns the base and head revisions from a path such as `main...topic`. Returns undefined if the head is missing. */
const sidesIn = ({ params }: Visit): Sides | undefined => {
  const [, base = "", head = ""] = /^(.*?)\.{2,3}(.+)$/.exec(params["*"] ?? "") ?? []
  return head === "" ? undefined : { base, head }
}

const pathOfSides = (visit: Visit, { base, head }: Sides): string =>
  `${repositoryPath(repositoryIn(visit))}/compare/${encodedPath(`${base}...${head}`)}`

/** Renders the form that chooses the revisions to compare. It redirects to the comparison. */
const chooser = (visit: Visit, branches: ReadonlyArray<Branch>, { base, head }: Sides): Html => {
  const { review } = visit.texts
  return html`<form class="filters" action="${repositoryPath(repositoryIn(visit))}/compare" aria-label="${review.compare}"><label for="compare-base">${review.base}</label><input id="compare-base" name="base" list="compare-branches" value="${base}" maxlength="300" required>
<label for="compare-head">${review.head}</label><input id="compare-head" name="head" list="compare-branches" value="${head}" maxlength="300" required aria-describedby="compare-hint"><datalist id="compare-branches">${branches.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<button class="button">${review.show}</button></form><p class="hint" id="compare-hint">${review.headHint}</p>`
}

/** The access check that decides whether the form to open a pull request is shown. */
const offered = { openPull: ["pull.create", "repo"] } as const

const loadBranches = async (visit: Visit) => {
  const [{ may, repository }, branches] = await Promise.all([
    loadRepository(visit, offered),
    visit.forge.repository.branch.list({ params: namedIn(visit), query: { limit: 50 } })
  ])
  return { repository, may, branches }
}

const choosePage = page({
  path: "/:owner/:repo/compare",
  operations: [...repositoryOperations, "repository.branch.list"],
  load: async (visit) => {
    const [base = "", head = ""] = [visit.query.get("base")?.trim(), visit.query.get("head")?.trim()]
    const loaded = await loadBranches(visit)
    if (head !== "")
      throw new Redirect(pathOfSides(visit, { base: base === "" ? loaded.repository.default_branch : base, head }))
    return loaded
  },
  view: ({ branches, may, repository }, visit) => ({
    title: `${visit.texts.review.compare} · ${repository.full_name}`,
    frame: repositoryFrame(repository, "pulls", visit, may),
    body: html`<div class="title"><h2>${visit.texts.review.compare}</h2></div>${chooser(visit, branches, { base: repository.default_branch, head: "" })}`
  })
})

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = namedIn(visit)
  const text = visit.params["*"] ?? ""
  const sides = sidesIn(visit)
  // The client rejects these segments, which no branch has.
  if (text.split("/").some((part) => part === "." || part === "..")) throw new NotFound()
  if (sides === undefined) throw new Redirect(`${repositoryPath(repositoryIn(visit))}/compare`)
  const [{ branches, may, repository }, comparison, diff] = await Promise.all([
    loadBranches(visit),
    forge.repository.compare({ params: { ...params, "*": text } }),
    forge.repository.compare.diff({ params: { ...params, "*": text } })
  ])
  const base = sides.base === "" ? repository.default_branch : sides.base
  const existing = await openPull(visit, repository, base, sides.head)
  return {
    repository,
    may,
    branches,
    comparison,
    existing,
    sides: { base, head: sides.head },
    diff: parseDiff(diff, Buffer.byteLength(diff) < longestText)
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

/** Returns the number of the open pull request between two branches; undefined if there is none. */
const openPull = async (visit: Visit, { has_pull_requests: has }: Repository, base: string, head: string) => {
  // The address of the API has one segment for the base.
  if (!has || base.includes("/")) return undefined
  const found = await visit.forge.pull.readByBranches({ params: { ...namedIn(visit), base, "*": head } }).result()
  return found.ok && found.value.state === "open" ? found.value.number : undefined
}

const proposal = (visit: Visit, { comparison, existing, may, repository, sides }: Loaded): Html => {
  const { review } = visit.texts
  const at = pathOfSides(visit, sides)
  if (existing !== undefined)
    return html`<p>${linkButton(`${repositoryPath(repositoryIn(visit))}/pulls/${existing}`, review.viewPull, "git-pull-request", "primary")}</p>`
  if (!offersNewPull(visit, repository, may.openPull) || comparison.total_commits === 0) return nothing
  if (visit.viewer === undefined) {
    const here = new URLSearchParams({ redirect_to: `${at}?expand=1` })
    return html`<p>${linkButton(`/user/login?${String(here)}`, review.signInToPropose)}</p>`
  }
  if (visit.query.get("expand") === null)
    return html`<p>${linkButton(`${at}?expand=1`, review.newPull, "git-pull-request", "primary")}</p>`
  const [only] = comparison.commits
  const message = comparison.total_commits === 1 && only !== undefined ? only.commit.message : sides.head
  const rest = message.slice(message.indexOf("\n") < 0 ? message.length : message.indexOf("\n")).trim()
  return card(
    review.newPull,
    html`<div class="body">${problemSummary(visit)}${formTo(
      visit,
      `${at}?expand=1`,
      html`${textField(visit, { name: "title", label: review.title, value: subjectOf(message), required: true })}
${textArea(visit, { name: "body", label: review.description, hint: visit.texts.issues.commentHint, value: rest })}
<button class="button primary">${review.createPull}</button>`
    )}</div>`
  )
}

/**
 * `/{owner}/{repo}/compare/{base}...{head}`: the commits that only the head has, the diff, and the form that opens a
 * pull request.
 */
const comparePage = page({
  path: "/:owner/:repo/compare/*",
  operations: [
    ...repositoryOperations,
    "repository.branch.list",
    "repository.compare",
    "repository.compare.diff",
    "pull.readByBranches",
    "pull.create"
  ],
  load,
  view: (loaded, visit) => {
    const { branches, comparison, diff, may, repository, sides } = loaded
    const { code, review } = visit.texts
    const { name, owner } = repositoryIn(visit)
    const whole = `/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/compare-diff/${encodedPath(visit.params["*"] ?? "")}`
    const more = comparison.total_commits > comparison.commits.length
    return {
      title: `${sides.base}...${sides.head} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit, may),
      body: html`<div class="title"><h2>${review.compare}</h2></div>${chooser(visit, branches, sides)}
${proposal(visit, loaded)}${
  comparison.total_commits === 0
    ? card(review.commits, empty(review.same))
    : card(
        html`<h2>${code.commitsCount(comparison.total_commits)}</h2>${more && html`<span class="soft">${review.onlyFirst(comparison.commits.length)}</span>`}`,
        commitList(visit, comparison.commits),
        review.commits
      )
}
<p class="title"><b>${code.filesChanged(diff.files.length)}${diff.isCut && "+"}</b></p>${diffView(visit, diff, whole)}`
    }
  },
  submit: async (visit) => {
    const sides = sidesIn(visit)
    if (sides === undefined) throw new NotFound()
    const title = typed(visit.form, "title").trim()
    if (title === "") return { problems: { title: visit.texts.forms.required } }
    const params = namedIn(visit)
    const base = sides.base === "" ? (await visit.forge.repository.read({ params })).default_branch : sides.base
    const { number: index } = await visit.forge.pull.create({
      params,
      body: { title, body: typed(visit.form, "body"), base, head: sides.head }
    })
    return { to: `${repositoryPath(repositoryIn(visit))}/pulls/${index}` }
  }
})

/** The pages that compare two revisions. */
export const comparePages = [choosePage, comparePage]
