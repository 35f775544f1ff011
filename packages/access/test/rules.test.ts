import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import {
  addressRange,
  customRoles,
  defineRules,
  Facts,
  fieldMasks,
  inherited,
  isRecentAt,
  isValidAt,
  type Level,
  subjectsOf
} from "../src/index.ts"

const shared = inherited("the level shared with the caller", {
  nodes: "nodes",
  id: "id",
  parent: "parent",
  grants: "shares",
  node: "node",
  subject: "subject",
  level: "level",
  depth: 2
})
const rules = defineRules(
  {
    signedIn: Facts.flag("the caller is signed in", "the caller is anonymous"),
    shared: shared.fact,
    archived: Facts.flag("the document is archived", "the document is in use")
  },
  ({ all, atLeast, flag }) => ({
    read: {
      allow: { shared: { when: atLeast("shared", 1), because: "it is shared" } },
      answer: { status: 404, message: "missing" }
    },
    edit: {
      requires: ["read"],
      allow: { writer: { when: all(flag("signedIn"), atLeast("shared", 2)), because: "it is shared for writing" } },
      deny: { archived: { when: flag("archived"), because: "it is archived" } }
    },
    ping: { allow: {} }
  })
)
const writer = { signedIn: true, shared: 2, archived: false } as const

describe("rules", () => {
  it("check required actions first, and let a deny rule override every allow rule", () => {
    expect(rules.check("edit", writer)).toEqual({ allowed: true, by: ["writer"] })
    expect(rules.check("ping", writer)).toEqual({ allowed: true, by: [] })
    expect(rules.check("edit", { ...writer, archived: true })).toEqual({
      allowed: false,
      check: "edit",
      by: ["archived"],
      answer: { status: 403, message: "You are not allowed to do this." }
    })
    expect(rules.check("edit", { ...writer, shared: 0, archived: true })).toEqual({
      allowed: false,
      check: "read",
      by: ["read"],
      answer: { status: 404, message: "missing" }
    })
  })

  it("decide several actions on facts that are prepared once", () => {
    const loaded = rules.load({ ...writer, shared: 1 })
    expect((["read", "edit"] as const).map((action) => rules.check(action, loaded).allowed)).toEqual([true, false])
    expect(rules.load(writer).facts).toBe(writer)
    expect(() => rules.load({ ...writer, shared: 9 as 4 })).toThrow("`9` is not a value of the fact `shared`")
  })

  it("decide many requests in one call, list who can do an action, and list what a change of facts grants or revokes", () => {
    const requests = (["read", "edit"] as const).flatMap((action) =>
      [writer, { ...writer, shared: 1 as const }].map((facts) => ({ action, facts }))
    )
    expect(rules.checkMany(requests).map(({ allowed }) => allowed)).toEqual([true, true, true, false])
    expect(
      rules.listSubjects("edit", [
        ["ann", writer],
        ["bob", { ...writer, shared: 0 }]
      ])
    ).toEqual(["ann"])
    expect(rules.whatIf(writer, { archived: true })).toEqual({ gains: [], loses: ["edit"] })
    expect(rules.whatIf({ ...writer, shared: 0 }, { shared: 4 })).toEqual({ gains: ["read", "edit"], loses: [] })
  })

  it("yield who gains and who loses an action after each event", async () => {
    const people = new Map<string, Parameters<typeof rules.load>[0]>([["ann", writer]])
    const happen = [
      () => people.set("bob", { ...writer, shared: 1 }),
      () => people.set("bob", writer),
      () => people.set("bob", { ...writer, archived: true }).set("cy", writer),
      () => people.delete("ann")
    ]
    const events = async function* () {
      for (const event of happen) yield await Promise.resolve(event())
    }
    const changes = await Array.fromAsync(rules.watch("edit", async () => people, events()))
    expect(changes).toEqual([
      { subject: "bob", allowed: true },
      { subject: "cy", allowed: true },
      { subject: "bob", allowed: false },
      { subject: "ann", allowed: false }
    ])
    const failing = async function* () {
      yield await Promise.resolve(1)
      throw new Error("the events ended")
    }
    await expect(Array.fromAsync(rules.watch("edit", () => people, failing()))).rejects.toThrow("the events ended")
  })

  it("reject a page of a list with a limit that is not a positive integer", () => {
    const listed = (limit: number) =>
      rules.listObjects("ping", {}, { from: "rows", key: "id", limit, dialect: "sqlite" }).text
    expect(listed(1)).toBe('select "row".* from "rows" as "row" where true order by "row"."id" limit 1')
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      expect(() => listed(limit)).toThrow(`the limit ${limit} is not a positive integer`)
    }
  })

  it("explain a decision up to the step that refuses it, and reveal nothing about a hidden resource", () => {
    expect(rules.explain("edit", { ...writer, archived: true }).steps).toEqual([
      {
        action: "read",
        passed: true,
        rules: ["shared: it is shared"],
        facts: ["the level shared with the caller is at least read"]
      },
      { action: "edit", passed: false, rules: ["archived: it is archived"], facts: ["the document is archived"] }
    ])
    expect(rules.explain("edit", { ...writer, shared: 0 }).steps).toEqual([])
  })

  it("are rejected if an action requires itself or a missing action, or if a fact is unknown", () => {
    const allow = {}
    expect(() => defineRules({}, () => ({ a: { allow, requires: ["b"] }, b: { allow, requires: ["a"] } }))).toThrow(
      "`a` requires itself: a → b → a"
    )
    expect(() => defineRules({}, () => ({ a: { allow, requires: ["c" as "a"] } }))).toThrow("`c` is not an action")
    expect(() =>
      defineRules({ on: Facts.flag("on", "off") }, ({ flag }) => ({
        a: { allow: { b: { when: flag("off" as "on"), because: "" } } }
      }))
    ).toThrow("`off` is not a fact of this vocabulary")
  })
})

