import { Effect } from "effect"
import type { PageRequest } from "../../Page.ts"
import type { Proof } from "../entry/Proof.ts"

import { audited } from "../events/record.ts"
import { NoticeStore } from "./Notice.ts"

/** Lists what site administrators should know of, newest first. */
export const list = Effect.fnUntraced(function* (_: Proof<"admin.notice.list">, page: PageRequest) {
  return yield* (yield* NoticeStore).list(page)
})

/** Removes a notice; answers whether there was one. */
export const remove = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.notice.remove">, id: number) {
    return yield* (yield* NoticeStore).remove(id)
  }),
  (_, id) => ({ details: { id } })
)
