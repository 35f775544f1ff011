import { describe, expect, it } from "@effect/vitest"
import { builtInRoles } from "@slipway/domain/deploy/access"
import {
  type Action,
  actions,
  type Caller,
  decideAccess,
  policies,
  rowOf,
  visibleTo
} from "@slipway/domain/deploy/entry"
import {
  type Access,
  accountAccess,
  type GrantPlace,
  grantFactsOf,
  grantPlaces,
  type HeldGrant,
  ownerAccess,
  type Place,
  rootTeam,
  sees,
  seesRootTeam,
  TeamId,
  teamOf
} from "@slipway/domain/deploy/identity"

type Role = keyof typeof builtInRoles
const [mine, theirs] = [rootTeam, TeamId.make(7)]

const uuids: Readonly<Record<GrantPlace, string | null>> = {
  team: null,
  project: "shop",
  environment: "production",
  application: "web",
  database: "data",
  service: "queue"
}

const on = (placeType: GrantPlace, role: Role, teamId: TeamId = mine, placeUuid = uuids[placeType]): HeldGrant => ({
  teamId,
  placeType,
  placeUuid,
  capabilities: builtInRoles[role]
})

const holding = (grants: ReadonlyArray<HeldGrant>, teams: ReadonlyArray<TeamId> = [mine]): Caller => ({
  tokenUuid: "t",
  abilities: ["root"],
  accountUuid: null,
  access: { teamId: mine, teams, grants, projects: null }
})

const placement = (isProtected = false, teamId: TeamId = mine) => ({
  teamId,
  isProtected,
  projectUuid: "shop",
  environmentUuid: "production",
  environmentName: "production",
  serverUuid: "server",
  destinationUuid: "destination"
})

const web = (isProtected = false, teamId: TeamId = mine) => ({
  application: { uuid: "web", placement: placement(isProtected, teamId) }
})

const statusOf = (caller: Caller, action: Action, found: object | undefined): number => {
  const decided = decideAccess(caller, action, found as never)
  return decided.allowed ? 200 : decided.answer.status
}

/** The roles that may do something on an application, written from the description of roles. */
const mayOnApplication: Readonly<Record<string, ReadonlyArray<Role>>> = {
  "application.read": ["viewer", "deployer", "developer", "admin", "owner"],
  "application.logs": ["viewer", "deployer", "developer", "admin", "owner"],
  "application.deploy": ["deployer", "developer", "admin", "owner"],
  "application.update": ["developer", "admin", "owner"],
  "application.delete": ["developer", "admin", "owner"],
  "application.secrets": ["developer", "admin", "owner"],
  "application.terminal": ["admin", "owner"]
}

const roles = Object.keys(builtInRoles) as ReadonlyArray<Role>

describe("a role on a place", () => {
  for (const [action, allowed] of Object.entries(mayOnApplication)) {
    for (const place of ["team", "project", "environment", "application"] as const) {
      it(`on the ${place} permits ${action} to ${allowed[0]} and above`, () => {
        expect(roles.filter((role) => statusOf(holding([on(place, role)]), action as Action, web()) === 200)).toEqual(
          allowed
        )
      })
    }
  }

  it("does not apply to another place, nor above its own", () => {
    const elsewhere = [
      on("project", "owner", mine, "blog"),
      on("application", "owner", mine, "api"),
      on("database", "owner")
    ]
    expect(statusOf(holding(elsewhere), "application.read", web())).toBe(403)
    const both = holding([on("team", "owner", theirs), on("project", "owner", theirs)], [mine, theirs])
    expect(statusOf(both, "application.read", web())).toBe(403)
    expect(
      statusOf(holding([on("application", "owner")]), "environment.read", {
        project: { uuid: "shop", teamId: mine },
        environment: { uuid: "production", isProtected: false }
      })
    ).toBe(403)
    expect(
      statusOf(holding([on("environment", "owner")]), "project.read", { project: { uuid: "shop", teamId: mine } })
    ).toBe(403)
    expect(statusOf(holding([on("project", "owner")]), "server.update", { server: { teamId: mine } })).toBe(403)
  })

  it("only adds to others", () => {
    const both = [on("team", "viewer"), on("application", "deployer")]
    expect(statusOf(holding(both), "application.deploy", web())).toBe(200)
    expect(statusOf(holding(both.toReversed()), "application.deploy", web())).toBe(200)
    expect(statusOf(holding(both), "application.update", web())).toBe(403)
  })

  it("names the missing role to a member, and hides the resource from everyone else", () => {
    const refused = decideAccess(holding([on("team", "viewer")]), "application.deploy", web() as never)
    expect(refused).toMatchObject({ allowed: false, check: "role-operate", answer: { status: 403 } })
    expect(JSON.stringify(refused)).toContain("the role `deployer`")
    const outside = holding([on("team", "owner", theirs)], [theirs])
    const hidden = decideAccess(outside, "application.deploy", web() as never)
    expect(hidden).toEqual(decideAccess(outside, "application.deploy", undefined))
    expect(hidden).toMatchObject({ allowed: false, check: "there", answer: { status: 404 } })
  })

  it("needs the ability of the token as well", () => {
    const reading: Caller = { ...holding([on("team", "owner")]), abilities: ["read"] }
    expect(statusOf(reading, "application.deploy", web())).toBe(403)
    expect(statusOf(reading, "application.read", web())).toBe(200)
    expect(statusOf(reading, "application.deploy", undefined)).toBe(403)
  })
})

