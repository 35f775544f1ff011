import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  ApplicationNotFound,
  ApplicationStore,
  addressesOf,
  isFromGit,
  mostPreviews,
  type Preview,
  PreviewNotFound,
  PreviewStore,
  PullRequestId,
  parseDomains,
  previewAs,
  StorageStore,
  StorageUuid,
  TooManyPreviews,
  toStored
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Authorized, Caller } from "@slipway/domain/deploy/entry"
import { Effect, Schema } from "effect"
import { keepRepository, openedRepository, withRepository } from "../applications/repository.ts"
import type { SignedDelivery } from "../deliveries/SignedDelivery.ts"
import * as Deployments from "../deployments/Deployments.ts"
import { needsNoApproval } from "../deployments/queue.ts"
import { hold, reserve } from "../domains/Domains.ts"
import { openDeployKey, sealDeployKey } from "../forge-links/link.ts"
import { cleanUp } from "../removal/applicationRemoval.ts"
import { all, removePreview } from "../removal/previewRemoval.ts"
import { open, seal } from "../secrets/secrets.ts"
import { previewSettings } from "./settings.ts"

const isPullRequestId = Schema.is(PullRequestId)

const holderOf = (uuid: ApplicationUuid) => ({ type: "application", uuid }) as const

const refused = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

/**
 * Encrypts the secrets of a preview: the application's repository address, deploy key and basic-auth password. Webhook
 * secrets are not copied.
 */
const previewSecrets = Effect.fnUntraced(function* (source: Application, uuid: ApplicationUuid) {
  const repository = yield* keepRepository(uuid, yield* openedRepository(source), undefined)
  const { http_basic_auth_password: password } = yield* open(source)
  const sealed = yield* seal(uuid, {}, password === undefined ? {} : { http_basic_auth_password: password })
  const key = yield* openDeployKey(source)
  const deployKey = key === undefined ? {} : { deploy_key: yield* sealDeployKey(uuid, key) }
  return { repository, secrets: { ...withRepository(sealed, repository), ...deployKey } }
})

/**
 * Creates separate volumes for a preview of an application.
 *
 * Mounted host paths are shared with the application, including their data. File storages are not copied: they can
 * contain secrets, which the code of a pull request must not read (invariant I21).
 */
const addStorages = Effect.fnUntraced(function* (source: ApplicationUuid, preview: ApplicationUuid, at: string) {
  const store = yield* StorageStore
  const own = (yield* store.ofApplication(source)).filter(
    ({ content, hostPath }) => hostPath === null && content === null
  )
  const copies = yield* Effect.forEach(own, ({ id: _, ...storage }) =>
    Effect.map(makeUuid(StorageUuid), (uuid) => ({
      ...storage,
      uuid,
      applicationUuid: preview,
      createdAt: at,
      updatedAt: at
    }))
  )
  yield* store.insertMany(copies)
})

interface PreviewRequest {
  readonly pullRequestId: number
  readonly branch: string | null
  /** The tag of the image that the preview of an application from an image runs. */
  readonly imageTag?: string
  /** Whether an existing preview keeps its tag, because the new one needs an approval. */
  readonly keepsTag?: boolean
}

/** Creates the preview of a pull request, or updates it from its application, within the caller's transaction. */
const prepare = Effect.fnUntraced(function* (
  source: Application,
  { branch, imageTag: wanted, keepsTag = false, pullRequestId }: PreviewRequest
) {
  const [applications, previews] = [yield* ApplicationStore, yield* PreviewStore]
  if ((yield* previewAs(source.uuid)) !== undefined) {
    return yield* refused("pull_request_id", "This application is a preview itself.")
  }
  const known = yield* previews.find(source.uuid, pullRequestId)
  const present = known && (yield* applications.lock(known.previewUuid))
  if (present === undefined && (yield* previews.ofApplication(source.uuid)).length >= mostPreviews) {
    return yield* new TooManyPreviews()
  }
  const kept = keepsTag ? present?.configuration.docker_registry_image_tag : undefined
  const imageTag = wanted === undefined ? undefined : (kept ?? wanted)
  const uuid = present?.uuid ?? (yield* makeUuid(ApplicationUuid))
  const at = yield* now
  const { repository, secrets } = yield* previewSecrets(source, uuid)
  const settings = previewSettings(source, { uuid, pullRequestId, branch })
  const lists = [settings.domains, ...(settings.docker_compose_domains ?? []).map(({ domain }) => domain)]
  const problems = lists.flatMap((list) => parseDomains(list).problems)
  if (problems.length > 0) return yield* new InvalidInput({ problems: { preview_url_template: problems } })
  const { id: _, ...copied } = source
  const draft = {
    ...copied,
    uuid,
    configuration: toStored({
      ...settings,
      git_repository: repository.shown,
      ...(imageTag === undefined ? {} : { docker_registry_image_tag: imageTag })
    }),
    secrets,
    generatedDomain: null,
    isDeclared: false,
    createdAt: present?.createdAt ?? at,
    updatedAt: at
  }
  const addresses = addressesOf(draft)
  yield* reserve(holderOf(uuid), addresses, false, source.placement.teamId)
  const preview: Application =
    present === undefined ? yield* Effect.orDie(applications.insert(draft)) : { ...draft, id: present.id }
  if (present === undefined) yield* addStorages(source.uuid, uuid, at)
  else yield* Effect.orDie(applications.replace(preview))
  // A preview follows its application to another server with its next deployment.
  if (present !== undefined && present.placement.serverUuid !== preview.placement.serverUuid) {
    yield* cleanUp(present, present.placement, all)
  }
  yield* hold(holderOf(uuid), addresses)
  yield* previews.put({ applicationUuid: source.uuid, pullRequestId, previewUuid: uuid, branch, createdAt: at })
  return preview
})

