import { type DatabaseKind, type DatabaseUuid, restoreOf, restoreProblem } from "@slipway/domain/deploy/databases"
import { describe, expect, it } from "vitest"

const database = (kind: DatabaseKind, image: string, uuid = "a", settings: Record<string, string> = {}) => ({
  kind,
  image,
  uuid: uuid.padEnd(24, "0") as DatabaseUuid,
  settings
})

const run = (image: string | null, dumpsAll = false, databases: ReadonlyArray<string> = []) => ({
  image,
  dumpsAll,
  databases
})

const fits = (from: string, into: string) =>
  restoreProblem(database("redis", from), run(from), database("redis", into)) === null

describe("a restore", () => {
  it("accepts the version of the backup and newer ones, and images without a version", () => {
    expect(fits("redis:7.4-alpine", "redis:7.4")).toBe(true)
    expect(fits("redis:7.4-alpine", "redis:8")).toBe(true)
    expect(fits("redis:7", "redis:7.2")).toBe(true)
    expect(fits("redis:7.4", "redis:latest")).toBe(true)
    expect(fits("registry.example:5000/redis:7.4", `registry.example:5000/redis:7.2@sha256:${"0".repeat(64)}`)).toBe(
      false
    )
    expect(fits("redis:7.10", "redis:7.9")).toBe(false)
    expect(fits("redis:7.4", "redis:6")).toBe(false)
    expect(restoreProblem(database("redis", "redis:8"), run(null), database("redis", "redis:6"))).toBeNull()
  })

  it("rejects another type of database, and types without a restore program", () => {
    expect(
      restoreProblem(database("mysql", "mysql:8.4"), run("mysql:8.4"), database("mariadb", "mariadb:11.4"))
    ).toEqual({ field: "database_uuid", sentence: "Must be a database of the type mysql, not mariadb." })
    expect(restoreProblem(database("keydb", "k:1"), run("k:1"), database("keydb", "k:1"))).toEqual({
      field: "execution_uuid",
      sentence: "Backups of keydb cannot be restored."
    })
  })

  it("keeps the name of a database and the users of its server where the dump contains them", () => {
    const source = database("mariadb", "mariadb:11.4", "a", { mariadb_database: "orders" })
    const same = database("mariadb", "mariadb:11.4", "b", { mariadb_database: "orders" })
    const other = database("mariadb", "mariadb:11.4", "b", { mariadb_database: "default" })
    expect(restoreProblem(source, run("mariadb:11.4"), same)).toBeNull()
    expect(restoreProblem(source, run("mariadb:11.4"), other)).toEqual({
      field: "database_uuid",
      sentence: "Must have the mariadb_database of the backup, which is `orders`."
    })
    expect(restoreProblem(source, run("mariadb:11.4", false, ["shop"]), other)).toBeNull()
    expect(restoreProblem(source, run("mariadb:11.4", true), source)).toBeNull()
    expect(restoreProblem(source, run("mariadb:11.4", true), same)).toEqual({
      field: "database_uuid",
      sentence: "Must be the database of the backup: a backup with dump_all contains its users."
    })
  })

  it("passes values as arguments, and never in the text of the script", () => {
    const values = { mongo_initdb_root_username: "root", mongo_initdb_root_password: "$(id)" }
    const command = restoreOf("mongodb", values, { databases: [] }, false, "/backup")
    expect(command?.argv.slice(3)).toEqual(["restore", "/backup", "", "other", "root", "$(id)"])
    expect(command?.argv[2]).not.toContain("$(id)")
    expect(restoreOf("dragonfly", {}, { databases: [] }, true, "/backup")).toBeNull()
  })
})
