import { expect, it } from "@effect/vitest"
import { gitWorld as world } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { bearer, start } from "../support/harness.ts"
import { plant } from "../support/world.ts"

interface Row {
  readonly full_name: string
}

it.live("I2, I9: a user can star only repositories that lists show to this user", () =>
  Effect.gen(function* () {
    const api = yield* start()
    yield* plant(api, world)
    const repositories = world.repositories.map(({ name, owner }) => `${owner}/${name}`)
    const seen = new Set<number>()
    for (const name of world.users.keys()) {
      const who = { headers: bearer(yield* api.mint(name, ["all"])) }
      const names = (path: string) =>
        Effect.map(api.send("GET", path, who), ({ json, status }) =>
          status === 200 ? ((json.data ?? json) as ReadonlyArray<Row>).map(({ full_name }) => full_name) : []
        )
      const found = yield* names("/repos/search?limit=50")
      for (const repository of repositories) {
        const { status } = yield* api.send("PUT", `/user/starred/${repository}`, who)
        const starred = yield* names("/user/starred?limit=50")
        seen.add(status)
        expect([name, repository, status === 204, starred.includes(repository)]).toEqual([
          name,
          repository,
          found.includes(repository),
          found.includes(repository)
        ])
        yield* api.send("DELETE", `/user/starred/${repository}`, who)
      }
    }
    // Both answers occur, so that the comparison says something.
    expect([...seen]).toEqual(expect.arrayContaining([204, 404]))
  })
)
