import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "acme", reponame: "site" }
const list = "/acme/site/settings/environments"
const edit = `${list}/edit`
const production = `${edit}?name=production`

describe("the settings of environments", () => {
  let forge: Forge
  let ids: Readonly<Record<"ann" | "bob" | "team", number>>
  beforeAll(async () => {
    forge = await makeSite()
    const bob = await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme" } })
    await ann.organization.repository.create({
      params: { org: "acme" },
      body: { name: "site", auto_init: true, default_branch: "main" }
    })
    const team = await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "Releases", units_map: { "repo.code": "read" } }
    })
    ids = { ann: (await ann.account.read()).id, bob: bob.id, team: team.id }
  })
  afterAll(() => forge.dispose())

  const environments = () => forge.actAs("ann").repository.environment.list({ params })

  it("create, change and delete an environment without JavaScript", async () => {
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    expect((await ann.go(list)).text).toContain("No environments.")
    const fields = {
      do: "rules",
      users: "bob, ann",
      teams: "releases",
      prevent_self_review: "on",
      wait_timer: "5",
      branches: "protected"
    }
    expect((await ann.fill(edit, edit, { name: "production", ...fields })).to).toBe(production)
    expect((await environments())[0]).toMatchObject({
      name: "production",
      protection_rules: [
        { type: "wait_timer", wait_timer: 5 },
        {
          type: "required_reviewers",
          prevent_self_review: true,
          reviewers: [
            { type: "User", reviewer: { id: ids.bob, login: "bob" } },
            { type: "User", reviewer: { id: ids.ann, login: "ann" } },
            { type: "Team", reviewer: { id: ids.team, name: "Releases" } }
          ]
        },
        { type: "branch_policy" }
      ],
      deployment_branch_policy: { protected_branches: true, custom_branch_policies: false }
    })
    const { text } = await ann.go(list)
    for (const shown of ["production", "3 reviewers", "waits 5 minutes", "Protected branches only"]) {
      expect(text).toContain(shown)
    }
    const form = (await ann.go(production)).text
    expect(form).toMatch(/name="users"[^>]*value="bob, ann"/)
    expect(form).toMatch(/name="teams"[^>]*value="Releases"/)
    expect(form).toMatch(/name="prevent_self_review"[^>]*checked/)
    expect(form).not.toContain("Add pattern")
    const open = { do: "rules", users: "", teams: "", wait_timer: "", branches: "all", prevent_self_review: "" }
    expect((await ann.fill(production, edit, open)).to).toBe(production)
    expect((await environments())[0]).toMatchObject({ protection_rules: [], deployment_branch_policy: null })
    expect((await ann.fill(list, list, { do: "delete", environment: "production" })).to).toBe(list)
    expect(await environments()).toEqual([])
  })

  it("create no environment over an existing one, whatever the case of its name", async () => {
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    await ann.fill(edit, edit, { do: "rules", name: "docs", users: "bob", branches: "all" })
    const again = await ann.fill(edit, edit, { do: "rules", name: "Docs", users: "", branches: "all" })
    expect([again.status, again.text.includes("The environment Docs already exists")]).toEqual([422, true])
    const [docs] = await environments()
    expect(docs).toMatchObject({ name: "docs", protection_rules: [{ reviewers: [{ reviewer: { login: "bob" } }] }] })
    await ann.fill(list, list, { do: "delete", environment: "docs" })
  })

  it("keep reviewers that the administrator cannot see", async () => {
    const root = forge.actAs("root")
    const zoltan = await root.admin.user.create({
      body: { username: "zoltan", email: "zoltan@example.com", password, must_change_password: false }
    })
    const at = { params: { ...params, environment: "docs" } }
    await forge
      .actAs("ann")
      .repository.environment.set({ ...at, body: { reviewers: [{ type: "User", id: zoltan.id }] } })
    await root.admin.user.edit({
      params: { username: "zoltan" },
      body: { login_name: "zoltan", source_id: 0, visibility: "private" }
    })
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    const shown = await ann.go(`${edit}?name=docs`)
    expect(shown.text).not.toContain("zoltan")
    await ann.fill(`${edit}?name=docs`, edit, {
      do: "rules",
      users: "bob",
      teams: "",
      wait_timer: "7",
      branches: "all"
    })
    const seen = async (who: string) => {
      const { protection_rules: rules } = await forge.actAs(who).repository.environment.read(at)
      const reviewers = rules.flatMap(({ reviewers = [] }) => reviewers.map(({ reviewer: { login } }) => login))
      return [reviewers.sort(), rules.find(({ type }) => type === "wait_timer")?.wait_timer]
    }
    expect(await seen("ann")).toEqual([["bob"], 7])
    expect(await seen("root")).toEqual([["bob", "zoltan"], 7])
    await ann.fill(list, list, { do: "delete", environment: "docs" })
  })

  it("add and remove patterns of branches and tags", async () => {
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    await ann.fill(edit, edit, { do: "rules", name: "production", branches: "selected" })
    expect((await ann.go(production)).text).toContain("nothing may deploy to this environment")
    const add = (pattern: string, type: string) => ann.fill(production, edit, { do: "add", pattern, type })
    expect((await add("release/*", "branch")).to).toBe(production)
    expect((await add("v*", "tag")).to).toBe(production)
    const policies = () =>
      forge.actAs("ann").repository.environment.policy.list({ params: { ...params, environment: "production" } })
    const [branch, tag] = await policies()
    expect([branch, tag]).toMatchObject([
      { name: "release/*", type: "branch" },
      { name: "v*", type: "tag" }
    ])
    const taken = await add("v*", "tag")
    expect([taken.status, taken.text.includes('id="error-pattern"'), taken.text.includes('value="v*"')]).toEqual([
      422,
      true,
      true
    ])
    await ann.fill(production, edit, { do: "remove", pattern: String(branch?.id) })
    expect((await policies()).map(({ name }) => name)).toEqual(["v*"])
  })

  it("show errors at the invalid fields, and keep the typed values", async () => {
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    const send = (fields: object) => ann.fill(edit, edit, { do: "rules", name: "staging", ...fields })
    for (const [fields, field, message] of [
      [{ name: "" }, "name", "required"],
      [{ users: "bob, nobody" }, "users", "no users with these names: nobody"],
      [{ teams: "ghosts" }, "teams", "no teams with these names: ghosts"],
      [{ users: "a, b, c, d, e, f, g" }, "users", "at most 6"],
      [{ wait_timer: "x" }, "wait_timer", "whole number"],
      [{ wait_timer: "43201" }, "wait_timer", "43200"]
    ] as const) {
      const { status, text } = await send(fields)
      expect([status, text.includes(`id="error-${field}"`), text.includes(message)], field).toEqual([422, true, true])
    }
    expect((await send({ users: "bob, nobody" })).text).toMatch(/name="users"[^>]*value="bob, nobody"/)
    expect((await environments()).map(({ name }) => name)).not.toContain("staging")
  })
})