const nodes = [
  ["root", null],
  ["home", "root"],
  ["inner", "home"],
  ["deep", "inner"],
  ["other", null],
  ["circle", "circle"]
] as const
const shares = [
  ["root", "ann", 1],
  ["home", "staff", 2],
  ["deep", "eve", 3],
  ["circle", "ann", 2]
] as const

const levelFor = (node: string, ...subjects: ReadonlyArray<string>) =>
  shared.levelOf(
    node,
    (each) => nodes.find(([id]) => id === each)?.[1] ?? undefined,
    (each) =>
      Math.max(
        0,
        ...shares.flatMap(([on, who, level]) => (on === each && subjects.includes(who) ? [level] : []))
      ) as Level
  )

const tables = [
  "create table nodes (id text, parent text, archived boolean)",
  "create table shares (node text, subject text, level integer)",
  ...nodes.map(
    ([id, parent]) =>
      `insert into nodes values ('${id}', ${parent === null ? "null" : `'${parent}'`}, ${id === "inner"})`
  ),
  ...shares.map(([node, subject, level]) => `insert into shares values ('${node}', '${subject}', ${level})`)
]
const joined = (signs: ReadonlyArray<string>) =>
  [
    `select n.id, n.archived as "archived", coalesce(held.level, 0) as "shared" from nodes as n`,
    `left join ${shared.sqlLevels(signs)} as held on held.id = n.id`
  ].join(" ")
const select = (signs: ReadonlyArray<string>) =>
  `select n.id, n.archived as "archived", ${shared.sql("n", signs)} as "shared" from nodes as n`

