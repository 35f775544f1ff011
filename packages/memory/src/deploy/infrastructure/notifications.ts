import type { TeamId } from "@slipway/domain/deploy/identity"
import {
  type ChannelSettings,
  mostWaiting,
  type Notification,
  TeamNotificationStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer, Result } from "effect"
import { channelKey } from "../base/keys.ts"
import type { NotificationRow } from "../base/rows.ts"
import { Tables } from "../base/tables.ts"

const all = { limit: Number.POSITIVE_INFINITY }

const shown = ({ claimedBy: _, id: __, leaseUntil: ___, ...notification }: NotificationRow): Notification =>
  notification

/**
 * Stores in memory the settings of notification channels, the queued notifications, and the problems already reported.
 */
export const notificationStore = Layer.effect(
  TeamNotificationStore,
  Effect.map(Tables, ({ application, channel, condition, database, databases, notification, server }) => {
    /** Changes a notification of a worker; returns whether the worker has it. */
    const change = (uuid: string, worker: string, facts: Partial<NotificationRow>) =>
      database
        .write((snapshot) => {
          const present = notification.find(snapshot, uuid)
          if (present?.claimedBy !== worker) return Result.succeed(false)
          return notification.replace(snapshot, { ...present, ...facts })
        })
        .pipe(Effect.orDie)
    const settings = (team: TeamId) =>
      database.read((snapshot) =>
        channel
          .list(snapshot, all)
          .filter(({ teamId }) => teamId === team)
          .map(({ id: _, ...row }): ChannelSettings => row)
          .toSorted((one, other) => (one.channel < other.channel ? -1 : 1))
      )
    return {
      settings,
      // Transactions run one after the other, so this needs no lock.
      lock: settings,
      write: (written) =>
        database
          .write<unknown, unknown>((snapshot) => {
            const row = channel.find(snapshot, channelKey(written.teamId, written.channel))
            return row === undefined
              ? channel.insert(snapshot, written)
              : channel.replace(snapshot, { ...written, id: row.id })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      insert: (rows) =>
        database
          .write((snapshot) => {
            for (const row of rows) notification.insert(snapshot, { ...row, claimedBy: null, leaseUntil: null })
            const keyOf = (row: Notification) => channelKey(row.teamId, row.channel)
            for (const key of new Set(rows.map(keyOf))) {
              const waiting = notification.list(snapshot, all).filter((row) => keyOf(row) === key)
              for (const { id } of waiting.slice(0, Math.max(0, waiting.length - mostWaiting))) {
                notification.remove(snapshot, id)
              }
            }
            return Result.void
          })
          .pipe(Effect.orDie),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const [due] = notification
              .list(snapshot, all)
              .filter(({ dueAt, leaseUntil }) => dueAt <= at && (leaseUntil === null || leaseUntil <= at))
              .toSorted((one, other) =>
                one.dueAt < other.dueAt ? -1 : one.dueAt > other.dueAt ? 1 : one.id - other.id
              )
            if (due === undefined) return Result.succeed(undefined)
            const taken = { ...due, claimedBy: worker, leaseUntil: until }
            return Result.map(notification.replace(snapshot, taken), () => shown(taken))
          })
          .pipe(Effect.orDie),
      save: ({ uuid, ...facts }, worker) => change(uuid, worker, { ...facts, claimedBy: null, leaseUntil: null }),
      postpone: (team, name, dueAt) =>
        database
          .write((snapshot) => {
            for (const row of notification.list(snapshot, all)) {
              if (row.teamId === team && row.channel === name && row.dueAt < dueAt)
                notification.replace(snapshot, { ...row, dueAt })
            }
            return Result.void
          })
          .pipe(Effect.orDie),
      remove: (uuid, worker) =>
        database
          .write((snapshot) => {
            const present = notification.find(snapshot, uuid)
            return present?.claimedBy === worker ? notification.remove(snapshot, present.id) : Result.succeed(false)
          })
          .pipe(Effect.orDie),
      giveBack: (uuid, worker) => Effect.asVoid(change(uuid, worker, { claimedBy: null, leaseUntil: null })),
      endLeases: database
        .write((snapshot) => {
          for (const row of notification.list(snapshot, all)) {
            notification.replace(snapshot, { ...row, claimedBy: null, leaseUntil: null })
          }
          return Result.void
        })
        .pipe(Effect.orDie),
      raise: (topic, at, before) =>
        database
          .write((snapshot): Result.Result<boolean, unknown> => {
            const present = condition.find(snapshot, topic)
            if (present === undefined) {
              return Result.map(condition.insert(snapshot, { topic, reportedAt: at }), () => true)
            }
            if (before === null || present.reportedAt > before) return Result.succeed(false)
            return Result.map(condition.replace(snapshot, { ...present, reportedAt: at }), () => true)
          })
          .pipe(Effect.orDie),
      clear: (topic) =>
        database
          .write((snapshot) => {
            const present = condition.find(snapshot, topic)
            return present === undefined ? Result.succeed(false) : condition.remove(snapshot, present.id)
          })
          .pipe(Effect.orDie),
      clearAll: (topics) =>
        database
          .write((snapshot) => {
            for (const topic of topics) {
              const present = condition.find(snapshot, topic)
              if (present !== undefined) condition.remove(snapshot, present.id)
            }
            return Result.void
          })
          .pipe(Effect.orDie),
      forget: (before) =>
        database
          .write((snapshot) => {
            for (const { id, reportedAt, topic } of condition.list(snapshot, all)) {
              const uuid = topic.slice(topic.indexOf(":") + 1)
              const isPresent = [application, databases, server].some(
                (table) => table.find(snapshot, uuid) !== undefined
              )
              if (reportedAt < before && !isPresent) condition.remove(snapshot, id)
            }
            return Result.void
          })
          .pipe(Effect.orDie)
    }
  })
)
