import { Brand } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The id of a wiki's git repository, such as `7.wiki`. */
export type WikiId = `${number}.wiki` & Brand.Brand<"WikiId">

/** The id of a git repository on disk: a repository id for code, or a wiki id such as `7.wiki`. */
export type GitId = RepositoryId | WikiId

const asWikiId = Brand.nominal<WikiId>()

/** Returns the id of the git repository of a repository's wiki. */
export const wikiOf = (id: RepositoryId): WikiId => asWikiId(`${id}.wiki`)