describe("a protected environment", () => {
  const deploys = (...grants: ReadonlyArray<HeldGrant>) => statusOf(holding(grants), "application.deploy", web(true))

  it("needs a role on the environment or the resource itself, or an administrator", () => {
    expect(roles.map((role) => deploys(on("project", role)))).toEqual([403, 403, 403, 200, 200])
    expect(roles.map((role) => deploys(on("team", role)))).toEqual([403, 403, 403, 200, 200])
    expect(roles.map((role) => deploys(on("environment", role)))).toEqual([403, 200, 200, 200, 200])
    expect(roles.map((role) => deploys(on("application", role)))).toEqual([403, 200, 200, 200, 200])
    expect(deploys(on("project", "developer"), on("environment", "viewer"))).toBe(403)
  })

  it("lets everyone who may deploy elsewhere in the project request a deployment, but not approve it", () => {
    const asks = (action: Action) => (role: Role) => statusOf(holding([on("project", role)]), action, web(true))
    expect(roles.map(asks("application.deploy.request"))).toEqual([403, 200, 200, 200, 200])
    expect(roles.map(asks("service.deploy.request"))).toEqual([403, 200, 200, 200, 200])
    expect(roles.map(asks("service.part.deploy.request"))).toEqual([403, 200, 200, 200, 200])
    expect(roles.map(asks("deployment.approve"))).toEqual([403, 403, 403, 200, 200])
    expect(roles.map(asks("deployment.reject"))).toEqual([403, 403, 403, 200, 200])
    const here = holding([on("environment", "deployer")])
    expect(statusOf(here, "deployment.approve", web(true))).toBe(200)
  })

  it("lets developers change resources, and keeps its secrets from them", () => {
    const developer = holding([on("project", "developer")])
    expect(statusOf(developer, "application.update", web(true))).toBe(200)
    expect(statusOf(developer, "application.secrets", web(true))).toBe(403)
    expect(statusOf(holding([on("environment", "developer")]), "application.secrets", web(true))).toBe(403)
    expect(statusOf(holding([on("project", "admin")]), "application.secrets", web(true))).toBe(200)
    // A scheduled command would read them.
    expect(statusOf(developer, "task.create", web(true))).toBe(403)
    expect(statusOf(developer, "task.create", web(false))).toBe(200)
  })

  it("is unprotected only by an administrator, and left only by a caller with permission to deploy there", () => {
    const environment = {
      project: { uuid: "shop", teamId: mine },
      environment: { uuid: "production", isProtected: true }
    }
    const can = (action: Action, role: Role, found: object) => statusOf(holding([on("project", role)]), action, found)
    expect([
      can("environment.protect", "developer", environment),
      can("environment.protect", "admin", environment)
    ]).toEqual([403, 200])
    expect([
      can("resource.move", "developer", { placement: placement(true) }),
      can("resource.move", "admin", { placement: placement(true) })
    ]).toEqual([403, 200])
    expect(can("resource.move", "developer", { placement: placement(false) })).toBe(200)
  })
})

