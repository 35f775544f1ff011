import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application, Configuration } from "@slipway/domain/deploy/apps"
import {
  ApplicationNotFound,
  ApplicationStore,
  addressesOf,
  fields,
  generatedFor,
  nameEnding,
  toStored
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import type { DestinationUuid } from "@slipway/domain/deploy/infrastructure"
import { DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { requireOriginal } from "../additional-destinations/copies.ts"
import { hold, reserve } from "../domains/Domains.ts"
import { newWebhookSecret, open, seal } from "../secrets/secrets.ts"
import { openRotation, sealRotation } from "../secrets/webhookRotation.ts"
import { keepRepository, openedRepository, withRepository } from "./repository.ts"
import { copyRows } from "./rowCopies.ts"
import { toSent } from "./showApplication.ts"

/** The settings of a clone that may differ from those of its source. */
export interface CloneInput {
  readonly destinationUuid: DestinationUuid
  /** The name of the clone; by default, the name of the source with the uuid of the clone. */
  readonly name?: string | null | undefined
}

/** Returns the settings of a clone: those of the source, without settings that must be unique to one application. */
const settingsOf = (source: Application, uuid: ApplicationUuid, name: string | null, isSameServer: boolean) => {
  const sent = toSent(source.configuration)
  return {
    ...sent,
    name: name ?? nameEnding(sent.name, uuid),
    domains: fields.domains.unset,
    // Build packs without Compose have no such list.
    docker_compose_domains: sent.docker_compose_domains && [],
    ports_mappings: isSameServer ? fields.ports_mappings.unset : sent.ports_mappings,
    force_domain_override: false,
    instant_deploy: false
  } satisfies Configuration
}

/**
 * Decrypts the secrets of an application and encrypts them for its clone. A webhook secret that only the platform and
 * the forge know is replaced by another one.
 */
const cloneSecrets = Effect.fnUntraced(function* (source: Application, uuid: ApplicationUuid, at: string) {
  const isOfGit = source.configuration.git_repository !== null
  const repository = yield* keepRepository(uuid, isOfGit ? yield* openedRepository(source) : null, undefined)
  const opened = yield* open(source)
  const isPrivate = (yield* openRotation(source))?.isPrivate ?? false
  if (!isPrivate) return { repository, secrets: withRepository(yield* seal(uuid, {}, opened), repository) }
  const values = { ...opened, manual_webhook_secret_forgeD: yield* newWebhookSecret }
  const webhook_rotation = yield* sealRotation(uuid, { at, former: null, isPrivate, isFormerPrivate: false })
  return { repository, secrets: { ...withRepository(yield* seal(uuid, {}, values), repository), webhook_rotation } }
})

/**
 * Clones an application to a destination (server network), in the same environment. Copies settings, secrets,
 * variables, tags and storages.
 *
 * Does not copy domains, volume contents and mapped server ports. Deploys nothing.
 */
export const clone = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.clone">,
  { destinationUuid, name = null }: CloneInput
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const source = yield* applications.lock(resource.application.uuid)
      if (source === undefined) return yield* new ApplicationNotFound()
      yield* requireOriginal(source.uuid)
      const destination = yield* (yield* DestinationStore).lock(destinationUuid)
      const server = destination && (yield* (yield* ServerStore).find(destination.serverUuid))
      if (destination === undefined || server === undefined || server.teamId !== source.placement.teamId) {
        return yield* new InvalidInput({ problems: { destination_uuid: ["There is no such destination."] } })
      }
      const { id: _, ...copied } = source
      yield* authorize(resource.caller, "resource.create", { placement: source.placement })
      const uuid = yield* makeUuid(ApplicationUuid)
      const at = yield* now
      const { repository, secrets } = yield* cloneSecrets(source, uuid, at)
      const isSameServer = server.uuid === source.placement.serverUuid
      const sent = { ...settingsOf(source, uuid, name, isSameServer), git_repository: repository.shown }
      const draft = {
        ...copied,
        uuid,
        placement: { ...source.placement, serverUuid: server.uuid, destinationUuid: destination.uuid },
        configuration: toStored(sent),
        secrets,
        generatedDomain: generatedFor(uuid, sent, server),
        isDeclared: false,
        ownerUuid: resource.caller.accountUuid,
        createdAt: at,
        updatedAt: at
      }
      const holder = { type: "application", uuid } as const
      const addresses = addressesOf(draft)
      yield* reserve(holder, addresses, false, source.placement.teamId)
      const application = yield* Effect.orDie(applications.insert(draft))
      yield* hold(holder, addresses)
      yield* copyRows(source.uuid, uuid, at)
      return application
    })
  )
})
