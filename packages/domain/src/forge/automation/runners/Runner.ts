import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { UserId } from "../../identity/users/User.ts"
import { type Place, placeFields, placeFilters } from "./Reach.ts"

/** The schema of the id of a runner. */
export const RunnerId = Schema.Int.pipe(Schema.brand("RunnerId"))
export type RunnerId = typeof RunnerId.Type

/** A runner: a program that executes the workflow jobs of a repository, of an owner's repositories, or of the site. */
export interface Runner extends Place {
  readonly id: RunnerId
  /** The uuid with which the runner authenticates, together with its token. */
  readonly uuid: string
  readonly name: string
  readonly version: string
  /**
   * The environments in which the runner executes jobs, such as `ubuntu-latest:docker://node:24`. Jobs select a runner
   * by the label, the part before the first colon.
   */
  readonly labels: ReadonlyArray<string>
  /** Whether the runner is removed after one job. */
  readonly ephemeral: boolean
  /** Whether the runner receives no new jobs. */
  readonly disabled: boolean
  readonly createdAt: string
  readonly lastOnlineAt: string | null
  readonly lastActiveAt: string | null
}

/** The table of all runners; a runner is authenticated by its uuid and the hash of its token. */
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

/** A registration token: it permits to register runners for a repository, an owner or the site. */
export interface RunnerRegistration extends Place {
  readonly id: number
  /** The user who created the token; registrations with it are recorded as actions of this user. */
  readonly makerId: UserId | null
  readonly createdAt: string
}

/** The table of registration tokens of runners; only hashes of the tokens are stored. */
export const runnerRegistrations = owned<RunnerRegistration, { readonly tokenHash: string }>()("runnerRegistration", {
  within: [],
  fields: { ...placeFields, makerId: Fields.looseReference("user"), createdAt: Fields.time() },
  hidden: { tokenHash: Fields.text() },
  orders: { id: ascending() },
  filters: placeFilters,
  unique: { token: ["tokenHash"] }
})

/** The maximum number of runners of one repository, owner or site. */
export const mostRunners = 100

/** Reports that the runner does not exist. */
export class RunnerNotFound extends Schema.TaggedError<RunnerNotFound>()("RunnerNotFound", { id: Schema.Number }) {}

/** Returns the label of a runner's environment, such as `ubuntu-latest`: the part before the first colon. */
export const labelOf = (said: string): string => said.split(":", 1)[0] ?? ""
