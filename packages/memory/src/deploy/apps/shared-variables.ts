import { SharedVariableStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { ownerKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

/** Stores shared variables in memory. */
export const sharedVariableStore = Layer.effect(
  SharedVariableStore,
  Effect.map(Tables, ({ database, sharedVariable, sharedVariablesOfOwner }) => ({
    ofOwners: (owners) =>
      database.read((snapshot) =>
        owners
          .flatMap((owner) => sharedVariablesOfOwner.list(snapshot, ownerKey(owner)))
          .toSorted((one, other) => one.id - other.id)
      ),
    insert: (row) =>
      database.write((snapshot) => {
        const inserted = sharedVariable.insert(snapshot, row)
        return Result.succeed(Result.isSuccess(inserted) ? inserted.success : undefined)
      }),
    lock: (uuid) => database.read((snapshot) => sharedVariable.find(snapshot, uuid)),
    replace: (row) =>
      database.write((snapshot) => Result.succeed(Result.isSuccess(sharedVariable.replace(snapshot, row)))),
    remove: (uuid) =>
      database
        .write((snapshot) => {
          const present = sharedVariable.find(snapshot, uuid)
          return present === undefined ? Result.succeed(false) : sharedVariable.remove(snapshot, present.id)
        })
        .pipe(Effect.orDie)
  }))
)
