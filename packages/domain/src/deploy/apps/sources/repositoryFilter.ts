import { isRepositoryAddress } from "../fields/git.ts"

/** A repository by which applications are filtered: its address, or its `owner/name` on any host. */
export interface RepositoryFilter {
  readonly _tag: "Address" | "Name"
  readonly key: string
}

/**
 * Returns the comparison key of a repository's address or `owner/name`: without credentials and `.git`, in lower case.
 * Only A to Z are converted, so that every store compares in the same way.
 *
 * @example
 * repositoryKey("https://me:********@Forge.example/Acme/Site.git") // => "https://forge.example/acme/site"
 * repositoryKey("git@forge.example:acme/site.GIT") // => "git@forge.example:acme/site"
 */
export const repositoryKey = (text: string): string =>
  text
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1")
    .replace(/(?:\.git)?\/*$/i, "")
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * Parses a repository filter; undefined for a text that is neither an address nor an `owner/name`.
 *
 * @example
 * readRepositoryFilter("Acme/Site") // => { _tag: "Name", key: "acme/site" }
 * readRepositoryFilter("git@forge.example:acme/site.git") // => { _tag: "Address", key: "git@forge.example:acme/site" }
 * readRepositoryFilter("site") // => undefined
 */
export const readRepositoryFilter = (text: string): RepositoryFilter | undefined => {
  const key = repositoryKey(text)
  if (isRepositoryAddress(text)) return { _tag: "Address", key }
  return /^[^/]+\//.test(key) ? { _tag: "Name", key } : undefined
}

/**
 * Returns whether a repository address matches a filter.
 *
 * @example
 * isOfRepository({ _tag: "Name", key: "acme/site" }, "https://forge.example/Acme/site.git") // => true
 * isOfRepository({ _tag: "Name", key: "acme/site" }, "https://forge.example/other-acme/site.git") // => false
 */
export const isOfRepository = ({ _tag, key }: RepositoryFilter, address: string): boolean => {
  const own = repositoryKey(address)
  return _tag === "Address" ? own === key : own.endsWith(`/${key}`) || own.endsWith(`:${key}`)
}
