/** Returns a reference without the default registries of engines. */
const withoutRegistry = (reference: string): string =>
  reference.replace(/^(?:(?:index\.)?docker\.io\/|localhost\/)?(?:library\/)?/i, "")

/**
 * Returns whether a reference names an image that the platform builds, for any application, or an image id (invariant
 * I22).
 */
export const isOwnImage = (reference: string): boolean =>
  /^slipway\//i.test(withoutRegistry(reference)) || /^(?:sha256:)?[0-9a-f]{12,64}$/i.test(reference)

/**
 * Returns whether an image has exactly the name of a reference.
 *
 * Engines also match a prefix of its id or a suffix of its name, and so images of other applications (invariant I22).
 *
 * @example
 * isNamedBy(["slipway/app:one"], "app:one") // => false
 * isNamedBy(["nginx:latest"], "docker.io/library/nginx") // => true
 */
export const isNamedBy = (tags: ReadonlyArray<string>, reference: string): boolean => {
  if (reference.includes("@")) return true
  const name = withoutRegistry(reference)
  return tags.map(withoutRegistry).includes(/:[^/:]+$/.test(name) ? name : `${name}:latest`)
}
