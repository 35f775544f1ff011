import type { ItemKind } from "../access/items.ts"
import type { Target } from "./FactsStore.ts"
import { isItemKind, itemKeysIn, numberIn } from "./items.ts"
import type { LoadedKind } from "./Proof.ts"

/** The path parameters of a request, not decoded or checked. */
export type PathParameters = Readonly<Record<string, string | undefined>>

type PlainKind = Exclude<LoadedKind, ItemKind>

const targets: { readonly [K in PlainKind]: (parameters: PathParameters) => Target<K> } = {
  site: () => ({ kind: "site" }),
  user: ({ username = "" }) => ({ kind: "user", name: username }),
  organization: ({ org = "", username }) => ({ kind: "organization", organization: org, named: username }),
  organizationUser: ({ org = "", username = "" }) => ({ kind: "organizationUser", organization: org, name: username }),
  team: ({ id, username }) => ({ kind: "team", id: numberIn(id), named: username }),
  teamRepository: ({ id, org = "", repo = "" }) => ({
    kind: "teamRepository",
    id: numberIn(id),
    owner: org,
    repository: repo
  }),
  // Another number can follow the name of a repository.
  repository: ({ collaborator, id, reponame, username }) =>
    username === undefined || reponame === undefined
      ? { kind: "repository", id: numberIn(id) }
      : { kind: "repository", owner: username, repository: reponame, named: collaborator },
  packageOwner: ({ username = "" }) => ({ kind: "packageOwner", owner: username }),
  // The link is in the query, encrypted.
  signedLink: () => ({ kind: "signedLink", opens: undefined })
}

/** Returns the names of the resource of a request, from the path parameters and the resource type. */
export const targetIn = <K extends LoadedKind>(kind: K, parameters: PathParameters): Target<K> => {
  if (!isItemKind(kind)) return targets[kind as PlainKind](parameters) as Target<K>
  const { reponame = "", username = "" } = parameters
  return { kind, owner: username, repository: reponame, keys: itemKeysIn(kind, parameters) } as unknown as Target<K>
}

const named: { readonly [K in PlainKind]: Readonly<Record<string, string>> } = {
  site: {},
  user: { name: "username" },
  organization: { organization: "org" },
  organizationUser: { organization: "org", name: "username" },
  team: {},
  teamRepository: { owner: "org", repository: "repo" },
  repository: { owner: "username", repository: "reponame" },
  packageOwner: { owner: "username" },
  signedLink: {}
}

/**
 * Returns the path parameter for each field of a target. It is used to replace previous names in a path by current
 * ones.
 */
export const targetParameters = (kind: LoadedKind): Readonly<Record<string, string>> =>
  isItemKind(kind) ? named.repository : named[kind]
