import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "./Issue.ts"

/** A tracked time: working time that a user recorded on an issue or a pull request. */
export interface TrackedTime {
  readonly id: number
  readonly issueId: IssueId
  readonly userId: UserId
  readonly seconds: number
  /** The time when the work was done, in ISO 8601. */
  readonly createdAt: string
}

/** The table of tracked times. */
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

/** The table of running stopwatches; a user has at most one for an issue. */
export const stopwatches = owned<Stopwatch>()("stopwatch", {
  within: ["userId", "issueId"],
  fields: {
    userId: Fields.reference("user"),
    issueId: Fields.reference("issue"),
    startedAt: Fields.time()
  },
  unique: { pair: ["userId", "issueId"] }
})

/** Reports that the issue has no tracked time with this id. */
export class TimeNotFound extends Schema.TaggedError<TimeNotFound>()("TimeNotFound", { id: Schema.Number }) {}

/** Reports that the caller cannot see the tracked times of other users without write permission. */
export class TimesOfOthers extends Schema.TaggedError<TimesOfOthers>()("TimesOfOthers", {}) {}

/** Reports that a stopwatch of the user is already running (`running` is true), or that none is running. */
export class StopwatchState extends Schema.TaggedError<StopwatchState>()("StopwatchState", {
  running: Schema.Boolean
}) {}
