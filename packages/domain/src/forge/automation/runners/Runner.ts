import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { UserId } from "../../identity/users/User.ts"
import { type Place, placeFields, placeFilters } from "./Reach.ts"

/** The schema of the id of a runner. */
export const RunnerId = Schema.Int.pipe(Schema.brand("RunnerId"))
export type RunnerId = typeof RunnerId.Type

/** A runner, which executes the workflow jobs of all repositories in its reach. */
export interface Runner extends Place {
  readonly id: RunnerId
  /** The uuid with which it authenticates, together with its token. */
  readonly uuid: string
  readonly name: string
  readonly version: string
  /**
   * The environments that it offers, such as `ubuntu-latest:docker://node:24`; the part before the first colon is the
   * label.
   */
  readonly labels: ReadonlyArray<string>
  /** Whether it is removed after one job. */
  readonly ephemeral: boolean
  /** Whether it receives no new jobs. */
  readonly disabled: boolean
  readonly createdAt: string
  readonly lastOnlineAt: string | null
  readonly lastActiveAt: string | null
}

/** The runners of the site and its resources, found by their uuid together with the hash of their token. */
export const runners = owned<Runner, { readonly tokenHash: string }>()("runner", {
  within: [],
  fields: {
    ...placeFields,
    uuid: Fields.text(),
    name: Fields.text(),
    version: Fields.text(),
    labels: Fields.json(),
    ephemeral: Fields.boolean(),
    disabled: Fields.boolean(),
    createdAt: Fields.time(),
    lastOnlineAt: Fields.nullable(Fields.time()),
    lastActiveAt: Fields.nullable(Fields.time())
  },
  hidden: { tokenHash: Fields.text() },
  orders: { id: ascending() },
  filters: [...placeFilters, "ephemeral", "lastOnlineAt"],
  unique: { credential: ["uuid", "tokenHash"] }
})

/** A permission to register runners in a place, for every holder of its token. */
export interface RunnerRegistration extends Place {
  readonly id: number
  /** Its creator; runners register with the creator's permission. */
  readonly makerId: UserId | null
  readonly createdAt: string
}

/** The registration tokens, found by their hashes, which no response contains. */
export const runnerRegistrations = owned<RunnerRegistration, { readonly tokenHash: string }>()("runnerRegistration", {
  within: [],
  fields: { ...placeFields, makerId: Fields.looseReference("user"), createdAt: Fields.time() },
  hidden: { tokenHash: Fields.text() },
  orders: { id: ascending() },
  filters: placeFilters,
  unique: { token: ["tokenHash"] }
})

/** The maximum number of runners in one place. */
export const mostRunners = 100

/** Reports that the runner does not exist. */
export class RunnerNotFound extends Schema.TaggedError<RunnerNotFound>()("RunnerNotFound", { id: Schema.Number }) {}

/** Returns the label of a runner's environment: the part before the first colon. */
export const labelOf = (said: string): string => said.split(":", 1)[0] ?? ""
