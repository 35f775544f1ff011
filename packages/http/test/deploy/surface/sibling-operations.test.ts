import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { endpoints, signedEndpoints } from "../support/endpoints.ts"
import operations from "./sibling-operations.json" with { type: "json" }
import missing from "./sibling-operations-missing.json" with { type: "json" }

const nameless = (path: string) => path.replace(/\{\w+\}/g, "{}")

/** What is served, with the paths that no token is asked for and that the description leaves out. */
const served = new Set([
  ...[...endpoints, ...signedEndpoints].map(
    ({ method, template }) => `${method} ${nameless(template.replace("/api/v1", ""))}`
  ),
  "GET /health"
])

const isThere = (operation: string) => served.has(operation)
const groupOf = (operation: string) => operation.split("/")[1] ?? ""

const rowOf = ([group, all]: readonly [string, ReadonlyArray<string>]): string => {
  const list = (some: ReadonlyArray<string>) =>
    some.map((operation) => `\`${operation.replace(`/${group}`, "…").replace(" ", " ")}\``).join(", ")
  const there = all.filter(isThere)
  return `| \`/${group}\` | ${there.length} of ${all.length} | ${list(there)} | ${list(all.filter((each) => !isThere(each)))} |`
}

const table = [
  "# Operations of the siblings' clients",
  "",
  `Of the ${operations.length} operations that the clients of the sibling platform know, ${operations.filter(isThere).length} are there, under their`,
  "own names. This table is generated: `npx vitest run packages/http/test/deploy/surface/sibling-operations.test.ts --update=all` writes it, and the",
  "test of that name holds it to what is served. `…` is the path of the row, `{}` a parameter.",
  "",
  "| path | there | these | not yet |",
  "|---|---|---|---|",
  ...[...Map.groupBy(operations, groupOf)].map(rowOf),
  ""
].join("\n")

it.effect("the operations of the siblings that are missing are those of a list that only shrinks (issue 11, 17)", () =>
  Effect.sync(() => {
    expect(operations.filter((each) => !isThere(each))).toEqual(missing)
  })
)

it.effect("the docs have a table of them that is true", () =>
  Effect.promise(async () => {
    await expect(table).toMatchFileSnapshot("../../../../docs/deploy-operations.md")
  })
)
