import { type HookAnswer, type HookRequest, HookSender, HookUnsent } from "@slipway/domain"
import { HookWork } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { basic, type Service, start } from "./harness.ts"

/** The owner of the repository, and another user. */
export const bob = { headers: basic("bob") }
export const eve = { headers: basic("eve") }
/** The address of webhooks. */
export const receiver = "https://ci.example/hook"

type Answers = (request: HookRequest) => Partial<HookAnswer> | HookUnsent

/** A site where Bob has a repository, with receivers that answer as the test says. */
export const site = (answers: Answers = () => ({}), chosen: Parameters<typeof start>[0] = {}) =>
  Effect.gen(function* () {
    const api = yield* start(chosen)
    for (const name of ["bob", "eve"]) yield* api.user(name)
    yield* api.user("root", { admin: true })
    yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site", auto_init: true } })
    const sent: Array<HookRequest> = []
    const sender: (typeof HookSender)["Service"] = {
      send: (request) =>
        Effect.suspend(() => {
          sent.push(request)
          const answer = answers(request)
          return answer instanceof HookUnsent
            ? Effect.fail(answer)
            : Effect.succeed({ status: 200, headers: {}, body: "", ...answer })
        })
    }
    /** Distributes events and sends all due deliveries. */
    const deliver = api.within(Effect.provideService(HookWork.runDue, HookSender, sender))
    return { api, sent, deliver }
  })

/** The path of the repository. */
export const at = "/repos/bob/site"

/** Creates a webhook. */
export const hook = (api: Service, more: object = {}, to = `${at}/hooks`, as = bob) =>
  api.ask(201, "POST", to, {
    ...as,
    body: { type: "gitea", active: true, config: { url: receiver, content_type: "json" }, events: ["*"], ...more }
  })

/** Adds a file to the repository. */
export const file = (api: Service, path: string, branch = "main") =>
  api.ask(201, "POST", `${at}/contents/${path}`, { ...bob, body: { content: "aGk=", message: `Add ${path}`, branch } })
