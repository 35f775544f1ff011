import { InvalidInput } from "@slipway/domain"
import {
  AdditionalDestinationStore,
  type Application,
  ApplicationStore,
  copySettings,
  type DeletionFlags,
  mostAdditionalDestinations,
  originalOf
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { isOwnMachine, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { removeOne } from "../removal/applicationRemoval.ts"
import { open, seal } from "../secrets/secrets.ts"

/** Returns the copies that run an application at its additional destinations, oldest first. */
export const copiesOf = Effect.fnUntraced(function* (application: ApplicationUuid) {
  const found = yield* (yield* AdditionalDestinationStore).ofApplication(application)
  if (found.length === 0) return []
  const uuids = found.map(({ copyUuid }) => copyUuid)
  const rows = yield* (yield* ApplicationStore).named(uuids, [], mostAdditionalDestinations)
  const named = new Map(rows.map((row) => [row.uuid, row]))
  return uuids.flatMap((uuid) => named.get(uuid) ?? [])
})

/** Returns a function that names the servers of some applications. Reads the servers with one query. */
export const serverNamesOf = Effect.fnUntraced(function* (
  applications: ReadonlyArray<{ readonly placement: Pick<Application["placement"], "serverUuid"> }>
) {
  const uuids = applications.map(({ placement }) => placement.serverUuid)
  const servers = uuids.length === 0 ? [] : yield* (yield* ServerStore).findMany(uuids)
  const names = new Map(servers.map(({ name, uuid }) => [uuid, name]))
  return (uuid: ServerUuid): string | undefined => names.get(uuid)
})

/** Fails if an application is the copy of another one, because only a change of the other one takes effect. */
export const requireOriginal = Effect.fnUntraced(function* (application: ApplicationUuid) {
  const original = yield* originalOf(application)
  if (original === undefined) return
  const sentence = `This application runs the application ${original} at an additional destination: change that one.`
  return yield* new InvalidInput({ problems: { uuid: [sentence] } })
})

/** Returns the secrets of a copy: the basic-auth password. An unchanged one keeps its sealed form. */
const copySecrets = Effect.fnUntraced(function* (source: Application, copy: Pick<Application, "secrets" | "uuid">) {
  const { http_basic_auth_password: wanted } = yield* open(source)
  const { http_basic_auth_password: present } = yield* open(copy)
  if (wanted === present) return copy.secrets
  return wanted === undefined ? {} : yield* seal(copy.uuid, {}, { http_basic_auth_password: wanted })
})

/** Returns the facts of a copy that follow from its application; the copy keeps its server and destination. */
export const copiedFacts = Effect.fnUntraced(function* (
  source: Application,
  copy: Pick<Application, "secrets" | "uuid"> & {
    readonly placement: Pick<Application["placement"], "destinationUuid" | "serverUuid">
  },
  nameOf: (server: ServerUuid) => string | undefined
) {
  const { destinationUuid, serverUuid } = copy.placement
  return {
    variant: "dockerimage",
    placement: { ...source.placement, serverUuid, destinationUuid },
    forgeAppUuid: null,
    privateKeyUuid: null,
    configuration: copySettings(source.configuration, nameOf(serverUuid) ?? serverUuid),
    secrets: yield* copySecrets(source, copy),
    generatedDomain: source.generatedDomain,
    isDeclared: false,
    ownerUuid: source.ownerUuid
  } satisfies Partial<Application>
})

/** Copies the changed settings and the environment of an application to its copies, within a transaction. */
export const updateCopies = Effect.fnUntraced(function* (source: Application, copies: ReadonlyArray<Application>) {
  const applications = yield* ApplicationStore
  const nameOf = yield* serverNamesOf(copies)
  for (const { uuid } of copies) {
    // A concurrent request may have removed it.
    const copy = yield* applications.lock(uuid)
    if (copy === undefined) continue
    const facts = yield* copiedFacts(source, copy, nameOf)
    yield* Effect.orDie(applications.replace({ ...copy, ...facts, updatedAt: source.updatedAt }))
  }
})

/** Fails if an application has one of its copies on a server. */
export const requireNoCopyOn = (copies: ReadonlyArray<Application>, serverUuid: ServerUuid) => {
  if (!copies.some(({ placement }) => placement.serverUuid === serverUuid)) return Effect.void
  const sentence = "The application has an additional destination on this server: remove it first."
  return Effect.fail(new InvalidInput({ problems: { destination_uuid: [sentence] } }))
}

/**
 * Fails if a server and another server of an application are the same machine, that of the platform. Its proxy has one
 * route for each domain.
 */
export const requireOtherMachine = Effect.fnUntraced(function* (
  serverUuid: ServerUuid,
  others: ReadonlyArray<Application>
) {
  const uuids = [serverUuid, ...others.map(({ placement }) => placement.serverUuid)]
  const own = (yield* (yield* ServerStore).findMany(uuids)).filter(isOwnMachine)
  const server = own.find(({ uuid }) => uuid === serverUuid)
  const other = own.find(({ uuid }) => uuid !== serverUuid)
  if (server === undefined || other === undefined) return
  const sentence = `The servers \`${other.name}\` and \`${server.name}\` are the same machine: set \`private_key_uuid\` of the one that the platform reaches by SSH.`
  return yield* new InvalidInput({ problems: { destination_uuid: [sentence] } })
})

/** Removes the copies of an application within a transaction, and queues the removal of their resources. */
export const removeCopies = Effect.fnUntraced(function* (application: ApplicationUuid, flags: DeletionFlags) {
  for (const { uuid } of yield* copiesOf(application)) {
    const copy = yield* (yield* ApplicationStore).lock(uuid)
    if (copy !== undefined) yield* removeOne(copy, flags)
  }
})
