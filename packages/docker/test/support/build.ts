import type { BuildOptions } from "@slipway/domain/deploy/containers"

/** Asks for a build of a folder's Dockerfile, and for nothing more. */
export const buildOf = (owner: BuildOptions["owner"]): BuildOptions => ({
  owner,
  dockerfile: "Dockerfile",
  arguments: [],
  labels: [],
  target: null,
  fresh: false,
  credentials: []
})
