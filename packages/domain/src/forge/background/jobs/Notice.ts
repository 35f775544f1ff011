import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"

/** A notice for site administrators, such as a job that keeps failing. */
export interface Notice {
  readonly id: number
  readonly text: string
  readonly createdAt: string
}

/**
 * Stores notices for site administrators.
 *
 * Must:
 * - list notices, newest first, and count them
 * - keep one copy of a repeated notice until it is removed
 * - remove a notice once, and report when it is missing
 * - remove the notices before a given time, and return their number
 */
export class NoticeStore extends Context.Service<
  NoticeStore,
  {
    readonly add: (text: string, createdAt: string) => Effect.Effect<void>
    readonly list: (page: PageRequest) => Effect.Effect<Page<Notice>>
    readonly remove: (id: number) => Effect.Effect<boolean>
    readonly removeBefore: (at: string) => Effect.Effect<number>
  }
>()("@slipway/domain/forge/NoticeStore") {}
