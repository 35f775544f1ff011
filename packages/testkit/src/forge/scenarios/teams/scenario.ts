import type { Effect } from "effect"
import type { TestEnv } from "../../testEnv.ts"
import type { Scenario } from "../support.ts"

import {
  blocked,
  lastOwnerStays,
  lastOwnerStaysAtOnce,
  membersComeAndGo,
  noMemberOfNothing,
  oneName,
  revoked
} from "./members.ts"
import { gone, teamRepositories } from "./repositories.ts"
import { giveBack, ownersStay, refusals } from "./settings.ts"
import { lists, visibility } from "./visibility.ts"
/** What teams do, on every store. */
export const teams: Scenario = {
  port: "teams",
  musts: {
    "give back what they are made of, and an edit leaves what it leaves out": giveBack,
    "refuse what means nothing, names that are taken, and callers below owners": refusals,
    "are seen by owners, their members, and whom their visibility admits": visibility,
    "are listed and searched as they are read (invariant I10)": lists,
    "of owners stay as they are": ownersStay,
    "take members in and let them go": membersComeAndGo,
    "take nobody in who blocks the adder, or whom the organization blocks": blocked,
    "keep the last owner": lastOwnerStays,
    "keep the last owner when two are taken out at once": lastOwnerStaysAtOnce,
    "take nobody in while they are deleted": noMemberOfNothing,
    "have one name each, also when several are made at once": oneName,
    "take with them what they gave (invariant I7)": revoked,
    "hold repositories of their organization alone (invariant I6)": teamRepositories,
    "answer like missing ones when they have gone meanwhile": gone
  } satisfies Readonly<Record<string, Effect.Effect<void, unknown, TestEnv>>>
}
