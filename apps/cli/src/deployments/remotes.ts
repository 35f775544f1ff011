/** Returns the host of a remote, and the path of its repository. */
const partsOf = (
  remote: string
): { readonly host: string; readonly origin?: string; readonly path: string } | undefined => {
  const [, scpHost, scpPath] = /^[^@/:]+@([^:/]+):([^/].*)$/.exec(remote) ?? []
  if (scpHost !== undefined && scpPath !== undefined) return { host: scpHost, path: scpPath }
  if (!/^(?:https?|ssh):\/\//i.test(remote) || !URL.canParse(remote)) return undefined
  const { host, hostname, pathname, protocol } = new URL(remote)
  const path = pathname.replace(/^\/+/, "")
  return protocol === "ssh:" ? { host: hostname, path } : { host: hostname, origin: `${protocol}//${host}`, path }
}

/**
 * Returns the short name of the repository of a remote that is on one of some forges.
 *
 * SSH remotes match by host name, because the port of a forge's SSH server is another one.
 *
 * @example
 * repositoryOf("http://ann@127.0.0.1:3000/ann/site.git", ["http://127.0.0.1:3000"]) // => "ann/site"
 * repositoryOf("ssh://git@127.0.0.1:2222/ann/site.git", ["http://127.0.0.1:3000"]) // => "ann/site"
 * repositoryOf("git@forge.example:ann/site", ["https://forge.example"]) // => "ann/site"
 * repositoryOf("http://127.0.0.1:3001/ann/site.git", ["http://127.0.0.1:3000"]) // => undefined
 */
export const repositoryOf = (remote: string, forges: ReadonlyArray<string>): string | undefined => {
  const parts = partsOf(remote)
  if (parts === undefined) return undefined
  const { host, origin, path } = parts
  const isThere = forges.some((forge) => (origin === undefined ? new URL(forge).hostname === host : forge === origin))
  const name = path.replace(/\/+$/, "").replace(/\.git$/, "")
  return isThere && /^[^/]+\/[^/]+$/.test(name) ? name : undefined
}
