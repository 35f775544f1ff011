import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "./Issue.ts"

/** The working time of a user on an issue or a pull request. */
export interface TrackedTime {
  readonly id: number
  readonly issueId: IssueId
  readonly userId: UserId
  readonly seconds: number
  /** When the work was done. */
  readonly createdAt: string
}

/** The tracked times of issues and pull requests. */
export const trackedTimes = owned<TrackedTime>()("trackedTime", {
  within: ["issueId", "userId"],
  fields: {
    issueId: Fields.reference("issue"),
    userId: Fields.reference("user"),
    seconds: Fields.integer(),
    createdAt: Fields.time()
  },
  filters: ["userId"]
})

/** A running stopwatch of a user on an issue or a pull request. */
export interface Stopwatch {
  readonly id: number
  readonly userId: UserId
  readonly issueId: IssueId
  readonly startedAt: string
}

/** The running stopwatches of users. */
export const stopwatches = owned<Stopwatch>()("stopwatch", {
  within: ["userId", "issueId"],
  fields: {
    userId: Fields.reference("user"),
    issueId: Fields.reference("issue"),
    startedAt: Fields.time()
  },
  unique: { pair: ["userId", "issueId"] }
})

/** Reports that the issue has no such tracked time. */
export class TimeNotFound extends Schema.TaggedError<TimeNotFound>()("TimeNotFound", { id: Schema.Number }) {}

/** Reports that only users with write permission see the times of other users. */
export class TimesOfOthers extends Schema.TaggedError<TimesOfOthers>()("TimesOfOthers", {}) {}

/** Reports that a stopwatch is already running, or that none is. */
export class StopwatchState extends Schema.TaggedError<StopwatchState>()("StopwatchState", {
  running: Schema.Boolean
}) {}
