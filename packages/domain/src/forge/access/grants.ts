import type { Rule } from "@slipway/access"
import { type Condition, conditionsOn, Level } from "@slipway/access"
import type {
  MembershipFacts,
  OrganizationFacts,
  PackageOwnerFacts,
  RepositoryFacts,
  SiteFacts,
  TeamFacts,
  UserFacts
} from "./facts/facts.ts"
import { unitFacts } from "./facts/facts.ts"
import { maxLevel, type Unit } from "./facts/Unit.ts"

/** The level that a rule grants: a fixed level, or the name of a fact that contains the level. */
type Gives = Level | "collaborator" | "taskLevel" | "team"

/** A rule that grants an access level on a repository. */
export interface RepositoryGrant {
  readonly gives: Gives
  readonly when: Condition<RepositoryFacts>
  readonly because: string
}

const site = conditionsOn<SiteFacts>()
const organization = conditionsOn<MembershipFacts>()
const creator = conditionsOn<OrganizationFacts>()
const team = conditionsOn<TeamFacts>()
const user = conditionsOn<UserFacts>()
const repository = conditionsOn<RepositoryFacts>()
const packages = conditionsOn<PackageOwnerFacts>()

/** The rules that grant permissions on the entire site, such as those of site administrators. */
export const siteGrants = {
  "site.admin": {
    when: site.flag("siteAdmin"),
    because: "site administrators manage the site"
  },
  "site.organization-creator": {
    when: site.all(site.flag("mayCreateOrganizations"), site.flag("organizationCreation")),
    because: "users create organizations where the site and their account allow it"
  },
  "site.git-hook-editor": {
    when: site.flag("mayEditGitHooks"),
    because: "git hooks run on the server, so permission to edit them is granted to single users"
  }
} as const satisfies Record<string, { when: Condition<SiteFacts>; because: string }>

/** The rules of which at least one must apply to see an organization. */
export const organizationViewers = {
  "organization.site-admin": { when: site.flag("siteAdmin"), because: "site administrators see every organization" },
  "organization.member": {
    when: organization.any(organization.flag("organizationMember"), organization.flag("organizationOwner")),
    because: "members see their organization"
  },
  "organization.public": {
    when: organization.all(
      organization.is("organizationVisibility", "public"),
      organization.not(organization.flag("restricted"))
    ),
    because: "everyone sees a public organization, but restricted users only see their own"
  },
  "organization.limited": {
    when: organization.all(
      organization.is("organizationVisibility", "limited"),
      organization.flag("signedIn"),
      organization.not(organization.flag("restricted"))
    ),
    because: "everyone who is signed in sees a limited organization, but restricted users only see their own"
  }
} as const satisfies Record<string, { when: Condition<MembershipFacts>; because: string }>

/** The rules for roles in an organization, by role. */
export const organizationRoles = {
  "organization.site-admin": organizationViewers["organization.site-admin"],
  "organization.owner": {
    when: organization.flag("organizationOwner"),
    because: "owners manage their organization"
  },
  "organization.member": organizationViewers["organization.member"],
  "organization.repository-creator": {
    when: creator.flag("mayCreateRepositories"),
    because: "a team can be granted permission to create repositories"
  }
} as const satisfies Record<string, { when: Condition<OrganizationFacts>; because: string }>

const organizationSeen: Condition<MembershipFacts> = {
  op: "any",
  of: Object.values(organizationViewers).map((rule) => rule.when)
}

/** The rules of which at least one must apply to read a team by id; lists show fewer teams (`listRules.team`). */
export const teamReaders = {
  "team.site-admin": { when: team.flag("siteAdmin"), because: "site administrators see every team" },
  "team.organization-owner": {
    when: team.flag("organizationOwner"),
    because: "owners of the organization see and manage its teams"
  },
  "team.member": { when: team.flag("teamMember"), because: "members see their team" },
  "team.limited": {
    when: team.all(team.is("teamVisibility", "limited"), team.flag("organizationMember")),
    because: "members of the organization see its limited teams"
  },
  "team.public": {
    when: team.all(team.is("teamVisibility", "public"), team.flag("signedIn"), organizationSeen),
    because: "everyone who is signed in and sees the organization sees its public teams"
  }
} as const satisfies Record<string, { when: Condition<TeamFacts>; because: string }>

const unlessRestricted = user.not(user.all(user.flag("userIsOrganization"), user.flag("restricted")))

/** The rules of which at least one must apply to see a user. */
export const userViewers = {
  "user.site-admin": { when: user.flag("siteAdmin"), because: "site administrators see every user" },
  "user.self": { when: user.flag("self"), because: "users see themselves" },
  "user.member": {
    when: user.flag("belongsToUser"),
    because: "members see their organization where its name takes the place of a username"
  },
  "user.public": {
    when: user.all(user.is("userVisibility", "public"), unlessRestricted),
    because: "everyone sees a public user, but restricted users see only their own organizations"
  },
  "user.limited": {
    when: user.all(
      user.is("userVisibility", "limited"),
      user.flag("signedIn"),
      user.not(user.all(user.flag("restricted"), user.not(user.flag("tied"))))
    ),
    because:
      "everyone who is signed in sees a limited user, but restricted users see only users that share an organization or a repository with them"
  }
} as const satisfies Record<string, { when: Condition<UserFacts>; because: string }>

