import type { PageRequest, Window } from "@slipway/domain"
import { joinProblems, makeUuid, now, pageOf, streamOf, Transaction } from "@slipway/domain"
import type { Application, DeletionFlags, EnvironmentUuid, PlacementQuery, Variant } from "@slipway/domain/deploy/apps"
import {
  ApplicationNotFound,
  ApplicationStore,
  addressesOf,
  builtTagProblems,
  composeDomainProblems,
  type Draft,
  generatedFor,
  merge,
  newConfiguration,
  PreviewStore,
  readCreation,
  readRepositoryFilter,
  readUpdate,
  secretFields,
  severalDestinationsProblems,
  toStored,
  type Values
} from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"
import { containerProblems, InstancePolicy } from "@slipway/domain/deploy/containers"
import { type Authorized, type Caller, visibleTo } from "@slipway/domain/deploy/entry"
import type { DestinationUuid, KeyPair, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { DestinationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Stream } from "effect"
import { readableBy } from "../../base/reading/listUseCases.ts"
import {
  copiesOf,
  removeCopies,
  requireNoCopyOn,
  requireOriginal,
  requireOtherMachine,
  updateCopies
} from "../additional-destinations/copies.ts"
import * as Deployments from "../deployments/Deployments.ts"
import { hold, reserve } from "../domains/Domains.ts"
import { linkOf, requireSameRepository, sealDeployKey } from "../forge-links/link.ts"
import { place, placeIn } from "../placement/place.ts"
import { cleanUp, removeOne } from "../removal/applicationRemoval.ts"
import { leaving } from "../removal/leaving.ts"
import { removeAll } from "../removal/previewRemoval.ts"
import { seal } from "../secrets/secrets.ts"
import { sealRotation } from "../secrets/webhookRotation.ts"
import { attach } from "../tags/Tags.ts"
import { unknownServiceProblems } from "./composeServices.ts"
import { keepRepository, withAddress, withRepository } from "./repository.ts"
import { toSent } from "./showApplication.ts"

/** Adds the problems that the instance policy finds in the container options of a draft. */
const checked = Effect.fnUntraced(function* <D extends Draft>(draft: D) {
  const problems = containerProblems(draft.values, yield* InstancePolicy)
  return { ...draft, problems: joinProblems(draft.problems, problems) }
})

const holderOf = (uuid: ApplicationUuid) => ({ type: "application", uuid }) as const

const queryOf = (values: Values): PlacementQuery => ({
  projectUuid: values.project_uuid,
  environmentName: values.environment_name,
  environmentUuid: values.environment_uuid,
  serverUuid: values.server_uuid,
  destinationUuid: values.destination_uuid,
  privateKeyUuid: values.private_key_uuid,
  forgeAppUuid: values.forge_app_uuid
})

/**
 * Returns the placement that an update requests. In a new project, the environment with the same name is used; on a new
 * server, its only destination.
 */
const movedQuery = ({ placement }: Application, values: Values): PlacementQuery => {
  const namesEnvironment = values.environment_name !== undefined || values.environment_uuid !== undefined
  const staysInProject = values.project_uuid === undefined || values.project_uuid === placement.projectUuid
  const staysOnServer = values.server_uuid === undefined || values.server_uuid === placement.serverUuid
  return {
    ...queryOf(values),
    projectUuid: values.project_uuid ?? placement.projectUuid,
    ...(namesEnvironment
      ? {}
      : staysInProject
        ? { environmentUuid: placement.environmentUuid }
        : { environmentName: placement.environmentName }),
    serverUuid: values.server_uuid ?? placement.serverUuid,
    destinationUuid: values.destination_uuid ?? (staysOnServer ? placement.destinationUuid : undefined)
  }
}

/** The credentials that the platform generated for an application of a connected forge. */
export interface GeneratedCredentials {
  /** The key that reads the repository; undefined if the token of the connection reads it. */
  readonly deployKey: KeyPair | undefined
  /** The webhook secret; a body with another one replaces it. */
  readonly webhookSecret: string
}

/**
 * Creates an application from a request body; each application variant has its own body (spec "Creation bodies").
 *
 * Fails without changes, with all problems of the body or with the domains that other applications use.
 */
export const create = Effect.fnUntraced(function* (
  proof: Authorized<"application.create">,
  variant: Variant,
  body: unknown,
  generated?: GeneratedCredentials
) {
  const transaction = yield* Transaction
  const { problems, tags, values: creation } = yield* checked(readCreation(variant, body))
  const uuid = yield* makeUuid(ApplicationUuid)
  const at = yield* now
  return yield* transaction.run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const values = yield* withAddress(creation)
      const { placement, server } = yield* place(
        proof.resource.caller,
        queryOf(values),
        joinProblems(problems, composeDomainProblems(values), builtTagProblems(variant, values))
      )
      const repository = yield* keepRepository(uuid, values.git_repository ?? null, undefined)
      const sent = { ...newConfiguration(variant, uuid, values), git_repository: repository.shown }
      const deployKey = generated?.deployKey
      const isPrivate = generated !== undefined && values.manual_webhook_secret_forgeD === generated.webhookSecret
      const origin = { at, former: null, isPrivate, isFormerPrivate: false }
      const draft = {
        uuid,
        variant,
        placement,
        forgeAppUuid: values.forge_app_uuid ?? null,
        privateKeyUuid: values.private_key_uuid ?? null,
        configuration: toStored(sent),
        secrets: {
          ...withRepository(yield* seal(uuid, {}, values), repository),
          ...(deployKey === undefined ? {} : { deploy_key: yield* sealDeployKey(uuid, deployKey) }),
          ...(isPrivate ? { webhook_rotation: yield* sealRotation(uuid, origin) } : {})
        },
        generatedDomain: generatedFor(uuid, sent, server),
        isDeclared: false,
        ownerUuid: proof.resource.caller.accountUuid,
        createdAt: at,
        updatedAt: at
      }
      const addresses = addressesOf(draft)
      yield* reserve(holderOf(uuid), addresses, sent.force_domain_override, placement.teamId)
      const application = yield* Effect.orDie(applications.insert(draft))
      yield* hold(holderOf(uuid), addresses)
      yield* attach(application, tags)
      if (sent.instant_deploy) yield* Deployments.request(proof.resource.caller, application)
      return application
    })
  )
})

