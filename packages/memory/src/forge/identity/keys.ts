import { type SshKey, SshKeyStore } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { byId, cut } from "../base/pages.ts"
import { Tables } from "../base/tables.ts"

/** Stores SSH keys in memory. */
export const sshKeyStore = Layer.effect(
  SshKeyStore,
  Effect.map(Tables, ({ database, sshKey, sshKeysOfRepository, sshKeysOfUser }) => ({
    insert: (row) =>
      database.write((snapshot) => sshKey.insert(snapshot, { ...row, usedAt: null } as Omit<SshKey, "id">)),
    find: (id) => database.read((snapshot) => sshKey.get(snapshot, id)),
    byFingerprint: (fingerprint) => database.read((snapshot) => sshKey.find(snapshot, fingerprint)),
    ofUser: (user, page) => database.read((snapshot) => cut(sshKeysOfUser.list(snapshot, String(user)), page, byId)),
    ofRepository: (repository, page) =>
      database.read((snapshot) => cut(sshKeysOfRepository.list(snapshot, String(repository)), page, byId)),
    ofUsers: (users, most) =>
      database.read(
        (snapshot) =>
          new Map(
            [...new Set(users)].flatMap((user) => {
              const rows = sshKeysOfUser.list(snapshot, String(user), { limit: most })
              return rows.length === 0 ? [] : [[user, rows] as const]
            })
          )
      ),
    remove: (id) => database.write((snapshot) => sshKey.remove(snapshot, id)).pipe(Effect.orDie),
    touch: (id, at) =>
      database
        .write((snapshot) => {
          const row = sshKey.get(snapshot, id)
          return row === undefined ? Result.succeed(false) : sshKey.replace(snapshot, { ...row, usedAt: at })
        })
        .pipe(Effect.orDie, Effect.asVoid)
  }))
)
