/** Joins parts to a path, and encodes each part. */
export const pathOf = (...parts: ReadonlyArray<string>): string => `/${parts.map(encodeURIComponent).join("/")}`

/** Encodes a path of several parts, such as that of a file. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

/** A name of a revision, and whether it is a branch, a tag or a commit. */
export interface Revision {
  readonly kind: "branch" | "tag" | "commit"
  readonly name: string
}

/** The owner and name of a repository, as in paths. */
export interface RepositoryName {
  readonly owner: string
  readonly name: string
}

/** Returns the path of a repository. */
export const repositoryPath = ({ name, owner }: RepositoryName): string => pathOf(owner, name)

/** Returns the path of a page, raw file or history below a repository for a revision and a path in it. */
export const revisionPath = (
  repository: RepositoryName,
  page: "src" | "raw" | "commits" | "media" | "blame" | "find",
  { kind, name }: Revision,
  path = ""
): string =>
  `${repositoryPath(repository)}/${page}/${kind}/${encodedPath(name)}${path === "" ? "" : `/${encodedPath(path)}`}`

/** Returns the path of a page that changes files of a branch. */
export const editorPath = (
  repository: RepositoryName,
  page: "_new" | "_edit" | "_delete" | "_upload",
  branch: string,
  path = ""
): string => `${repositoryPath(repository)}/${page}/${encodedPath(branch)}${path === "" ? "" : `/${encodedPath(path)}`}`

/** Returns the address of the same page with other parameters; `undefined` removes one. */
export const withQuery = (url: URL, changes: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}
