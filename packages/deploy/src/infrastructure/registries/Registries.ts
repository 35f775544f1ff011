import { InvalidInput, makeUuid, noProblems, now, Transaction, Vault } from "@slipway/domain"
import type { RegistryCredentials } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { type TeamId, teamOf } from "@slipway/domain/deploy/identity"
import { type Registry, RegistryNotFound, RegistryStore, RegistryUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted } from "effect"
import { listUseCase, removeUseCase } from "../../base/reading/listUseCases.ts"
import { receiverProblems, type TeamSecrets } from "../../base/secretReceivers.ts"

/** The fields of image registry credentials that users set; the password is write-only. */
export interface RegistryInput extends Pick<Registry, "description" | "name" | "registry" | "username"> {
  readonly password: Redacted.Redacted
}

const passwordOwner = (uuid: RegistryUuid) => ({ uuid, field: "registry_password" })

/** Decrypts the registry credentials of a team, for pulling and pushing images. */
export const openCredentials = Effect.fnUntraced(function* (team: TeamId) {
  const vault = yield* Vault
  const rows = yield* (yield* RegistryStore).ofTeam(team)
  return yield* Effect.forEach(rows, ({ password, registry, username, uuid }) =>
    Effect.map(
      vault.open(passwordOwner(uuid), password),
      (opened): RegistryCredentials => ({ registry, username, password: opened })
    )
  )
})

/**
 * Stores credentials for an image registry, without a request to the registry. A team has at most one set of
 * credentials for each registry or namespace.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"registry.create">,
  { password, ...input }: RegistryInput
) {
  const uuid = yield* makeUuid(RegistryUuid)
  const at = yield* now
  return yield* (yield* RegistryStore).insert({
    ...input,
    uuid,
    teamId: teamOf(resource.caller.access),
    password: yield* (yield* Vault).seal(passwordOwner(uuid), password),
    createdAt: at,
    updatedAt: at
  })
})

/**
 * Changes credentials for an image registry; omitted fields stay unchanged.
 *
 * A change of the registry or the user name requires the password again, unless the caller may read secrets.
 */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"registry.update">,
  { password, ...input }: Partial<RegistryInput>,
  secrets: TeamSecrets | undefined
) {
  const { uuid } = resource.registry
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* RegistryStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return yield* new RegistryNotFound()
      const { registry = present.registry, username = present.username } = input
      const problems = receiverProblems(
        {
          field: "password",
          receiver: "registry or user name",
          isStored: true,
          isSent: password !== undefined,
          isMoved: registry !== present.registry || username !== present.username
        },
        secrets
      )
      if (!noProblems(problems)) return yield* new InvalidInput({ problems })
      const sealed =
        password === undefined ? {} : { password: yield* (yield* Vault).seal(passwordOwner(uuid), password) }
      const changed: Registry = { ...present, ...input, ...sealed, updatedAt: yield* now }
      yield* store.replace(changed)
      return changed
    })
  )
})

/** List use cases: `list` reads one page of registry credentials, `stream` reads all; neither returns passwords. */
export const { list, stream } = listUseCase("registry", RegistryStore)

const removeRow = removeUseCase("registry", RegistryStore, () => new RegistryNotFound())

/** Removes credentials for an image registry. Later image pulls from it are anonymous. */
export const remove = (proof: Authorized<"registry.delete">) =>
  // No row refers to credentials for a registry.
  Effect.catchTag(removeRow(proof), "InUse", Effect.die)
