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
  return settings ?? ({ instanceDomains: "", keyCheck: null, updatedAt: yield* now } satisfies Settings)
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
      yield* reserve(instance, addresses, override)
      yield* hold(instance, addresses)
      const settings: Settings = { ...input, keyCheck: present?.keyCheck ?? null, updatedAt: yield* now }
      yield* store.write(settings)
      return settings
    })
  )
})
