import { describe, expect, it } from "@effect/vitest"
import {
  builtInRoles,
  capabilities,
  isBuiltInRole,
  leastRoleWith,
  mostChecks,
  type RoleRuleId,
  roleRules
} from "@slipway/domain/deploy/access"
import { type Action, actions, type Caller, decideAccess, rowOf, visibleTo } from "@slipway/domain/deploy/entry"
import { type Access, type HeldGrant, ownerAccess, rootTeam, sees } from "@slipway/domain/deploy/identity"

describe("the roles of every team", () => {
  it("have these capabilities", () => {
    expect(builtInRoles).toEqual({
      viewer: ["view"],
      deployer: ["view", "operate"],
      developer: ["view", "operate", "edit", "secrets"],
      admin: ["view", "operate", "edit", "secrets", "protection", "terminal", "infrastructure", "members"],
      owner: ["view", "operate", "edit", "secrets", "protection", "terminal", "infrastructure", "members", "ownership"]
    })
    expect(builtInRoles.owner).toEqual(capabilities)
    expect([isBuiltInRole("owner"), isBuiltInRole("boss"), isBuiltInRole("toString")]).toEqual([true, false, false])
    expect(mostChecks).toBe(200)
  })

  it("are named in refusals by the least of them with the missing capability", () => {
    expect(capabilities.map((each) => leastRoleWith(each))).toEqual([
      "viewer",
      "deployer",
      "developer",
      "developer",
      "admin",
      "admin",
      "admin",
      "admin",
      "owner"
    ])
    expect(leastRoleWith("nothing" as never)).toBe("owner")
    expect(Object.fromEntries(Object.entries(roleRules).map(([id, { because }]) => [id, because]))).toEqual({
      anyone: "every caller may",
      member: "only members of the team may",
      view: "the role `viewer` on the resource or above it is missing (capability `view`)",
      choose: "the role `viewer` on the team is missing (capability `view`), or `developer` on one of its resources",
      operate:
        "the role `deployer` on the resource or above it is missing (capability `operate`); a protected environment needs it on the environment itself",
      request: "the role `deployer` on the resource or above it is missing (capability `operate`)",
      run: "the role `developer` on the resource or above it is missing (capability `edit`); a protected environment needs `deployer` on the environment itself as well",
      protect: "the role `admin` on the resource or above it is missing (capability `protection`)",
      edit: "the role `developer` on the resource or above it is missing (capability `edit`)",
      editSomewhere: "the role `developer` on the team or one of its resources is missing (capability `edit`)",
      secrets:
        "the role `developer` on the resource or above it is missing (capability `secrets`); a protected environment needs `admin`",
      terminal:
        "the role `admin` on the resource or above it is missing (capability `terminal`); a protected environment needs the capability `protection` as well",
      transfer:
        "the role `admin` on the team is missing (capability `infrastructure`), with `secrets`, `protection` and `edit`",
      infrastructure: "the role `admin` on the team is missing (capability `infrastructure`)",
      members: "the role `admin` on the resource or above it is missing (capability `members`)",
      ownership: "the role `owner` on the team is missing (capability `ownership`)",
      instance: "the role `owner` on the root team is missing"
    })
  })
})

/** The rules that a token limited to projects never passes outside of them, even as an owner. */
const limited: Readonly<Record<RoleRuleId, boolean>> = {
  anyone: false,
  member: false,
  view: true,
  choose: true,
  operate: true,
  request: true,
  run: true,
  protect: true,
  edit: true,
  editSomewhere: false,
  secrets: true,
  terminal: true,
  infrastructure: true,
  transfer: true,
  members: true,
  ownership: true,
  instance: true
}

