import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The schema of the id of a milestone. */
export const MilestoneId = Schema.Int.pipe(Schema.brand("MilestoneId"))
export type MilestoneId = typeof MilestoneId.Type

/** The states of a milestone. */
export const milestoneStates = ["open", "closed"] as const
export type MilestoneState = (typeof milestoneStates)[number]

/** A milestone that groups issues and pull requests of a repository. */
export interface Milestone {
  readonly id: MilestoneId
  readonly repositoryId: RepositoryId
  readonly title: string
  readonly description: string
  readonly state: MilestoneState
  readonly dueAt: string | null
  readonly closedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The milestones of repositories, by due date, earliest first. */
export const milestones = owned<Milestone>()("milestone", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    title: Fields.text({ ignoringCase: true }),
    description: Fields.text(),
    state: Fields.oneOf(...milestoneStates),
    dueAt: Fields.nullable(Fields.time()),
    closedAt: Fields.nullable(Fields.time()),
    createdAt: Fields.time(),
    updatedAt: Fields.time()
  },
  orders: { due: ascending("dueAt", "title") },
  filters: ["state", "title"]
})

/** Reports that the repository has no milestone with this id or title. */
export class MilestoneNotFound extends Schema.TaggedError<MilestoneNotFound>()("MilestoneNotFound", {
  id: Schema.Number
}) {}
