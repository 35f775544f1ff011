import type { RepositoryName, Revision } from "../../layout/urls.ts"
import { NotFound, type Visit } from "../../page/Page.ts"

/** Returns the owner and name of the repository in the URL. */
export const repositoryIn = ({ params }: Visit): RepositoryName => ({
  owner: params.owner ?? "",
  name: params.repo ?? ""
})

/** Returns the path parameters of API requests that identify the repository in the URL. */
export const namedIn = ({ params }: Visit) => ({ username: params.owner ?? "", reponame: params.repo ?? "" })

/** Returns a revision in the format of the API, which distinguishes a tag from a branch with the same name. */
export const refOf = ({ kind, name }: Revision): string =>
  kind === "commit" ? name : `refs/${kind === "branch" ? "heads" : "tags"}/${name}`

/** A revision and the path of a file or folder in it. */
export interface Place {
  readonly revision: Revision
  readonly path: string
}

/** Returns the names of the first branches or tags of the repository in the URL, at most 50. */
export const refNamesIn = async (visit: Visit, kind: "branch" | "tag"): Promise<ReadonlyArray<string>> => {
  const space = kind === "branch" ? "heads/" : "tags/"
  const params = { ...namedIn(visit), "*": space }
  const found = await visit.forge.repository.git.ref.read({ params, query: { limit: 50 } }).result()
  if (found.ok) return found.value.map(({ ref }) => ref.slice(`refs/${space}`.length))
  // Without any such ref, the response is 404.
  if (found.error.status === 404) return []
  throw found.error
}

const mostParts = 8

/**
 * Splits a path such as `feature/x/src/a.ts` into an existing branch or tag, and the path of a file or folder.
 *
 * At most one prefix of the path is a branch, because git does not allow branches `a` and `a/b` at the same time.
 */
export const placeIn = async (visit: Visit, kind: Revision["kind"], rest = visit.params["*"] ?? ""): Promise<Place> => {
  const parts = rest.replace(/\/+$/, "").split("/")
  const at = (count: number): Place => ({
    revision: { kind, name: parts.slice(0, count).join("/") },
    path: parts.slice(count).join("/")
  })
  if (parts[0] === "") throw new NotFound()
  if (kind === "commit" || parts.length === 1) return at(1)
  const space = kind === "branch" ? "heads" : "tags"
  for (let count = 1; count <= Math.min(parts.length, mostParts); count++) {
    const prefix = `${space}/${parts.slice(0, count).join("/")}`
    const found = await visit.forge.repository.git.ref.read({
      params: { ...namedIn(visit), "*": prefix },
      query: { limit: 50 }
    })
    const names = new Set(found.map(({ ref }) => ref.slice(`refs/${space}/`.length)))
    for (let length = count; length <= parts.length; length++)
      if (names.has(at(length).revision.name)) return at(length)
    if (found.length < 50) break
  }
  throw new NotFound()
}
