import { longestText } from "../../forge/ForgeCaller.ts"
import { html } from "../../html/Html.ts"
import { empty } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { page, type Visit } from "../../page/Page.ts"
import { diffView, parseDiff } from "../code/diffView.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { numberedIn } from "../issues/issueParts.ts"
import { pullHeader } from "./pullFrame.ts"

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = numberedIn(visit)
  const [repository, pull, diff] = await Promise.all([
    forge.repository.read({ params: namedIn(visit) }),
    forge.pull.read({ params }),
    forge.pull.diff({ params })
  ])
  return { repository, pull, diff: parseDiff(diff, Buffer.byteLength(diff) < longestText) }
}

/** `/{owner}/{repo}/pulls/{index}/files`: the changes of a pull request. */
export const pullFilesPage = page({
  path: "/:owner/:repo/pulls/:index/files",
  operations: ["repository.read", "pull.read", "pull.diff"],
  load,
  view: ({ diff, pull, repository }, visit) => {
    const { code, issues } = visit.texts
    const { name, owner } = repositoryIn(visit)
    const whole = `/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pulls/${pull.number}.diff`
    return {
      title: `${issues.files} · ${pull.title} #${pull.number} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "pulls", visit),
      body: html`${pullHeader(visit, pull, "files")}
<p class="title"><b>${code.filesChanged(pull.changed_files)}</b><span class="soft">+${pull.additions} −${pull.deletions}</span></p>
${diff.files.length === 0 ? empty(code.noChanges) : diffView(visit, diff, whole)}`
    }
  }
})
