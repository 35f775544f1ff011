import { SiteSettings } from "@slipway/domain/forge/base"
import {
  type Commit,
  pageAddress,
  type Repository,
  type WikiPage,
  type WikiPageEntry
} from "@slipway/domain/forge/code"
import { WikiChanges, WikiPages } from "@slipway/forge/code"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { wikiEndpoints } from "../../../api/forge/code/wiki.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { pageOf } from "../base/pages.ts"
import { renameFields } from "../base/show.ts"
import { handle, shownOne, shownPage } from "../entry/handle.ts"
import { showIdent } from "./commits.ts"
import { apiParts, linksOf, pathInUrl, restOfPath } from "./repositoryLinks.ts"

const showCommit = ({ author, committer, id, message }: Commit) => ({
  sha: id,
  message,
  author: showIdent(author),
  commiter: showIdent(committer)
})

const showEntryOf = ({ repository }: { readonly repository: Repository }) =>
  Effect.map(PublicUrl, (served) => {
    const { html } = linksOf(served, repository)
    return ({ lastCommit, title }: WikiPageEntry) => {
      const address = pathInUrl(pageAddress(title))
      return {
        title,
        html_url: `${html}/wiki/${address}`,
        sub_url: address,
        last_commit: lastCommit === undefined ? null : showCommit(lastCommit)
      }
    }
  })

const showPageOf = (resource: { readonly repository: Repository }) =>
  Effect.map(showEntryOf(resource), (show) => (page: WikiPage) => ({
    ...show(page),
    content_base64: Buffer.from(page.bytes).toString("base64"),
    commit_count: page.commits,
    sidebar: Buffer.from(page.sidebar).toString("base64"),
    footer: Buffer.from(page.footer).toString("base64")
  }))

const names = { content_base64: "content" } as const

/** Returns the page name in a request's path, even if the name of its file isn't valid text. */
const nameIn = (request: HttpServerRequest.HttpServerRequest): string => restOfPath(request, apiParts + 1)

/** The handlers of wikis. */
export const layerWiki = handle(wikiEndpoints, {
  "repository.wiki.page.list": ({ page, proof }) => shownPage(WikiPages.list(proof, page), showEntryOf(proof.resource)),
  "repository.wiki.page.create": ({ body, proof }) =>
    shownOne(WikiChanges.create(proof, renameFields(body, names)), showPageOf(proof.resource)),
  "repository.wiki.page.read": ({ proof, request }) =>
    shownOne(WikiPages.read(proof, nameIn(request)), showPageOf(proof.resource)),
  "repository.wiki.page.edit": ({ body, proof, request }) =>
    shownOne(WikiChanges.edit(proof, nameIn(request), renameFields(body, names)), showPageOf(proof.resource)),
  "repository.wiki.page.delete": ({ proof, request }) => WikiChanges.remove(proof, nameIn(request)),
  "repository.wiki.revision.list": ({ proof, query, request }) =>
    Effect.gen(function* () {
      const { api } = yield* SiteSettings
      const { commits, count } = yield* WikiPages.revisions(proof, nameIn(request), pageOf(query, api))
      return { commits: commits.map(showCommit), count }
    })
})
