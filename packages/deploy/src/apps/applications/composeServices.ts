import type { Problems, Vault } from "@slipway/domain"
import { type Application, ReleaseStore, type Values } from "@slipway/domain/deploy/apps"
import { openCompose, unknownService } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"

/** The fields that select the compose files. If one changes, the compose files of the last release are outdated. */
const sources = [
  "build_pack",
  "git_repository",
  "git_branch",
  "git_commit_sha",
  "base_directory",
  "docker_compose_location"
] as const

/**
 * Returns the problem of a request with domains for services that are not in the compose files of the newest release.
 * Returns no problem if there is no release, or if the update selects other files.
 */
export const unknownServiceProblems = Effect.fnUntraced(function* (
  { configuration, uuid }: Application,
  values: Values
): Effect.fn.Return<Problems, never, ReleaseStore | Vault> {
  const { docker_compose_domains: domains = null } = values
  const choosesFiles = sources.some((name) => values[name] !== undefined && values[name] !== configuration[name])
  if (domains === null || domains.length === 0 || choosesFiles) return {}
  const [newest] = yield* (yield* ReleaseStore).ofApplication(uuid, 1)
  const compose = newest === undefined ? null : yield* openCompose(newest)
  return compose === null ? {} : (unknownService(compose.project, { docker_compose_domains: domains }) ?? {})
})
