import { now, Setting } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type Settings,
  signedInUser,
  type User,
  UserNotFound,
  UserStore,
  userSettings
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

/** Reads the settings of the caller's account, such as language and theme. */
export const read = ({ resource }: Proof<"account.settings.read">): Settings =>
  Setting.pick(userSettings, signedInUser(resource))

/** Changes the given settings of the caller's account; omitted ones stay unchanged. */
export const edit = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.settings.edit">, input: Partial<Settings>) {
    const { id, name } = signedInUser(resource)
    const users = yield* UserStore
    const present = yield* users.lock(id)
    if (present === undefined) return yield* new UserNotFound({ name })
    const user: User = { ...present, ...Setting.pick(userSettings, { ...present, ...input }), updatedAt: yield* now }
    yield* users.replace(user)
    return Setting.pick(userSettings, user)
  }),
  (_, input) => ({ details: { fields: Object.keys(input).sort().join() } })
)
