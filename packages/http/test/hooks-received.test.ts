import { expect, it } from "@effect/vitest"
import { type HookRequest, HookSender } from "@slipway/domain"
import { HookWork } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { start as startDeploy } from "./deploy/support/harness.ts"
import { makeWorld } from "./deploy/support/world.ts"
import { basic, start as startForge } from "./forge/support/harness.ts"

const bob = { headers: basic("bob") }
const secret = "a long random text 🤫"

it.live("the deployment platform verifies a push webhook of the forge, and deploys the pushed commit", () =>
  Effect.gen(function* () {
    const deploy = yield* startDeploy()
    const world = yield* makeWorld(deploy)
    const uuid = yield* world.create("public", {
      git_branch: "main",
      manual_webhook_secret_forgeD: secret,
      manual_webhook_secret_forgeA: secret
    })
    // GitLab's payloads differ: one from the forge is ignored, only by this application.
    const signedAlone = yield* world.create("public", { git_branch: "main", manual_webhook_secret_forgeB: secret })
    const received: Array<readonly [provider: string | undefined, status: number, outcome: unknown]> = []
    const sender = {
      send: ({ body, headers, method, url }: HookRequest) =>
        Effect.map(
          deploy.send(method, new URL(url).pathname, { token: undefined, raw: body, headers }),
          ({ json, status, text }) => {
            received.push([url.split("/").at(-1), status, json?.outcome])
            return { status, headers: {}, body: text }
          }
        )
    }
    const forge = yield* startForge()
    yield* forge.user("bob")
    yield* forge.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site", auto_init: true } })
    const hook = (provider: string, signedWith: string) => {
      const url = `https://${provider}.deploy.example/api/v1/applications/${provider === "gitlab" ? signedAlone : uuid}/webhooks/${provider}`
      const config = { url, content_type: "json", secret: signedWith }
      return forge.ask(201, "POST", "/repos/bob/site/hooks", {
        ...bob,
        body: { type: "gitea", active: true, events: ["push"], config }
      })
    }
    yield* hook("gitea", secret)
    yield* hook("github", secret)
    yield* hook("gitea", "another")
    yield* hook("gitlab", secret)
    yield* hook("gitlab", "another")
    const content = { content: "aGk=", message: "Say hi", branch: "main" }
    const { commit } = yield* forge.ask(201, "POST", "/repos/bob/site/contents/a.txt", { ...bob, body: content })
    yield* forge.within(Effect.provideService(HookWork.runDue, HookSender, sender))
    expect(
      received
        .filter(([, status]) => status === 401)
        .map(([provider]) => provider)
        .toSorted()
    ).toEqual(["gitea", "gitlab"])
    const ofGitLab = received.filter(([provider, status]) => provider === "gitlab" && status !== 401)
    expect(ofGitLab).toEqual([["gitlab", 200, "ignored"]])
    // The second one has a valid signature over the same payload.
    const read = received.filter(([provider, status]) => provider !== "gitlab" && status !== 401)
    expect(read.map(([, status, said]) => [status, said]).toSorted()).toEqual([
      [200, "queued"],
      [409, undefined]
    ])
    const { deployments } = yield* deploy.ask(200, "GET", `/deployments/applications/${uuid}`)
    expect(deployments[0]).toMatchObject({ commit: commit.sha })
  })
)
