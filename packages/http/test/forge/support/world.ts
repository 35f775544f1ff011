import { type Asker, plantOrganizations, type World } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { basic, bearer, type Service } from "./harness.ts"

/** Makes all that is in a world, with one password for all. */
export const plant = Effect.fnUntraced(function* (api: Service, world: World) {
  for (const { admin, createsOrganizations, name, restricted, visibility } of world.users.values()) {
    yield* api.user(name, { admin, restricted, visibility, mayCreateOrganizations: createsOrganizations })
  }
  yield* Effect.orDie(api.within(plantOrganizations(world)))
})

/** Returns the headers of somebody of a world. */
export const headersOf = (api: Service, { name, token }: Asker): Effect.Effect<Readonly<Record<string, string>>> => {
  if (name === undefined) return Effect.succeed({})
  return token === undefined ? Effect.succeed(basic(name)) : Effect.map(api.mint(name, token), bearer)
}
