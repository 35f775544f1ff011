import { join } from "node:path"
import type { GitId, ObjectFormat } from "@slipway/domain/forge/code"

/** How many repositories lie in one folder. */
const perFolder = 1_000

/** Returns where a repository lies below the folder of all: no name of a user gets near a path. */
export const repositoryFolder = (root: string, id: GitId): string =>
  join(root, "repositories", String(Math.floor(Number.parseInt(String(id), 10) / perFolder)), `${id}.git`)

/** Returns what names the objects of a repository, from its `config`. */
export const objectFormatOf = (config: string): ObjectFormat =>
  /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? "sha256" : "sha1"
