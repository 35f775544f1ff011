import type { Check } from "@slipway/access"
import type { GuardsOn } from "../Action.ts"
import type { FactsAbout, Kind } from "../facts/facts.ts"
import {
  commentChecks,
  issueChecks,
  itemChecks,
  pullChecks,
  releaseChecks,
  repositoryTeamChecks,
  repositoryUserChecks,
  reviewChecks,
  subscriberChecks,
  trackedTimeChecks
} from "./items.ts"
import { organizationChecks, organizationUserChecks, teamChecks, userChecks } from "./people.ts"
import { linkChecks, packageChecks, repositoryChecks, repositoryVisible, targetRepository } from "./repository.ts"
import { siteChecks } from "./site.ts"

/** The access checks of every guard, by resource type; the compiler reports missing guards. */
export const guardChecks: {
  readonly [K in Kind]: Readonly<Record<GuardsOn[K], ReadonlyArray<Check<FactsAbout<K>>>>>
} = {
  site: siteChecks,
  organization: { ...siteChecks, ...organizationChecks },
  organizationUser: { ...siteChecks, ...organizationChecks, ...userChecks, ...organizationUserChecks },
  team: { ...siteChecks, ...teamChecks },
  teamRepository: {
    ...siteChecks,
    ...teamChecks,
    "repo-visible": [repositoryVisible],
    "target-repo-admin": [targetRepository]
  },
  user: { ...siteChecks, ...userChecks },
  repository: { ...siteChecks, ...repositoryChecks },
  issue: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...issueChecks },
  subscriber: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...subscriberChecks },
  comment: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...commentChecks },
  trackedTime: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...trackedTimeChecks },
  pull: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...pullChecks },
  review: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...reviewChecks },
  reviewComment: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...reviewChecks },
  reviewThread: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...reviewChecks },
  release: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...releaseChecks },
  taggedRelease: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...releaseChecks },
  repositoryUser: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...repositoryUserChecks },
  heldTeam: { ...siteChecks, ...repositoryChecks, ...itemChecks, ...repositoryTeamChecks },
  packageOwner: { ...siteChecks, ...packageChecks },
  signedLink: { ...siteChecks, ...linkChecks }
}
