import { CodeSearch } from "@slipway/forge/code"
import { Effect } from "effect"
import { codeSearchEndpoints } from "../../../../api/forge/code/codeSearch.ts"
import { PublicUrl, type PublicUrlSettings } from "../../base/PublicUrl.ts"
import { handle, mapRows } from "../../entry/handle.ts"
import { pathInUrl } from "../repositoryLinks.ts"

interface Query extends Omit<CodeSearch.CodeSearchInput, "q"> {
  readonly q?: string
}

const inputOf = ({ q = "", ...filter }: Query): CodeSearch.CodeSearchInput => ({ ...filter, q })

const showResult =
  ({ rootUrl }: PublicUrlSettings) =>
  ({ blob, incomplete, language, match, path, repository, size }: CodeSearch.CodeResult) => {
    const { defaultBranch, id, name, owner } = repository
    const html = `${rootUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
    const line = match.lines.find((each) => each.match)?.number
    return {
      repository: {
        id,
        owner,
        name,
        full_name: `${owner}/${name}`,
        html_url: html,
        default_branch: defaultBranch
      },
      path,
      sha: blob,
      size,
      language,
      html_url: `${html}/src/branch/${pathInUrl(defaultBranch)}/${pathInUrl(path)}${line === undefined ? "" : `#L${line}`}`,
      match_count: match.count,
      lines: match.lines,
      incomplete
    }
  }

/** The handlers of code search. */
export const layerCodeSearch = handle(codeSearchEndpoints, {
  "code.search": ({ page, proof, query }) =>
    Effect.flatMap(PublicUrl, (url) => mapRows(CodeSearch.search(proof, inputOf(query), page), showResult(url))),
  "repository.code.search": ({ page, proof, query }) =>
    Effect.flatMap(PublicUrl, (url) => mapRows(CodeSearch.searchIn(proof, inputOf(query), page), showResult(url)))
})