/** Returns whether a change configures automatic deployments, which then run with the caller's permissions. */
const setsAutomation = (values: Values): boolean =>
  values.is_auto_deploy_enabled === true ||
  values.is_preview_deployments_enabled === true ||
  secretFields.some((name) => name.startsWith("manual_webhook_secret") && typeof values[name] === "string")

/** Keeps a generated domain generated if a request sends it back as `domains`, such as an unchanged update. */
const keepsGenerated = ({ configuration, generatedDomain }: Application, values: Values): Values => {
  const generates = values.autogenerate_domain ?? configuration.autogenerate_domain
  return generates && generatedDomain !== null && values.domains === generatedDomain
    ? { ...values, domains: "" }
    : values
}

/**
 * Updates an application; omitted fields keep their value (decision "Update").
 *
 * Fails like `create`, and for a missing application. Also fails for domains of services that are not in the compose
 * files of the newest release, unless the caller states that the files have changed since.
 *
 * Domains that other resources use require `force_domain_override` in this request; the value of an earlier request
 * does not count. An application that was moved to another server keeps serving from the old server until it is
 * deployed; then everything except its volumes is removed from the old server.
 */
export const update = Effect.fnUntraced(function* (
  proof: Authorized<"application.update">,
  body: unknown,
  { hasNewerFiles = false }: { readonly hasNewerFiles?: boolean } = {}
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const present = yield* applications.lock(proof.resource.application.uuid)
      if (present === undefined) return yield* new ApplicationNotFound()
      // Only its service changes the application of a service.
      if (present.variant === "service") return yield* new ApplicationNotFound()
      yield* requireOriginal(present.uuid)
      const { problems, values: sentValues } = yield* checked(readUpdate(present.variant, body))
      const values = yield* withAddress(keepsGenerated(present, sentValues), present)
      const merged = merge(toSent(present.configuration), values)
      const copies = yield* copiesOf(present.uuid)
      const { placement, server } = yield* place(
        proof.resource.caller,
        movedQuery(present, values),
        joinProblems(
          problems,
          composeDomainProblems(values, toSent(present.configuration)),
          builtTagProblems(present.variant, values),
          copies.length === 0 ? {} : severalDestinationsProblems({ ...present, configuration: merged }),
          hasNewerFiles ? {} : yield* unknownServiceProblems(present, values)
        ),
        present.placement
      )
      yield* requireNoCopyOn(copies, placement.serverUuid)
      if (placement.serverUuid !== present.placement.serverUuid) {
        yield* requireOtherMachine(placement.serverUuid, copies)
      }
      const repository = yield* keepRepository(present.uuid, merged.git_repository, present)
      const sent = { ...merged, git_repository: repository.shown }
      const generatedDomain = placement.serverUuid === present.placement.serverUuid ? present.generatedDomain : null
      const application: Application = {
        ...present,
        placement,
        forgeAppUuid: values.forge_app_uuid ?? present.forgeAppUuid,
        privateKeyUuid: values.private_key_uuid ?? present.privateKeyUuid,
        configuration: toStored(sent),
        secrets: withRepository(yield* seal(present.uuid, present.secrets, values), repository),
        generatedDomain: generatedFor(present.uuid, sent, server, generatedDomain),
        ownerUuid: setsAutomation(values) ? proof.resource.caller.accountUuid : present.ownerUuid,
        updatedAt: yield* now
      }
      yield* requireSameRepository(present, application)
      yield* reserve(
        holderOf(application.uuid),
        addressesOf(application),
        values.force_domain_override === true,
        placement.teamId
      )
      yield* Effect.orDie(applications.replace(application))
      yield* updateCopies(application, copies)
      yield* hold(holderOf(application.uuid), addressesOf(application))
      // The cleanup waits until the application serves elsewhere.
      if (placement.serverUuid !== present.placement.serverUuid) yield* cleanUp(present, present.placement, leaving)
      if (values.instant_deploy === true) yield* Deployments.request(proof.resource.caller, application)
      return application
    })
  )
})

