import type { GitlabApp } from "../../infrastructure/gitlab-apps/GitlabApp.ts"
import { decodePercent, readRepositoryAddress } from "./repositoryAddress.ts"

type Facts = Pick<GitlabApp, "customPort" | "customUser" | "groups" | "htmlUrl">

/** Splits a comma-separated list of GitLab groups, and converts the names to lower case. */
const groupsIn = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "")

const usualPort = 22

/** Returns the host and the path of a repository without the suffix `.git`; undefined for an invalid address. */
const placeOf = (repository: string) => {
  const address = readRepositoryAddress(repository)
  if (address === undefined) return undefined
  const [host, path] =
    address._tag === "Http"
      ? [new URL(address.url).hostname, decodePercent(new URL(address.url).pathname)]
      : [address.host, address.path]
  return { address, host: host.toLowerCase(), path: path.replace(/^\/+/, "").replace(/\.git$/, "") }
}

/**
 * Returns the GitLab app for a repository: the first app with the same host and a group that contains the repository.
 *
 * @example
 * gitlabAppFor([{ htmlUrl: "https://gitlab.example", customUser: "git", customPort: 2222, groups: "acme" }], "git@gitlab.example:acme/shop.git")?.customPort // => 2222
 * gitlabAppFor([{ htmlUrl: "https://gitlab.example", customUser: "git", customPort: 2222, groups: "acme" }], "https://gitlab.example/acme/tools/cli")?.customPort // => 2222
 * gitlabAppFor([{ htmlUrl: "https://gitlab.example", customUser: "git", customPort: 2222, groups: "acme" }], "https://gitlab.example/acme-other/shop") // => undefined
 * gitlabAppFor([{ htmlUrl: "https://gitlab.example", customUser: "git", customPort: 2222, groups: "acme" }], "https://gitlab.example.net/acme/shop") // => undefined
 * gitlabAppFor([{ htmlUrl: "https://gitlab.example", customUser: "git", customPort: 2222, groups: "acme" }], "https://gitlab.example/a/%zz") // => undefined
 */
export const gitlabAppFor = <App extends Facts>(apps: ReadonlyArray<App>, repository: string): App | undefined => {
  const place = placeOf(repository)
  if (place === undefined) return undefined
  const { address, host, path } = place
  return apps.find(({ groups, htmlUrl }) => {
    const { hostname, origin } = new URL(htmlUrl)
    if (address._tag === "Http" ? address.origin !== origin : host !== hostname.toLowerCase()) return false
    return groups === null || groupsIn(groups).some((group) => path.toLowerCase().startsWith(`${group}/`))
  })
}

/**
 * Returns the SSH address of a repository for use with a deploy key, with the user and the port of its GitLab app.
 *
 * An address that contains a port, and one without a matching GitLab app, is returned unchanged.
 *
 * @example
 * deployKeyAddress([{ htmlUrl: "https://gitlab.example", customUser: "gitlab", customPort: 2222, groups: null }], "https://gitlab.example/acme/shop.git") // => "ssh://gitlab@gitlab.example:2222/acme/shop.git"
 * deployKeyAddress([{ htmlUrl: "https://gitlab.example", customUser: "gitlab", customPort: 2222, groups: null }], "git@gitlab.example:acme/shop.git") // => "ssh://git@gitlab.example:2222/acme/shop.git"
 * deployKeyAddress([{ htmlUrl: "https://gitlab.example", customUser: "gitlab", customPort: 2222, groups: null }], "ssh://git@gitlab.example:22/acme/shop.git") // => "ssh://git@gitlab.example:22/acme/shop.git"
 * deployKeyAddress([{ htmlUrl: "https://gitlab.example", customUser: "gitlab", customPort: 2222, groups: null }], "git@other.example:acme/shop.git") // => "git@other.example:acme/shop.git"
 */
export const deployKeyAddress = (apps: ReadonlyArray<Facts>, repository: string): string => {
  const app = gitlabAppFor(apps, repository)
  const place = placeOf(repository)
  if (app === undefined || place === undefined) return repository
  const { address, host, path } = place
  if (address._tag === "Ssh" && (/^ssh:/i.test(repository) || app.customPort === usualPort)) return repository
  const user = address._tag === "Ssh" ? address.user : app.customUser
  const named = host.includes(":") ? `[${host}]` : host
  return `ssh://${user}@${named}:${app.customPort}/${path}.git`
}
