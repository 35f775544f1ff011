import type { Duplicate, InUse } from "@slipway/domain"
import { type Delivery, DeliveryStore, mostDeliveries } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { deliveredKey } from "../base/keys.ts"
import { Tables } from "../base/tables.ts"

const shown = ({ id: _, ...row }: Delivery & { readonly id: number }): Delivery => row

const isEnd = ({ outcome, reason }: Delivery): boolean => outcome === "removed" || reason === "no_preview"

/** Stores webhook deliveries in memory. */
export const deliveryStore = Layer.effect(
  DeliveryStore,
  Effect.map(Tables, ({ application, database, deliveriesOfApplication, delivery }) => ({
    insert: (row) =>
      database
        .write((snapshot): Result.Result<boolean, Duplicate | InUse> => {
          const isThere = delivery.find(snapshot, deliveredKey(row), 1) !== undefined
          if (isThere || !application.has(snapshot, row.applicationUuid)) return Result.succeed(false)
          const inserted = delivery.insert(snapshot, row)
          if (Result.isFailure(inserted)) return Result.fail(inserted.failure)
          const over = { skip: mostDeliveries, limit: Number.POSITIVE_INFINITY }
          for (const { id } of deliveriesOfApplication.list(snapshot, row.applicationUuid, over)) {
            const removed = delivery.remove(snapshot, id)
            if (Result.isFailure(removed)) return removed
          }
          return Result.succeed(true)
        })
        .pipe(Effect.orDie),
    find: (uuid) =>
      database.read((snapshot) => {
        const row = delivery.find(snapshot, uuid)
        return row === undefined ? undefined : shown(row)
      }),
    ofApplication: (uuid, window) =>
      database.read((snapshot) => deliveriesOfApplication.list(snapshot, uuid, window).map(shown)),
    overSince: (uuid, pullRequestId) =>
      database.read((snapshot) =>
        deliveriesOfApplication
          .list(snapshot, uuid)
          .flatMap((row) => (row.pullRequestId === pullRequestId && isEnd(row) ? (row.pullRequestAt ?? []) : []))
          .toSorted()
          .at(-1)
      ),
    replayed: (body, at) =>
      database
        .write((snapshot) => {
          const present = delivery.find(snapshot, deliveredKey(body), 1)
          if (present === undefined) return Result.succeed(undefined)
          const counted = { ...present, replays: present.replays + 1, replayedAt: at }
          return Result.map(delivery.replace(snapshot, counted), () => shown(counted))
        })
        .pipe(Effect.orDie)
  }))
)