/**
 * Moves an application to a destination (network) on its server or another server. The move takes effect with the next
 * deployment. Volumes stay on the old server.
 */
export const migrate = Effect.fnUntraced(function* (
  proof: Authorized<"application.update">,
  destinationUuid: DestinationUuid
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const destination = yield* (yield* DestinationStore).find(destinationUuid)
      // A missing destination is reported the same way as in any update.
      const server = destination === undefined ? {} : { server_uuid: destination.serverUuid }
      // Starts no deployment.
      return yield* Effect.catchTag(
        update(proof, { destination_uuid: destinationUuid, ...server }),
        ["QueueFull", "ServerHandedOver"],
        Effect.die
      )
    })
  )
})

/** Moves an application to another environment; running containers are unaffected. */
export const move = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.update">,
  environmentUuid: EnvironmentUuid
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const present = yield* applications.lock(resource.application.uuid)
      if (present === undefined) return yield* new ApplicationNotFound()
      yield* requireOriginal(present.uuid)
      const placement = yield* placeIn(resource.caller, present.placement, environmentUuid)
      const application: Application = { ...present, placement, updatedAt: yield* now }
      yield* Effect.orDie(applications.replace(application))
      yield* updateCopies(application, yield* copiesOf(application.uuid))
      return application
    })
  )
})

/** The filter of an application list: applications must match all given fields. Without a filter, it lists all. */
export interface ApplicationFilter {
  readonly tag?: string | undefined
  /** The URL of the repository, or its `owner/name` on any host. */
  readonly repository?: string | undefined
  readonly privateKeyUuid?: PrivateKeyUuid | undefined
}

const listing = (caller: Caller, { privateKeyUuid, repository, tag }: ApplicationFilter) =>
  Effect.map(ApplicationStore, (store) => {
    const visible = visibleTo(caller, "application.read")
    if (repository !== undefined || privateKeyUuid !== undefined) {
      const sought = repository === undefined ? undefined : readRepositoryFilter(repository)
      if (repository !== undefined && sought === undefined)
        return { list: () => Effect.succeed([]), count: Effect.succeed(0) }
      const filter = { repository: sought, privateKeyUuid, tag }
      const list = (window: Window) => store.builtFrom(filter, window, visible)
      return { list, count: store.countBuiltFrom(filter, visible) }
    }
    if (tag === undefined) return readableBy(caller, "application.read", store)
    const list = (window: Window) => store.tagged(tag, window, visible)
    return { list, count: store.countTagged(tag, visible) }
  })

/** Lists one page of applications that match a filter, oldest first. */
export const list = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.list">,
  page: PageRequest,
  filter: ApplicationFilter = {}
) {
  return yield* pageOf(yield* listing(resource.caller, filter), page)
})

/** Streams all applications that match a filter, oldest first, in small batches. */
export const stream = ({ resource }: Authorized<"application.list">, filter: ApplicationFilter = {}) =>
  Stream.unwrap(Effect.map(listing(resource.caller, filter), (store) => streamOf(store.list)))

/**
 * Deletes an application, its previews and its additional destinations immediately. A durable job later removes its containers and its webhook
 * (decision "Delete").
 *
 * Returns the job, so that the caller can read its result.
 */
export const remove = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.delete">,
  flags: DeletionFlags
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const applications = yield* ApplicationStore
      const application = yield* applications.lock(resource.application.uuid)
      if (application === undefined) return yield* new ApplicationNotFound()
      yield* removeCopies(application.uuid, flags)
      yield* removeAll(yield* (yield* PreviewStore).ofApplication(application.uuid), flags)
      return yield* removeOne(application, flags, (yield* linkOf(application))?.link ?? null)
    })
  )
})
