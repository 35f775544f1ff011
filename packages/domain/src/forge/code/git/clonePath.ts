/** The repository, or its wiki, that the path of a clone URL names. */
export interface ClonePath {
  readonly owner: string
  readonly repository: string
  readonly wiki: boolean
}

/**
 * Parses the path of a clone URL; undefined if it names no repository or wiki.
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