describe("resources of a team", () => {
  it("are read by developers of any project, to place resources, and changed by administrators of the team", () => {
    const server = { server: { teamId: mine } }
    const reads = (...grants: ReadonlyArray<HeldGrant>) => statusOf(holding(grants), "server.read", server)
    expect([
      reads(),
      reads(on("project", "deployer")),
      reads(on("project", "developer")),
      reads(on("team", "viewer"))
    ]).toEqual([403, 403, 200, 200])
    expect(statusOf(holding([on("project", "developer")]), "server.resource.list", server)).toBe(403)
    expect(roles.map((role) => statusOf(holding([on("team", role)]), "server.update", server))).toEqual([
      403, 403, 403, 200, 200
    ])
    expect(roles.map((role) => statusOf(holding([on("team", role)]), "team.update", { team: { id: mine } }))).toEqual([
      403, 403, 403, 403, 200
    ])
  })

  it("are administered by owners of the root team with `root` in every team, without being seen", () => {
    const root: Caller = { ...holding([]), access: ownerAccess(rootTeam) }
    expect(statusOf(root, "team.update", { team: { id: theirs } })).toBe(200)
    expect(statusOf(root, "grant.delete", { grant: { teamId: theirs } })).toBe(200)
    expect(statusOf(root, "invitation.delete", { invitation: { teamId: theirs } })).toBe(200)
    expect(statusOf(root, "role.update", { role: { teamId: theirs } })).toBe(200)
    expect(statusOf({ ...root, abilities: ["read", "write"] }, "team.update", { team: { id: theirs } })).toBe(404)
    expect(statusOf(root, "server.read", { server: { teamId: theirs } })).toBe(404)
    expect(statusOf(root, "application.read", web(false, theirs))).toBe(404)
  })
})

describe("a token limited to projects", () => {
  const limited: Caller = { ...holding([]), access: ownerAccess(mine, ["shop"]) }

  it("does nothing outside of them", () => {
    expect(statusOf(limited, "application.deploy", web())).toBe(200)
    const other = { application: { uuid: "web", placement: { ...placement(), projectUuid: "blog" } } }
    expect(decideAccess(limited, "application.deploy", other as never)).toMatchObject({
      check: "token",
      answer: { status: 403, message: "the token is limited to other projects" }
    })
    expect(statusOf(limited, "server.update", { server: { teamId: mine } })).toBe(403)
    expect(statusOf(limited, "project.create", {})).toBe(403)
    expect(statusOf(limited, "token.create", {})).toBe(403)
  })
})

describe("the access of an account", () => {
  const found = { isRoot: false, teams: [mine, theirs], grants: [on("team", "viewer"), on("team", "owner", theirs)] }

  it("is that of one team for a token, and of all its teams otherwise", () => {
    expect(accountAccess(found, theirs)).toEqual({
      teamId: theirs,
      teams: [theirs],
      grants: [found.grants[1]],
      projects: null
    })
    expect(accountAccess(found)).toEqual({ teamId: mine, teams: [mine, theirs], grants: found.grants, projects: null })
    expect(accountAccess({ ...found, teams: [] }, theirs).teams).toEqual([])
  })

  it("includes the root team for an administrator of the instance", () => {
    expect(accountAccess({ isRoot: true, teams: [theirs], grants: [] })).toEqual({
      teamId: rootTeam,
      teams: [rootTeam, theirs],
      grants: ownerAccess(rootTeam).grants,
      projects: null
    })
  })
})

describe("the rows that a caller sees", () => {
  const places: ReadonlyArray<Place> = [mine, theirs].flatMap((teamId) =>
    ["shop", "blog"].flatMap((project) =>
      ["production", "staging"].flatMap((environment) =>
        ["web", "api"].map((resource) => ({
          teamId,
          project,
          environment,
          resource,
          isProtected: environment === "production"
        }))
      )
    )
  )
  const accesses: ReadonlyArray<Access> = [
    ownerAccess(mine),
    ownerAccess(theirs),
    ownerAccess(mine, ["blog"]),
    ...roles.flatMap((role) => [
      holding([on("project", role)]).access as Access,
      holding([on("environment", role, theirs)], [theirs]).access as Access,
      holding([on("application", role), on("team", role, theirs)], [mine, theirs]).access as Access
    ])
  ]

  it("are those on which the action is allowed", () => {
    let seen = 0
    for (const action of [
      "application.read",
      "application.deploy",
      "application.secrets",
      "application.update"
    ] as const) {
      for (const access of accesses) {
        const caller: Caller = { ...holding([]), access }
        const isSeen = sees(visibleTo(caller, action))
        for (const place of places) {
          const { environment, isProtected = false, project, resource, teamId } = place
          const found = {
            application: {
              uuid: resource,
              placement: { ...placement(isProtected, teamId), projectUuid: project, environmentUuid: environment }
            }
          }
          expect(isSeen(place)).toBe(statusOf(caller, action, found) === 200)
          if (isSeen(place)) seen++
        }
      }
    }
    expect(seen).toBeGreaterThan(100)
  })
})