describe("relations through parents", () => {
  it("give the highest level of a resource and its parents, up to the depth limit", () => {
    expect(nodes.map(([id]) => levelFor(id, "ann", "staff"))).toEqual([1, 2, 2, 2, 0, 2])
    expect(nodes.map(([id]) => levelFor(id, "ann"))).toEqual([1, 1, 1, 0, 0, 2])
    expect(nodes.map(([id]) => levelFor(id))).toEqual([0, 0, 0, 0, 0, 0])
    expect(shared.fact).toMatchObject({ of: "the level shared with the caller", levels: [0, 1, 2, 3, 4] })
  })

  it("give the same levels and lists on SQLite and PostgreSQL", async () => {
    const page = { from: "facts", key: "id", limit: 2 } as const
    const lite = new DatabaseSync(":memory:")
    for (const statement of tables) lite.exec(statement)
    const postgres = new PGlite()
    await postgres.exec(tables.join(";"))
    for (const form of [select, joined]) {
      const onLite = lite.prepare(`${form(["?", "?"])} order by n.id`).all("ann", "staff")
      const onPostgres = await postgres.query(`${form(["$1", "$2"])} order by n.id`, ["ann", "staff"])
      for (const rows of [onLite, onPostgres.rows]) {
        expect(rows.map((row) => Object.values(row as object))).toEqual([
          ["circle", expect.anything(), 2],
          ["deep", expect.anything(), 2],
          ["home", expect.anything(), 2],
          ["inner", expect.anything(), 2],
          ["other", expect.anything(), 0],
          ["root", expect.anything(), 1]
        ])
      }
      const onlyAnn = lite.prepare(`${form(["?"])} order by n.id`).all("ann")
      expect(onlyAnn.map(({ shared: level }) => level)).toEqual([2, 0, 1, 1, 0, 1])
      expect(
        lite
          .prepare(form([]))
          .all()
          .map(({ shared: level }) => level)
      ).toEqual([0, 0, 0, 0, 0, 0])
    }
    const listed = async (after?: string) => {
      const at = after === undefined ? {} : { after }
      const known = { signedIn: true }
      const one = rules.listObjects("edit", known, { ...page, ...at, dialect: "sqlite" })
      const other = rules.listObjects("edit", known, { ...page, ...at, dialect: "postgresql" })
      const signs = after === undefined ? ["$1", "$2"] : ["$2", "$3"]
      return [
        lite.prepare(`with "facts" as (${select(["?", "?"])}) ${one.text}`).all("ann", "staff", ...one.values),
        (await postgres.query(`with "facts" as (${select(signs)}) ${other.text}`, [...other.values, "ann", "staff"]))
          .rows
      ].map((rows) => rows.map((row) => (row as { id: string }).id))
    }
    // `inner` is archived.
    expect(await listed()).toEqual([
      ["circle", "deep"],
      ["circle", "deep"]
    ])
    expect(await listed("deep")).toEqual([["home"], ["home"]])
    await postgres.close()
    lite.close()
  })

  it("are rejected without a depth limit, or if an SQL value is not a placeholder", () => {
    const tree = { nodes: "n", id: "i", parent: "p", grants: "g", node: "n", subject: "s", level: "l" }
    for (const depth of [0, 33, 1.5, Number.POSITIVE_INFINITY]) {
      expect(() => inherited("the level", { ...tree, depth })).toThrow(
        'the relation "the level" must have a depth from 1 to 32'
      )
    }
    expect(() => shared.sql("n", ["'ann'"])).toThrow("`'ann'` is not a placeholder")
    expect(() => shared.sqlLevels(["1 or true"])).toThrow("`1 or true` is not a placeholder")
    expect(shared.sql("n", [])).toBe("0")
    expect(() => subjectsOf("ann", () => [], 0)).toThrow("groups must have a depth from 1 to 32")
  })

  it("find each nested group once, up to the depth limit", () => {
    const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
      ann: ["a", "b"],
      a: ["c"],
      b: ["c", "ann"],
      c: ["d"]
    }
    const of = (member: string) => groups[member] ?? []
    expect(subjectsOf("ann", of, 1)).toEqual(["ann", "a", "b"])
    expect(subjectsOf("ann", of, 2)).toEqual(["ann", "a", "b", "c"])
    expect(subjectsOf("ann", of, 32)).toEqual(["ann", "a", "b", "c", "d"])
  })
})

describe("custom roles", () => {
  const roles = customRoles({ edit: "edit documents", share: "share documents" })

  it("combine only permissions that the program offers", () => {
    const [editor, nobody] = [roles.parse("editor", ["edit"]), roles.parse("nobody", [])]
    expect(roles.factsOf([editor, nobody])).toEqual({ edit: true, share: false })
    expect(roles.facts.share).toEqual({
      kind: "flag",
      yes: "a role of the caller may share documents",
      no: "no role of the caller may share documents"
    })
    expect(() => roles.parse("root", ["edit", "delete"])).toThrow(
      'the role "root" has the permission `delete`, but roles can have only edit, share'
    )
  })
})

