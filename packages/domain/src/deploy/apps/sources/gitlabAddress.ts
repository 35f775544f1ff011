import type { GitlabApp } from "../../infrastructure/gitlab-apps/GitlabApp.ts"
import { decodePercent, readRepositoryAddress } from "./repositoryAddress.ts"

type Facts = Pick<GitlabApp, "customPort" | "customUser" | "groups" | "htmlUrl">

/** Returns the groups in a text, separated by commas, in lower case. */
const groupsIn = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "")

const usualPort = 22

/** Returns the host and the path of a repository, without its suffix; undefined for an invalid address. */
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
 * Returns the GitLab app of a repository: the first one with its host and one of its groups.
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
 * Returns the address at which a deploy key reads a repository: at the SSH server of its GitLab app.
 *
 * An address with a port, and one without a GitLab app, stays as it is.
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
