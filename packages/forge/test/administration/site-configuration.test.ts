import { describe, expect, it } from "@effect/vitest"
import { defaultSite, SiteSettings } from "@slipway/domain/forge/base"
import { SiteConfiguration } from "@slipway/forge/administration"
import { Effect } from "effect"

describe("the listed settings of the site", () => {
  it.effect("use each field of the site, except for the host and the rules", () =>
    Effect.gen(function* () {
      const unused = new Set(Object.keys(defaultSite))
      const site = new Proxy(
        { ...defaultSite, deployUrl: "https://deploy.example" },
        {
          get: (target, key, receiver) => {
            unused.delete(String(key))
            return Reflect.get(target, key, receiver)
          }
        }
      )
      // The use case reads nothing from its proof.
      const listed = yield* Effect.provideService(SiteConfiguration.list({} as never), SiteSettings, site)
      expect([...unused].toSorted()).toEqual(["host", "policy"])
      expect(listed).toContainEqual({ group: "site", name: "deploy_url", value: "https://deploy.example" })
    })
  )
})
