import { now, Transaction } from "@slipway/domain"
import type { Settings } from "@slipway/domain/deploy/administration"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import { parseDomains } from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { hold, reserve } from "../../apps/domains/Domains.ts"

const instance = { type: "instance", uuid: null } as const

const initial = (at: string): Settings => ({
  instanceDomains: "",
  isApiEnabled: true,
  isMcpEnabled: false,
  keyCheck: null,
  createdAt: at,
  updatedAt: at
})

/** Reads the settings of the instance. */
export const get = Effect.fnUntraced(function* (_: Authorized<"settings.read">) {
  const settings = yield* (yield* SettingsStore).read
  const at = yield* now
  return settings ?? initial(at)
})

/** Changes the settings of the instance under a lock; inserts them if they are not stored yet. */
const change = Effect.fnUntraced(function* (changes: Partial<Pick<Settings, "isApiEnabled" | "isMcpEnabled">>) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* SettingsStore
      const at = yield* now
      const present = (yield* store.lock) ?? initial(at)
      yield* store.write({ ...present, ...changes, updatedAt: at })
    })
  )
})

/** Enables or disables the API for tokens. Disabling it also aborts running requests, except those of sessions. */
export const switchApi = ({ action }: Authorized<"api.enable"> | Authorized<"api.disable">) =>
  change({ isApiEnabled: action === "api.enable" })

/** Enables or disables the MCP endpoint. */
export const switchMcp = ({ action }: Authorized<"mcp.enable"> | Authorized<"mcp.disable">) =>
  change({ isMcpEnabled: action === "mcp.enable" })

/** Sets the platform's own addresses. Fails if other resources use them, unless `override` is true. */
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
      const settings: Settings = { ...(present ?? initial(at)), ...input, updatedAt: at }
      yield* store.write(settings)
      return settings
    })
  )
})
