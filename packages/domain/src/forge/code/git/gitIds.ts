import { Brand } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** What the git repository of a repository's wiki is known by, such as `7.wiki`. */
export type WikiId = `${number}.wiki` & Brand.Brand<"WikiId">

/** What a git repository is known by: the number of the repository that it is behind, or its wiki's. */
export type GitId = RepositoryId | WikiId

const asWikiId = Brand.nominal<WikiId>()

/** Returns what the git repository of a repository's wiki is known by. */
export const wikiOf = (id: RepositoryId): WikiId => asWikiId(`${id}.wiki`)