/** The rules that grant access levels on a repository. */
export const repositoryGrants = {
  "repository.site-admin": {
    gives: Level.owner,
    when: repository.flag("siteAdmin"),
    because: "site administrators own every repository"
  },
  "repository.owner": {
    gives: Level.owner,
    when: repository.flag("repositoryOwner"),
    because: "the owner owns the repository"
  },
  "repository.organization-owner": {
    gives: Level.owner,
    when: repository.flag("organizationOwner"),
    because: "owners of the organization own its repositories"
  },
  "repository.team-admin": {
    gives: Level.admin,
    when: repository.flag("teamAdmin"),
    because: "a team at admin level administers its repositories"
  },
  "repository.team": {
    gives: "team",
    when: repository.flag("signedIn"),
    because: "members have the highest level of their teams on the unit"
  },
  "repository.collaborator": {
    gives: "collaborator",
    when: repository.flag("signedIn"),
    because: "collaborators have the level that they were granted"
  },
  "repository.actions-task": {
    gives: "taskLevel",
    when: repository.flag("actionsTask"),
    because: "a job has the level of its token on the repository it runs for"
  },
  "repository.public": {
    gives: Level.read,
    when: repository.all(
      repository.not(repository.flag("private")),
      repository.not(repository.flag("restricted")),
      repository.any(
        repository.is("ownerVisibility", "public"),
        repository.all(repository.is("ownerVisibility", "limited"), repository.flag("signedIn")),
        repository.flag("organizationMember")
      )
    ),
    because: "callers who see the owner read its public repositories, but restricted users need a grant"
  }
} as const satisfies Record<string, RepositoryGrant>

/** The rules that grant access levels on the packages of an owner. */
export const packageGrants = {
  "package.site-admin": {
    gives: Level.owner,
    when: packages.flag("siteAdmin"),
    because: "site administrators manage every package"
  },
  "package.owner": { gives: Level.owner, when: packages.flag("self"), because: "the owner manages the packages" },
  "package.organization-owner": {
    gives: Level.owner,
    when: packages.flag("organizationOwner"),
    because: "owners of the organization manage its packages"
  },
  "package.team": {
    gives: "teamPackages",
    when: packages.flag("signedIn"),
    because: "members have the highest level of their teams on packages"
  },
  "package.member": {
    gives: Level.read,
    when: packages.flag("organizationMember"),
    because: "members read the packages of their organization"
  },
  "package.public": {
    gives: Level.read,
    when: packages.all(
      packages.not(packages.flag("restricted")),
      packages.any(
        packages.is("ownerVisibility", "public"),
        packages.all(packages.is("ownerVisibility", "limited"), packages.flag("signedIn"))
      )
    ),
    because: "callers who see the owner read its packages, but restricted users need a grant"
  }
} as const satisfies Record<
  string,
  { gives: Level | "teamPackages"; when: Condition<PackageOwnerFacts>; because: string }
>

/** Converts a table of rules to a list: all rules, or only the rules with the given names. */
export const rules = <F, const N extends string>(
  table: Readonly<Record<N, { readonly when: Condition<F>; readonly because: string }>>,
  ...only: ReadonlyArray<N>
): ReadonlyArray<Rule<F>> =>
  (only.length === 0 ? (Object.keys(table) as Array<N>) : only).map((id) => ({
    id,
    when: table[id].when,
    because: table[id].because
  }))

/**
 * Returns the rules that grant `level` or more on a unit of a repository; without a unit, on any of its units.
 *
 * Returns an empty list for a level above the maximum of an external unit.
 */
export const givesOnRepository = (level: Level, unit?: Unit): ReadonlyArray<Rule<RepositoryFacts>> => {
  if (unit !== undefined && level > maxLevel(unit)) return []
  const whole = level > Level.write && unit === undefined
  return Object.entries<RepositoryGrant>(repositoryGrants).flatMap(([id, grant]) => {
    const { because, gives, when } = grant
    if (typeof gives === "number") return gives >= level ? [{ id, when, because }] : []
    if (gives !== "team") return [{ id, when: repository.all(when, repository.atLeast(gives, level)), because }]
    // A level above write on the entire repository comes from a team at admin level, never from single units.
    if (whole) return []
    const fact = unit === undefined ? "teamAny" : unitFacts[unit].team
    return [{ id, when: repository.all(when, repository.atLeast(fact, level)), because }]
  })
}

/** Returns the rules that grant `level` or more on an owner's packages. */
export const givesOnPackages = (level: Level): ReadonlyArray<Rule<PackageOwnerFacts>> =>
  Object.entries(packageGrants).flatMap(
    ([id, { because, gives, when }]): ReadonlyArray<Rule<PackageOwnerFacts>> =>
      typeof gives === "number"
        ? gives >= level
          ? [{ id, when, because }]
          : []
        : [{ id, when: packages.all(when, packages.atLeast(gives, level)), because }]
  )
