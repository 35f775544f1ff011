import { icon } from "../../assets/icons.ts"
import { longestText } from "../../client/ServiceAccess.ts"
import { html } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { revisionPath } from "../../layout/urls.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { diffView, parseDiff } from "./diffView.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, repositoryIn } from "./revision.ts"
import { authorOf, shortSha, subjectOf } from "./tree.ts"

const load = async (visit: Visit) => {
  const { forge, params } = visit
  const sha = params.sha ?? ""
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const named = namedIn(visit)
  const [{ may, repository }, commit, diff] = await Promise.all([
    loadRepository(visit),
    forge.repository.git.commit.read({ params: { ...named, sha }, query: { files: "false" } }),
    forge.repository.git.commit.diff({ params: { ...named, sha } })
  ])
  return { repository, may, commit, diff: parseDiff(diff, Buffer.byteLength(diff) < longestText) }
}

/** `/{owner}/{repo}/commit/{sha}`: a commit and its changes. */
export const commitPage = page({
  path: "/:owner/:repo/commit/:sha",
  operations: [...repositoryOperations, "repository.git.commit.read", "repository.git.commit.diff"],
  load,
  view: ({ commit, diff, may, repository }, visit) => {
    const name = repositoryIn(visit)
    const { code } = visit.texts
    const { message, verification } = commit.commit
    const subject = subjectOf(message)
    const rest = message.slice(message.indexOf("\n") < 0 ? message.length : message.indexOf("\n")).trim()
    const whole = `/api/v1/repos/${encodeURIComponent(name.owner)}/${encodeURIComponent(name.name)}/git/commits/${commit.sha}.diff`
    return {
      title: `${subject} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`<section class="card" aria-label="${code.commit}"><header><h2 class="grow">${subject}</h2>${linkButton(revisionPath(name, "src", { kind: "commit", name: commit.sha }), code.browse, "code")}</header><div class="body">${rest !== "" && html`<pre class="message">${rest}</pre>`}
<p class="row small soft">${authorOf(commit)} ${code.committed} ${time(visit, commit.commit.author.date)}${verification?.verified === true && html`<span class="badge ok">${icon("verified")}${code.signed}</span>`}<span class="push row">${commit.parents.length > 0 && html`${code.parents}: ${commit.parents.map(({ sha }) => shortSha(name, sha))}`} ${code.commit} <code>${commit.sha.slice(0, 10)}</code></span></p></div></section>
<p class="title"><b>${code.filesChanged(diff.files.length)}${diff.isCut && "+"}</b>${commit.stats !== null && html`<span class="soft">+${commit.stats.additions} −${commit.stats.deletions}</span>`}</p>
${diffView(visit, diff, whole)}`
    }
  }
})