describe("helpers for facts about the context", () => {
  it("check an expiry and the age of an event", () => {
    expect([isValidAt(5, 6), isValidAt(6, 6), isValidAt(6, undefined), isValidAt(6, null)]).toEqual([
      true,
      false,
      true,
      true
    ])
    expect([isRecentAt(10, 5, 5), isRecentAt(10, 4, 5), isRecentAt(10, 11, 5), isRecentAt(10, undefined, 5)]).toEqual([
      true,
      false,
      false,
      false
    ])
    expect([isRecentAt(10, null, 5), isRecentAt(10, 10, 5)]).toEqual([false, true])
  })

  it("check whether an address is in a range", () => {
    const inRange = (range: string, ...addresses: ReadonlyArray<string>) => addresses.map(addressRange(range))
    expect(inRange("10.0.0.0/8", "10.255.0.1", "11.0.0.1", "::ffff:10.1.2.3", "10.0.0", "10.0.0.256")).toEqual([
      true,
      false,
      true,
      false,
      false
    ])
    expect(inRange("10.0.0.0/8", "::ffff:a01:203", "0:0:0:0:0:FFFF:0a01:0203", "::ffff:b01:203")).toEqual([
      true,
      true,
      false
    ])
    expect(inRange("192.168.1.7", "192.168.1.7", "192.168.1.8")).toEqual([true, false])
    expect(inRange("0.0.0.0/0", "1.2.3.4", "::1")).toEqual([true, false])
    expect(
      inRange("2001:db8::/33", "2001:db8::1", "2001:db8:7fff::", "2001:db8:8000::", "2001:DB8:0:0:0:0:0:9", "::1")
    ).toEqual([true, true, false, true, false])
    expect(inRange("1:2:3:4:5:6::8", "1:2:3:4:5:6:0:8", "1:2:3:4:5:6:1:8")).toEqual([true, false])
    expect(inRange("10.0.0.0/8", "10.0.0.1a")).toEqual([false])
    for (const wrong of [
      "10.0.0.0/33",
      "10.0.0.0/8a",
      "10.0.0.256",
      "1:2:3:4::5:6:7:8::9",
      "10.0.0/8",
      "::1/129",
      "1::2::3",
      "a.example",
      "10.0.0.0/8/8",
      ":::",
      "1:2:3:4:5:6:7"
    ]) {
      expect(() => addressRange(wrong), wrong).toThrow("is not a range of addresses")
    }
  })
})

describe("field masks", () => {
  const vocabulary = {
    self: Facts.flag("it is the caller", "it is another user"),
    hr: Facts.flag("in HR", "not in HR")
  }
  const fields = fieldMasks(vocabulary, ({ all, any, flag }) => ({
    name: { read: all(), write: flag("hr") },
    salary: { read: any(flag("self"), flag("hr")) }
  }))
  const colleague = { self: false, hr: false }
  const hr = { self: false, hr: true }

  it("remove unreadable fields, and reject changes of protected fields", () => {
    const record = { name: "ann", salary: 5, secret: 1 }
    expect(fields.read(record, colleague)).toEqual({ name: "ann" })
    expect(fields.read(record, hr)).toEqual({ name: "ann", salary: 5 })
    expect(fields.refused({ name: "bob", salary: 6, toString: 1 }, hr)).toEqual(["salary", "toString"])
    expect(fields.refused({ name: "bob" }, colleague)).toEqual(["name"])
  })

  it("convert to SQL columns, to prose and to explanations", () => {
    expect(fields.columns("u")).toBe(
      'case when true then "u"."name" end as "name", case when ("u"."self" or "u"."hr") then "u"."salary" end as "salary"'
    )
    expect(fields.prose.salary).toEqual({ read: "it is the caller or in HR", write: "never" })
    expect(fields.explain("salary", colleague)).toMatchObject({ says: "none of these", holds: false })
    expect(() => fieldMasks(vocabulary, ({ flag }) => ({ a: { read: flag("b" as "hr") } }))).toThrow(
      "`b` is not a fact"
    )
    expect(() => fieldMasks(vocabulary, ({ all, flag }) => ({ a: { read: all(), write: flag("b" as "hr") } }))).toThrow(
      "`b` is not a fact"
    )
  })
})