describe("the facts about grants", () => {
  it("apply to the team of the caller on the platform, which is the root team for the platform itself", () => {
    expect([teamOf("everything"), teamOf(ownerAccess(theirs))]).toEqual([rootTeam, theirs])
    const place = { teamId: theirs }
    expect(grantFactsOf("everything", place)).toMatchObject({
      known: true,
      instance: true,
      isProtected: false,
      view: true
    })
    expect(grantFactsOf("everything", { ...place, isProtected: true }).isProtected).toBe(true)
    expect(grantFactsOf("everything", undefined)).toMatchObject({ known: true, operatesHere: true, editsInTeam: true })
    expect(grantFactsOf("everything", undefined).withinToken).toBe(true)
    expect(grantFactsOf(ownerAccess(theirs), undefined)).toMatchObject({
      known: false,
      operatesHere: false,
      editsInTeam: false,
      isProtected: false
    })
    expect(grantFactsOf(ownerAccess(mine), undefined)).toMatchObject({ known: false, view: false, instance: true })
  })

  it("hold if any of several grants has the capability", () => {
    const several = holding([on("application", "viewer"), on("application", "deployer"), on("project", "developer")])
    const place = { teamId: mine, project: "shop", environment: "production", resource: "web" }
    expect(grantFactsOf(several.access, place)).toMatchObject({
      operatesHere: true,
      editsInTeam: true,
      instance: false
    })
    const owners = holding([on("project", "owner"), on("team", "owner")])
    expect(grantFactsOf(owners.access, place).instance).toBe(true)
    expect(grantFactsOf(holding([on("project", "owner")]).access, place).instance).toBe(false)
    expect(grantPlaces).toEqual(["team", "project", "environment", "application", "database", "service"])
  })

  it("contain every row of the root team for its owner", () => {
    const seesAll = (access: Access) => {
      const visible = visibleTo({ ...holding([]), access }, "project.read")
      return visible !== "everything" && seesRootTeam(visible)
    }
    expect(seesAll(ownerAccess(rootTeam))).toBe(true)
    expect(seesAll(ownerAccess(theirs))).toBe(false)
    expect(seesAll(ownerAccess(rootTeam, ["shop"]))).toBe(false)
    expect(seesAll(holding([on("project", "owner")]).access as Access)).toBe(false)
    expect(sees("everything")(undefined)).toBe(true)
  })
})

describe("the table of actions", () => {
  it("checks only the ability where every caller may act", () => {
    expect(policies["version.read"].checks.map(({ id }) => id)).toEqual(["anyone"])
    expect(policies["project.list"].checks.map(({ id }) => id)).toEqual(["read"])
    expect(policies["application.deploy"].checks.map(({ id }) => id)).toEqual([
      "deploy",
      "there",
      "token",
      "role-operate"
    ])
  })

  it("reserves the instance for owners of the root team", () => {
    const instance = (Object.keys(actions) as ReadonlyArray<Action>).filter(
      (action) => rowOf(action).role === "instance"
    )
    expect(instance).toEqual([
      "account.list",
      "account.read",
      "account.create",
      "account.update",
      "api.enable",
      "api.disable",
      "forgeConnection.create",
      "forgeConnection.update",
      "forgeConnection.disconnect",
      "forgeConnection.rotate",
      "forgeConnection.delete",
      "hostKey.forget",
      "hostKey.read",
      "mcp.enable",
      "mcp.disable",
      "settings.read",
      "settings.update",
      "team.create",
      "team.member.add"
    ])
    const owner: Caller = { ...holding([on("team", "owner", theirs)], [theirs]) }
    expect(statusOf(owner, "settings.update", {})).toBe(403)
  })
})
