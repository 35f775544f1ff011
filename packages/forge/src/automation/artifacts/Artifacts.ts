import type { PageRequest } from "@slipway/domain"
import { ArtifactNotFound, artifacts, type SignedLink, sign } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { sameName } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { runOf } from "../workflows/WorkflowRuns.ts"
import { download, findDone, linksLast, requireBytes } from "./artifactFiles.ts"
import { holderOf, requireAccess } from "./holders.ts"

/**
 * Returns the content of the artifact in a signed link. Fails if the user or job that got the link no longer has access
 * (invariant I7).
 */
export const downloadOf = Effect.fnUntraced(function* (link: SignedLink) {
  yield* requireAccess(link)
  return yield* download(link)
})

const whole = (name: string | undefined) => ({ filter: { done: true, name } })

/** Lists the artifacts of a repository, newest first. */
export const list = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.artifact.list">,
  name: string | undefined,
  page: PageRequest
) {
  return yield* (yield* artifacts.store).list({ repositoryId: repository.id }, page, whole(name))
})

/** Lists the artifacts of a workflow run, newest first. */
export const listOfRun = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.run.artifact.list">,
  run: number,
  name: string | undefined,
  page: PageRequest
) {
  const { id } = yield* runOf(repository.id, run)
  return yield* (yield* artifacts.store).list({ runId: id }, page, whole(name))
})

/** Reads an artifact. */
export const read = ({ resource: { repository } }: Proof<"repository.actions.artifact.read">, id: number) =>
  findDone(repository.id, id)

/** Deletes an artifact; a cleanup task removes its bytes later. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.actions.artifact.delete">, id: number) {
    yield* findDone(repository.id, id)
    return (
      (yield* (yield* artifacts.store).remove({ repositoryId: repository.id }, id)) ?? (yield* new ArtifactNotFound())
    )
  }),
  ({ name }) => ({ details: { artifact: name } })
)

/** Creates a signed link that downloads an artifact without authentication, valid for an hour. */
export const link = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.actions.artifact.download">,
  id: number
) {
  const artifact = yield* requireBytes(yield* findDone(repository.id, id))
  const { id: repositoryId } = repository
  const by = holderOf(actor, repositoryId)
  return yield* sign({ use: "download", repositoryId, artifactId: artifact.id, jobId: null, by }, linksLast)
})

/** Returns the content of the artifact in a signed link. Fails if the link is not for the artifact in the path. */
export const downloadSigned = Effect.fnUntraced(function* (
  { resource }: Proof<"repository.actions.artifact.download-signed">,
  owner: string,
  name: string,
  id: number
) {
  const { artifactId, repositoryId } = resource.link
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const isIt =
    artifactId === id &&
    repository !== undefined &&
    sameName(repository.owner.name, owner) &&
    sameName(repository.name, name)
  return isIt ? yield* downloadOf(resource.link) : yield* new ArtifactNotFound()
})
