/** Joins segments to a URL path, and percent-encodes each segment. */
export const pathOf = (...parts: ReadonlyArray<string>): string => `/${parts.map(encodeURIComponent).join("/")}`

/** Percent-encodes the segments of a path, such as the path of a file. The slashes remain. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

/** A revision of a repository: its name, and whether it is a branch, a tag or a commit. */
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

/** Returns the path of a page, raw file or history of a repository, for a revision and a path in the repository. */
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

/** Returns the URL of the same page with other query parameters. The value `undefined` removes a parameter. */
export const withQuery = (url: URL, changes: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}
