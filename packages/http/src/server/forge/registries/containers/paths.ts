/**
 * The route of the container registry; image names can contain slashes, so the rest is parsed outside of the router.
 */
export const containerPaths = { all: "/v2/*" } as const
