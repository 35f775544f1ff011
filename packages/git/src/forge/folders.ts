import { join } from "node:path"
import type { GitId, ObjectFormat } from "@slipway/domain/forge/code"

/** Number of repositories per folder. */
const perFolder = 1_000

/** Returns the path of a repository below the root folder; user-chosen names are never part of it. */
export const repositoryFolder = (root: string, id: GitId): string =>
  join(root, "repositories", String(Math.floor(Number.parseInt(String(id), 10) / perFolder)), `${id}.git`)

/** Returns the object format of a repository, from its `config`. */
export const objectFormatOf = (config: string): ObjectFormat =>
  /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? "sha256" : "sha1"
