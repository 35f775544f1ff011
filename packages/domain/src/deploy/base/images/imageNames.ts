/** Removes the default registry (`docker.io`, `localhost`) and namespace (`library`) from an image reference. */
const withoutRegistry = (reference: string): string =>
  reference.replace(/^(?:(?:index\.)?docker\.io\/|localhost\/)?(?:library\/)?/i, "")

/**
 * Returns whether an image reference is a name under `slipway/`, which the platform uses for the images it builds, or
 * an image id. Users must not choose these (invariant I22: no access to resources of other applications).
 */
export const isOwnImage = (reference: string): boolean =>
  /^slipway\//i.test(withoutRegistry(reference)) || /^(?:sha256:)?[0-9a-f]{12,64}$/i.test(reference)

/**
 * Returns whether one of an image's tags is exactly the image reference; always true for a reference with a digest.
 *
 * Container engines also accept a prefix of an image id or the end of a name. This check prevents that such a match
 * returns the image of another application (invariant I22).
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

/**
 * Returns the reference of an image by its digest, in the repository of another reference.
 *
 * @example
 * atDigest("registry.example:5000/team/shop:stable", "sha256:00") // => "registry.example:5000/team/shop@sha256:00"
 */
export const atDigest = (reference: string, digest: string): string =>
  `${reference.replace(/@.*$/, "").replace(/:[^/:]*$/, "")}@${digest}`
