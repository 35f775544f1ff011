import { RepositoryHostKeyStore } from "@slipway/domain/deploy/apps"
import { HostKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import { hostKeyKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

/** Stores the SSH host keys of servers in memory. */
export const hostKeyStore = Layer.effect(
  HostKeyStore,
  Effect.map(Tables, ({ database, hostKey, hostKeysOfServer, server }) => ({
    admit: (uuid, { address, fingerprint }) =>
      database
        .write((snapshot) => {
          const present = hostKey.find(snapshot, hostKeyKey(uuid, address))
          if (present !== undefined) return Result.succeed(present.fingerprint === fingerprint)
          if (!server.has(snapshot, uuid)) return Result.succeed(false)
          return Result.map(hostKey.insert(snapshot, { server: uuid, address, fingerprint }), () => true)
        })
        .pipe(Effect.orDie),
    ofServer: (uuid) =>
      database.read((snapshot) =>
        hostKeysOfServer
          .list(snapshot, uuid)
          .map(({ address, fingerprint }) => ({ address, fingerprint }))
          .sort((one, other) => byCodePoints(one.address, other.address))
      ),
    forget: (uuid) =>
      database
        .write((snapshot) => {
          for (const { id } of hostKeysOfServer.list(snapshot, uuid)) {
            const removed = hostKey.remove(snapshot, id)
            if (Result.isFailure(removed)) return Result.fail(removed.failure)
          }
          return Result.void
        })
        .pipe(Effect.orDie)
  }))
)

/** Stores the SSH host keys of git servers in memory. */
export const repositoryHostKeyStore = Layer.effect(
  RepositoryHostKeyStore,
  Effect.map(Tables, ({ database, repositoryHostKey }) => ({
    admit: ({ address, fingerprint }) =>
      database
        .write((snapshot) => {
          const present = repositoryHostKey.find(snapshot, address)
          return present === undefined
            ? Result.map(repositoryHostKey.insert(snapshot, { address, fingerprint }), () => fingerprint)
            : Result.succeed(present.fingerprint)
        })
        .pipe(Effect.orDie),
    list: (most) =>
      database.read((snapshot) =>
        repositoryHostKey
          .list(snapshot, { limit: Number.POSITIVE_INFINITY })
          .map(({ address, fingerprint }) => ({ address, fingerprint }))
          .sort((one, other) => byCodePoints(one.address, other.address))
          .slice(0, most)
      ),
    forget: (address) =>
      database
        .write((snapshot) => {
          const present = repositoryHostKey.find(snapshot, address)
          return present === undefined ? Result.succeed(false) : repositoryHostKey.remove(snapshot, present.id)
        })
        .pipe(Effect.orDie)
  }))
)
