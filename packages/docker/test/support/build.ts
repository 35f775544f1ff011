import type { BuildOptions } from "@slipway/domain/deploy/containers"

/** Requests a build of a folder's Dockerfile without options. */
export const buildOf = (owner: BuildOptions["owner"]): BuildOptions => ({
  owner,
  dockerfile: "Dockerfile",
  arguments: [],
  labels: [],
  target: null,
  fresh: false,
  credentials: []
})
