/** The paths of the container registry: names of images may have slashes, so the rest is parsed outside the router. */
export const containerPaths = { all: "/v2/*" } as const
