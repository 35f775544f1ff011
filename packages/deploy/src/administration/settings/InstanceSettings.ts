import { now, Transaction } from "@slipway/domain"
import type { Settings } from "@slipway/domain/deploy/administration"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { parseDomains } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { hold, reserve } from "../../apps/domains/Domains.ts"

const instance = { type: "instance", uuid: null } as const

/** Reads the settings of the instance. */
export const get = Effect.fnUntraced(function* (_: Authorized<"settings.read">) {
  const settings = yield* (yield* SettingsStore).read
  const at = yield* now
  return settings ?? ({ instanceDomains: "", keyCheck: null, createdAt: at, updatedAt: at } satisfies Settings)
})

/** Sets the platform's own addresses; other resources must not use them unless `override` is true. */
export const update = Effect.fnUntraced(function* (
  _: Authorized<"settings.update">,
  input: Pick<Settings, "instanceDomains">,
  override: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* SettingsStore
      const present = yield* store.lock
      const { addresses } = parseDomains(input.instanceDomains)
      yield* reserve(instance, addresses, override, undefined)
      yield* hold(instance, addresses)
      const at = yield* now
      const { createdAt = at, keyCheck = null } = present ?? {}
      const settings: Settings = { ...input, keyCheck, createdAt, updatedAt: at }
      yield* store.write(settings)
      return settings
    })
  )
})
