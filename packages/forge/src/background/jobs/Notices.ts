import type { PageRequest } from "@slipway/domain"
import { NoticeStore } from "@slipway/domain/forge/background"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

/** Lists the notices (reports of problems) for site administrators, newest first. */
export const list = Effect.fnUntraced(function* (_: Proof<"admin.notice.list">, page: PageRequest) {
  return yield* (yield* NoticeStore).list(page)
})

/** Removes a notice for site administrators. Returns whether it existed. */
export const remove = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.notice.remove">, id: number) {
    return yield* (yield* NoticeStore).remove(id)
  }),
  (_, id) => ({ details: { id } })
)