/**
 * Queues a deployment of the preview of a pull request, within the transaction of the signed webhook delivery that
 * reports it. The head branch must be in the same repository.
 */
export const updatePreview = Effect.fnUntraced(function* (
  delivery: SignedDelivery,
  owner: Caller,
  source: Application,
  { commit, ...wanted }: PreviewRequest & { readonly commit: string | null }
) {
  const preview = yield* prepare(source, wanted)
  return yield* Deployments.queuePushed(delivery, owner, preview, {
    commit: commit ?? "HEAD",
    message: null,
    pusher: null
  })
})

/** Removes the preview of a pull request that a signed delivery reports as closed; returns whether it existed. */
export const closePreview = Effect.fnUntraced(function* (
  _: SignedDelivery,
  source: Application,
  pullRequestId: number
) {
  const preview = yield* (yield* PreviewStore).find(source.uuid, pullRequestId)
  return preview !== undefined && (yield* removePreview(preview)) !== undefined
})

/** Returns the image tag of a preview: the requested one, or the present one; undefined for one from git. */
const imageTagOf = Effect.fnUntraced(function* (
  source: Application,
  known: Preview | undefined,
  requested: string | undefined
) {
  if (source.variant !== "dockerimage") {
    if (isFromGit(source.variant)) {
      return requested === undefined
        ? undefined
        : yield* refused("docker_tag", "This application is built from a git repository: omit the tag.")
    }
    return yield* refused("pull_request_id", "This application isn't deployed from a git repository or an image.")
  }
  const present = known && (yield* (yield* ApplicationStore).find(known.previewUuid))
  const tag = requested ?? present?.configuration.docker_registry_image_tag ?? ""
  return tag === "" ? yield* refused("docker_tag", "Is required for the first deployment of a preview.") : tag
})

/** A request to deploy a preview. */
export interface PreviewDeployment {
  readonly force: boolean
  /** The tag of the image, only for applications from an image. */
  readonly imageTag?: string | undefined
}

/**
 * Queues a deployment of the preview of a pull request by its number; the pull request may come from a fork (invariant
 * I21).
 *
 * An existing preview is deployed from its branch. For a new one, the git host is asked for the newest commit on each
 * request. The preview of an application from an image runs another tag of this image. An existing preview gets a tag
 * that needs an approval only with this approval.
 */
export const deploy = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.deploy" | "application.deploy.request">,
  pullRequestId: number,
  { force, imageTag: requested }: PreviewDeployment
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const source = yield* (yield* ApplicationStore).lock(resource.application.uuid)
      if (source === undefined) return yield* new ApplicationNotFound()
      const known = yield* (yield* PreviewStore).find(source.uuid, pullRequestId)
      const imageTag = yield* imageTagOf(source, known, requested)
      if (!source.configuration.is_preview_deployments_enabled) {
        return yield* refused("pull_request_id", "`is_preview_deployments_enabled` of this application is false.")
      }
      const branch = known?.branch ?? null
      const waits = !needsNoApproval(resource.caller, source)
      const preview = yield* prepare(source, {
        pullRequestId,
        branch,
        keepsTag: waits,
        ...(imageTag === undefined ? {} : { imageTag })
      })
      return yield* Deployments.again(resource.caller, preview, force, waits ? requested : undefined)
    })
  )
})

/** Lists the previews of an application in order of their pull requests. Each preview has its own application row. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"application.preview.list">) {
  const previews = yield* (yield* PreviewStore).ofApplication(resource.application.uuid)
  const found = yield* (yield* ApplicationStore).named(
    previews.map(({ previewUuid }) => previewUuid),
    [],
    mostPreviews
  )
  const named = new Map(found.map((application) => [application.uuid, application]))
  return previews.flatMap((preview) => {
    const application = named.get(preview.previewUuid)
    return application === undefined ? [] : [{ ...preview, application }]
  })
})

/** Removes the preview of a pull request with its containers, volumes and routes. Returns the deletion job. */
export const remove = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.preview.delete">,
  pullRequestId: number
) {
  if (!isPullRequestId(pullRequestId)) return yield* new PreviewNotFound()
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const source = yield* (yield* ApplicationStore).lock(resource.application.uuid)
      const preview = source && (yield* (yield* PreviewStore).find(source.uuid, pullRequestId))
      const deletion = preview && (yield* removePreview(preview))
      return deletion ?? (yield* new PreviewNotFound())
    })
  )
})

/** A preview with the application row that deploys it. */
export type ListedPreview = Preview & { readonly application: Application }
