import type { Effect } from "effect"
import type { TestEnv } from "../../testEnv.ts"
import type { Scenario } from "../support.ts"

import {
  blockPreventsMembership,
  deletionRevokesGrants,
  lastOwnerStays,
  lastOwnerStaysConcurrently,
  membersComeAndGo,
  noMemberOfNothing,
  oneName
} from "./members.ts"
import { gone, teamRepositories } from "./repositories.ts"
import { ownersStay, refusals, returnsTeams } from "./settings.ts"
import { lists, visibility } from "./visibility.ts"
/** Tests of the use cases for teams. */
export const teams: Scenario = {
  port: "teams",
  musts: {
    "a team is returned as created, and an edit keeps omitted fields": returnsTeams,
    "invalid fields, taken names and callers who are not owners are rejected": refusals,
    "a team is visible to owners, to its members, and by its visibility": visibility,
    "lists and searches contain exactly the readable teams (invariant I10)": lists,
    "the owners team cannot be changed": ownersStay,
    "members are added and removed": membersComeAndGo,
    "a user who blocks the caller, or is blocked by the organization, cannot be added": blockPreventsMembership,
    "the last owner cannot be removed": lastOwnerStays,
    "one owner remains when two owners are removed concurrently": lastOwnerStaysConcurrently,
    "a team that is being deleted accepts no member": noMemberOfNothing,
    "team names are unique, also under concurrent creation": oneName,
    "a removed team or membership revokes its grants (invariant I7)": deletionRevokesGrants,
    "a team has only repositories of its organization (invariant I6)": teamRepositories,
    "a concurrently removed team gets the same response as a missing one": gone
  } satisfies Readonly<Record<string, Effect.Effect<void, unknown, TestEnv>>>
}
