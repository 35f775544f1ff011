import { type Claim, type Claimant, DomainStore, instanceName } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { holderKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

/** Stores in memory which application, service or instance has claimed which domain. */
export const domainStore = Layer.effect(
  DomainStore,
  Effect.map(Tables, ({ application, claim, claimsOfDomain, claimsOfHolder, database, service }) => {
    const nameOf = (snapshot: Snapshot, holder: Claimant): string => {
      switch (holder.type) {
        case "application":
          return application.find(snapshot, holder.uuid)?.configuration.name ?? ""
        case "service":
          return service.find(snapshot, holder.uuid)?.name ?? ""
        case "instance":
          return instanceName
      }
    }
    return {
      // Transactions run one after the other, so this needs no lock.
      lock: () => Effect.void,
      claims: (keys) =>
        database.read((snapshot) =>
          [...new Set(keys)]
            .flatMap((key) => claimsOfDomain.list(snapshot, key))
            .sort((one, other) => one.id - other.id)
            .map(({ key, type, uuid }): Claim => {
              const holder = { type, uuid } as Claimant
              return { key, holder, holderName: nameOf(snapshot, holder) }
            })
        ),
      replace: (holder, keys) =>
        database.write((snapshot) => {
          const wanted = new Set(keys)
          for (const row of claimsOfHolder.list(snapshot, holderKey(holder.type, holder.uuid))) {
            if (!wanted.delete(row.key)) claim.remove(snapshot, row.id)
          }
          for (const key of wanted) claim.insert(snapshot, { key, type: holder.type, uuid: holder.uuid })
          return Result.void
        })
    }
  })
)
