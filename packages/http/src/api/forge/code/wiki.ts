import { Schema } from "effect"
import { create, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { optionalNullable, pageQuery, text } from "../base/schemas.ts"
import { CommitUser } from "./commits.ts"

/** The maximum length of a wiki page's content in base64, and of the request body: enough for 1 MiB of text. */
const largest = 1_500_000

/** A commit of a wiki; `commiter` is spelled as in Gitea. */
export const WikiCommit = Schema.Struct({
  sha: Schema.String,
  message: Schema.String,
  author: CommitUser,
  commiter: CommitUser
}).annotate({ identifier: "WikiCommit" })

const named = {
  title: Schema.String,
  html_url: Schema.String,
  sub_url: Schema.String,
  last_commit: Schema.NullOr(WikiCommit)
}

/** A wiki page without its content, as returned in lists. */
export const WikiPageMetaData = Schema.Struct(named).annotate({ identifier: "WikiPageMetaData" })

/** A wiki page with its content in base64. */
export const WikiPage = Schema.Struct({
  ...named,
  content_base64: Schema.String,
  commit_count: Schema.Int,
  sidebar: Schema.String,
  footer: Schema.String
}).annotate({ identifier: "WikiPage" })

/** One page of the list of commits that changed a wiki page, with the total number of commits. */
export const WikiCommitList = Schema.Struct({
  commits: Schema.Array(WikiCommit),
  count: Schema.Int
}).annotate({ identifier: "WikiCommitList" })

/** The request body that creates or changes a wiki page. */
export const CreateWikiPageOptions = Schema.Struct({
  title: optionalNullable(text(1_000)),
  content_base64: optionalNullable(Schema.Uint8ArrayFromBase64.annotate({ description: "In Base64." })),
  message: optionalNullable(text(65_536))
}).annotate({ identifier: "CreateWikiPageOptions" })

const { limit, page } = pageQuery

/** The endpoints of wikis. */
export const wikiEndpoints = endpoints("wiki", "Wiki pages of a repository, in a separate git repository.", {
  "repository.wiki.page.list": list(WikiPageMetaData),
  "repository.wiki.page.create": create(WikiPage, { body: CreateWikiPageOptions, largest }),
  "repository.wiki.page.read": read(WikiPage),
  "repository.wiki.page.edit": edit(WikiPage, { body: CreateWikiPageOptions, largest }),
  "repository.wiki.page.delete": remove(),
  "repository.wiki.revision.list": read(WikiCommitList, { query: { page, limit } })
})
