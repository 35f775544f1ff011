import { milestoneStates } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { create, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { optionalNullable, text, title } from "../base/schemas.ts"
import { DueDate, Milestone, RepositoryRef } from "./issues.ts"

/** A milestone with its repository as returned by the API. */
export const PlacedMilestone = Schema.Struct({ ...Milestone.fields, repository: RepositoryRef }).annotate({
  identifier: "PlacedMilestone"
})

/** The request body that creates a milestone. */
export const CreateMilestoneOption = Schema.Struct({
  title,
  description: optionalNullable(text(10_000)),
  state: optionalNullable(Schema.Literals(milestoneStates)),
  due_on: optionalNullable(DueDate)
}).annotate({ identifier: "CreateMilestoneOption" })

/** The request body that changes a milestone. */
export const EditMilestoneOption = Schema.Struct({
  title: optionalNullable(title),
  description: optionalNullable(text(10_000)),
  state: optionalNullable(Schema.Literals(milestoneStates)),
  due_on: optionalNullable(DueDate)
}).annotate({ identifier: "EditMilestoneOption" })

/** The endpoints of milestones. */
export const milestoneEndpoints = endpoints("milestones", "Milestones, which group the issues of a repository.", {
  "milestone.list": list(Milestone, {
    query: {
      state: Schema.optionalKey(Schema.Literals(["open", "closed", "all"])),
      name: Schema.optionalKey(text(255).annotate({ description: "A full title, ignoring case." }))
    }
  }),
  "milestone.create": create(Milestone, { body: CreateMilestoneOption }),
  "milestone.read": read(Milestone),
  "milestone.edit": edit(Milestone, { body: EditMilestoneOption }),
  "milestone.delete": remove()
})

/** The endpoints of the milestones of all repositories of a user. */
export const ownMilestoneEndpoints = endpoints(
  "own-milestones",
  "Milestones of all repositories of the signed-in user.",
  {
    "account.milestone.list": list(PlacedMilestone, {
      query: { state: Schema.optionalKey(Schema.Literals(["open", "closed", "all"])) }
    })
  }
)
