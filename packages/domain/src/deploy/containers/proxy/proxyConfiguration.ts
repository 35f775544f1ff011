/** The image in a proxy configuration, or the reason why the configuration is invalid. */
export type ProxyConfiguration = { readonly image: string } | { readonly problem: string }

const form = "Must be a compose file with only `services: caddy: image: …`: the platform decides the other settings."
const reference = /^[a-z0-9](?:[a-z0-9._:/-]*[a-z0-9])?(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

/**
 * Parses the configuration of a proxy container: a compose file with only the service `caddy` and its image.
 *
 * @example
 * readProxyConfiguration("services:\n  caddy:\n    image: caddy:2.10 # pinned\n") // => { image: "caddy:2.10" }
 * readProxyConfiguration("services:\n  caddy:\n    image: Caddy!\n") // => { problem: "The image of the proxy is not a valid reference." }
 */
export const readProxyConfiguration = (text: string): ProxyConfiguration => {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trimEnd())
    .filter((line) => line !== "" && line !== "---")
  const [services = "", service = "", image = "", ...others] = lines
  const [, outer = ""] = /^( +)caddy:$/.exec(service) ?? []
  const [, inner = "", written] = /^( +)image: *(\S+)$/.exec(image) ?? []
  if (others.length > 0 || services !== "services:" || outer === "" || written === undefined) return { problem: form }
  if (inner.length <= outer.length) return { problem: form }
  const named = written.replace(/^(["'])(.*)\1$/, "$2")
  return reference.test(named) && named.length <= 500
    ? { image: named }
    : { problem: "The image of the proxy is not a valid reference." }
}
