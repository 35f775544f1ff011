/** The target of a git URL's path: a repository, or its wiki. */
export interface ClonePath {
  readonly owner: string
  readonly repository: string
  readonly wiki: boolean
}

/**
 * Returns the repository or wiki in a clone URL's path; undefined if there is none.
 *
 * @example
 * clonePath("/ann/tools.git") // => { owner: "ann", repository: "tools", wiki: false }
 * clonePath("ann/tools") // => { owner: "ann", repository: "tools", wiki: false }
 * clonePath("ann/tools.wiki.git/") // => { owner: "ann", repository: "tools", wiki: true }
 * clonePath("ann/../tools") // => undefined
 */
export const clonePath = (path: string): ClonePath | undefined => {
  const found = /^\/?([A-Za-z0-9._-]{1,255})\/([A-Za-z0-9._-]{1,255}?)(\.wiki)?(?:\.git)?\/?$/i.exec(path)
  if (found === null) return undefined
  const [, owner = "", repository = "", wiki] = found
  return { owner, repository, wiki: wiki !== undefined }
}
