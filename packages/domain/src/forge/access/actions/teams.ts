import { area, asking } from "../Action.ts"

const team = area({
  on: "team",
  base: "/teams/{id}",
  scope: ["organization"],
  guards: ["sign-in"],
  asks: ["team-visible"],
  signInFirst: true
})
const teamRepository = area({
  on: "teamRepository",
  base: "/teams/{id}/repos/{org}/{repo}",
  scope: ["organization"],
  guards: ["sign-in"],
  asks: ["team-visible", "repo-visible"],
  signInFirst: true
})

/** The actions on teams, each with its route and its guards (named access checks). */
export const teamActions = {
  "team.read": team("GET", "Read a team", "team-readable"),
  "team.edit": team("PATCH", "Change a team", "organization-owner"),
  "team.delete": asking(
    team("DELETE", "Delete a team; its repositories stay", "organization-owner"),
    "not-owners-team"
  ),
  "team.member.list": team("GET /members", "List the members of a team", "team-readable", "organization-member"),
  "team.member.read": team(
    "GET /members/{username}",
    "Read a member of a team",
    "team-readable",
    "organization-member"
  ),
  "team.member.add": asking(
    team("PUT /members/{username}", "Add a member to a team", "organization-owner"),
    "member-not-blocked"
  ),
  "team.member.remove": team("DELETE /members/{username}", "Remove a member from a team", "organization-owner"),
  "team.repository.list": team(
    "GET /repos",
    "List the repositories of a team that the caller can access",
    "team-readable"
  ),
  "team.repository.read": teamRepository("GET", "Read a repository of a team", "team-readable"),
  "team.repository.add": teamRepository(
    "PUT",
    "Add a repository of its organization to a team",
    "team-member",
    "target-repo-admin"
  ),
  "team.repository.remove": teamRepository(
    "DELETE",
    "Remove a repository from a team; the repository stays",
    "team-member",
    "target-repo-admin"
  ),
  "team.feed.list": team("GET /activities/feeds", "List activities in the repositories of a team", "team-readable")
} as const