describe("a token limited to other projects", () => {
  const caller: Caller = {
    tokenUuid: "t",
    abilities: ["root"],
    accountUuid: null,
    access: ownerAccess(rootTeam, ["another"])
  }
  const account = { uuid: "someone" } as never
  const session = { uuid: "session" } as never
  const placement = { teamId: rootTeam, projectUuid: "shop", environmentUuid: "e", isProtected: false }
  const teamId = rootTeam
  const things = {
    account: { uuid: "another" },
    application: { uuid: "a", placement },
    database: { uuid: "d", placement },
    placement,
    project: { uuid: "shop", teamId },
    environment: { uuid: "e", isProtected: false },
    place: { teamId },
    team: { id: teamId },
    ...Object.fromEntries(
      [
        "destination",
        "forgeApp",
        "forgeConnection",
        "gitlabApp",
        "grant",
        "invitation",
        "key",
        "registry",
        "role",
        "s3Storage",
        "server",
        "tag",
        "token"
      ].map((name) => [name, { teamId }])
    )
  }

  for (const action of Object.keys(actions) as ReadonlyArray<Action>) {
    const { role, rule } = rowOf(action)
    it(`${limited[role] ? "is refused" : "may perform"} ${action}`, () => {
      const owned = { account: ["account", "accountRoot", "session"].includes(rule), session: rule === "session" }
      const asked = {
        ...caller,
        account: owned.account ? account : undefined,
        session: owned.session ? session : undefined
      }
      const decided = decideAccess(asked, action, things as never)
      expect(decided.allowed ? "allowed" : decided.check).toBe(limited[role] ? "token" : "allowed")
    })
  }
})

describe("a caller that a second access limits", () => {
  const access = (...grants: ReadonlyArray<Omit<HeldGrant, "teamId">>): Access => ({
    teamId: rootTeam,
    teams: [rootTeam],
    grants: grants.map((grant) => ({ ...grant, teamId: rootTeam })),
    projects: ["p1"]
  })
  const team = { placeType: "team", placeUuid: null } as const
  const here = { placeType: "environment", placeUuid: "e1" } as const
  const placement = { teamId: rootTeam, projectUuid: "p1", environmentUuid: "e1", isProtected: true }
  const may = (one: Access, limitedBy: Access, action: "resource.create" | "resource.move") => {
    const caller = {
      tokenUuid: "t1",
      abilities: ["write", "deploy"],
      accountUuid: null,
      access: one,
      limitedBy
    } as const
    return decideAccess(caller, action, { placement: placement as never }).allowed
  }

  it("may do only what both accesses permit, whichever grants permit it", () => {
    const developer = access({ ...team, capabilities: builtInRoles.developer })
    const viewer = access({ ...team, capabilities: builtInRoles.viewer })
    const deployerHere = access(
      { ...team, capabilities: builtInRoles.developer },
      { ...here, capabilities: builtInRoles.deployer }
    )
    const none = access()
    expect(may(developer, developer, "resource.create")).toBe(true)
    expect([may(developer, viewer, "resource.create"), may(viewer, developer, "resource.create")]).toEqual([
      false,
      false
    ])
    expect([may(developer, none, "resource.create"), may(none, developer, "resource.create")]).toEqual([false, false])
    // An environment is protected against callers without a role on the environment itself.
    expect(may(deployerHere, deployerHere, "resource.move")).toBe(true)
    expect(may(deployerHere, access({ ...team, capabilities: builtInRoles.admin }), "resource.move")).toBe(true)
    expect([may(deployerHere, developer, "resource.move"), may(developer, deployerHere, "resource.move")]).toEqual([
      false,
      false
    ])
  })

  it("sees no rows of lists", () => {
    const caller: Caller = { tokenUuid: "t1", abilities: ["root"], accountUuid: null, access: ownerAccess(rootTeam) }
    const seen = (each: Caller) => sees(visibleTo(each, "project.read"))({ teamId: rootTeam, project: "p1" })
    expect([seen(caller), seen({ ...caller, limitedBy: ownerAccess(rootTeam) })]).toEqual([true, false])
  })
})
