/** The paths of the registry of containers: names of images may have slashes, so that what follows them is read behind the router. */
export const containerPaths = { all: "/v2/*" } as const
