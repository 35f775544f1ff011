import { area } from "../Action.ts"

const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["issue"],
  guards: ["repo-visible", "issues-or-PRs-readable"]
})

/** The actions on labels and milestones, each with its route and its guards (named access checks). */
export const labelActions = {
  "label.list": repository("GET /labels", "List the labels of a repository"),
  "label.create": repository("POST /labels", "Create a label in a repository", "sign-in", "W:issues|pulls"),
  "label.read": repository("GET /labels/{id}", "Read a label of a repository"),
  "label.edit": repository("PATCH /labels/{id}", "Change a label of a repository", "sign-in", "W:issues|pulls"),
  "label.delete": repository("DELETE /labels/{id}", "Delete a label of a repository", "sign-in", "W:issues|pulls"),
  "milestone.list": repository("GET /milestones", "List the milestones of a repository"),
  "milestone.create": repository("POST /milestones", "Create a milestone in a repository", "sign-in", "W:issues|pulls"),
  "milestone.read": repository("GET /milestones/{id}", "Read a milestone of a repository"),
  "milestone.edit": repository(
    "PATCH /milestones/{id}",
    "Change a milestone of a repository",
    "sign-in",
    "W:issues|pulls"
  ),
  "milestone.delete": repository(
    "DELETE /milestones/{id}",
    "Delete a milestone of a repository",
    "sign-in",
    "W:issues|pulls"
  )
} as const
