import type { Branch, Commit, Tag } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, empty, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { revisionPath } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { type GraphLine, type GraphRow, lanesOf } from "./graphLanes.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, repositoryIn } from "./revision.ts"
import { authorOf, commitPath, shortSha, subjectOf } from "./tree.ts"

const commitsPerPage = 50
const refsShown = 50

/** The size of a row in pixels; further lanes are drawn on the last one. */
const size = { lane: 14, height: 44, most: 12, radius: 4 } as const

const across = (lane: number): number => Math.min(lane, size.most - 1) * size.lane + size.lane / 2

/** Returns the curve of a line, as the data of an SVG path. */
const curve = ({ from, part, to }: GraphLine): string => {
  const [top, bottom] =
    part === "in" ? [0, size.height / 2] : part === "out" ? [size.height / 2, size.height] : [0, size.height]
  const middle = (top + bottom) / 2
  return `M${across(from)} ${top}C${across(from)} ${middle} ${across(to)} ${middle} ${across(to)} ${bottom}`
}

const colours = 6

/** Draws the row of a commit. The list says the same in words: parents, branches and tags. */
const drawing = ({ lane, lines }: GraphRow, lanes: number): Html => {
  const width = Math.min(lanes, size.most) * size.lane
  const drawn = lines.map((line) => {
    const { from, part, to } = line
    const colour = (part === "out" ? to : from) % colours
    return html`<path class="lane-${colour}" d="${curve(line)}"></path>`
  })
  return html`<svg class="graph" width="${width}" height="${size.height}" viewBox="0 0 ${width} ${size.height}" aria-hidden="true" focusable="false">${drawn}<circle class="lane-${lane % colours}" cx="${across(lane)}" cy="${size.height / 2}" r="${size.radius}"></circle></svg>`
}

const refBadges = (visit: Visit, sha: string, branches: ReadonlyArray<Branch>, tags: ReadonlyArray<Tag>): Html => {
  const name = repositoryIn(visit)
  const of = (kind: "branch" | "tag", label: string) =>
    html` <a class="badge ${kind === "branch" ? "info" : ""}" href="${revisionPath(name, "src", { kind, name: label })}">${icon(kind === "branch" ? "git-branch" : "tag")}${label}</a>`
  const found = [
    ...branches.filter(({ commit }) => commit.id === sha).map((branch) => of("branch", branch.name)),
    ...tags.filter(({ commit }) => commit.sha === sha).map((tag) => of("tag", tag.name))
  ]
  return html`${found}`
}

const row = (visit: Visit, commit: Commit, drawn: Html, badges: Html): Html => {
  const { code } = visit.texts
  const name = repositoryIn(visit)
  const { parents, sha } = commit
  const above = parents.map((parent) => parent.sha.slice(0, 10)).join(", ")
  const words = parents.length === 0 ? code.noParents : code.parentsOf(above)
  return html`<li>${drawn}<span class="hidden-text">${words}: </span><div class="grow cut"><a href="${commitPath(name, sha)}">${subjectOf(commit.commit.message)}</a>${badges}</div><span class="small soft wide-only">${authorOf(commit)} ${time(visit, commit.commit.committer.date)}</span><span class="wide-only">${shortSha(name, sha)}</span></li>`
}

/** `/{owner}/{repo}/graph`: the commits of all branches as a graph, each before its parents. */
export const graphPage = page({
  path: "/:owner/:repo/graph",
  operations: [...repositoryOperations, "repository.commit.list", "repository.branch.list", "repository.tag.list"],
  load: async (visit) => {
    const { forge } = visit
    const params = namedIn(visit)
    const { may, repository } = await loadRepository(visit)
    if (repository.empty) {
      // An empty repository is hidden from those who may not read the code, like one with commits.
      await forge.repository.branch.list({ params, query: { limit: 1 } })
      return { repository, may, commits: [], branches: [], tags: [] }
    }
    const query = {
      all: "true",
      page: pageNumber(visit),
      limit: commitsPerPage,
      stat: "false",
      files: "false",
      verification: "false"
    } as const
    const [commits, branches, tags] = await Promise.all([
      forge.repository.commit.list({ params, query }),
      forge.repository.branch.list({ params, query: { limit: refsShown } }),
      forge.repository.tag.list({ params, query: { limit: refsShown } })
    ])
    return { repository, may, commits, branches, tags }
  },
  view: ({ branches, commits, may, repository, tags }, visit) => {
    const { code } = visit.texts
    const rows = lanesOf(commits.map(({ parents, sha }) => ({ sha, parents: parents.map((parent) => parent.sha) })))
    const lanes =
      Math.max(0, ...rows.flatMap(({ lane, lines }) => [lane, ...lines.flatMap(({ from, to }) => [from, to])])) + 1
    const list =
      commits.length === 0
        ? empty(code.noCommits)
        : html`<ol class="rows graph-rows">${commits.map((commit, at) => {
            const drawn = rows[at] === undefined ? nothing : drawing(rows[at], lanes)
            return row(visit, commit, drawn, refBadges(visit, commit.sha, branches, tags))
          })}</ol>`
    return {
      title: `${code.graph} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`<p class="soft">${code.graphHint}</p>${card(code.graph, list)}${pagination(visit, commits.length === commitsPerPage)}`
    }
  }
})
