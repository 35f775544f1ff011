import type { LoadedAction, Target } from "@slipway/domain/forge/entry"
import { contentTypes, type HookEventWord, hookEventWords, hookTypes } from "@slipway/domain/forge/integrations"
import { Entry } from "@slipway/forge/entry"
import { HookDeliveries, Hooks } from "@slipway/forge/integrations"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { NetAddress } from "effect/net"
import { userError } from "./failures.ts"
import { readInput } from "./passwords.ts"
import { largestPage, number, print } from "./rows.ts"
import { onStore } from "./store.ts"

const id = number("webhook")
const states = ["on", "off"] as const

/** The scope of webhooks; the site by default. */
const place = {
  repository: Flag.String("repository").pipe(
    Flag.withDescription("The repository of the webhook, as owner/name"),
    Flag.optional
  ),
  organization: Flag.String("organization").pipe(
    Flag.withDescription("The organization of the webhook"),
    Flag.optional
  ),
  own: Flag.Boolean("own").pipe(Flag.withDescription("All repositories of the user in --as"), Flag.withDefault(false))
}
const asWhom = Flag.String("as").pipe(
  Flag.withDescription("The user who is responsible; needs permission for this, and deliveries need their read access")
)

interface HookTarget {
  readonly as: string
  readonly repository: Option.Option<string>
  readonly organization: Option.Option<string>
  readonly own: boolean
}

type Verb = "list" | "create" | "edit" | "delete" | `delivery.${"list" | "read" | "redeliver"}`

const enter = <A extends LoadedAction, K extends Target["kind"]>(as: string, action: A, about: Target<K>) =>
  Effect.flatMap(
    Entry.enterAs({ _tag: "ProxyUser", name: as }, { address: NetAddress.ipv4Unspecified }, about),
    // The table determines the resource type of an action, which the compiler cannot follow.
    (entered) => Entry.authorize(action, entered as never)
  )

/** Authenticates the user that the operator names, and authorizes them for the scope of the webhook. */
const allowed = Effect.fnUntraced(function* <V extends Verb>(
  verb: V,
  { as, organization, own, repository }: HookTarget
) {
  if (Option.isSome(repository)) {
    const [owner = "", name = ""] = repository.value.split("/")
    return yield* enter(as, `repository.hook.${verb}`, { kind: "repository", owner, repository: name })
  }
  if (Option.isSome(organization)) {
    return yield* enter(as, `organization.hook.${verb}`, {
      kind: "organization",
      organization: organization.value
    })
  }
  return yield* enter(as, own ? `account.hook.${verb}` : `admin.hook.${verb}`, { kind: "site" })
})

const hookList = Command.make("list", { as: asWhom, ...place }, (asked) =>
  allowed("list", asked).pipe(
    Effect.flatMap((proof) => Hooks.list(proof, largestPage)),
    Effect.flatMap(({ rows }) =>
      print(rows.map(({ active, id, reach, type, url }) => [id, reach, type, url, active ? "" : "off"]))
    ),
    onStore
  )
).pipe(Command.withDescription("List webhooks: number, reach, type, address, state; tab-separated"))

const isWord = (word: string): word is HookEventWord => hookEventWords.some((known) => known === word)

const eventsIn = (text: string) =>
  Effect.forEach(text.split(","), (part) => {
    const word = part.trim()
    return isWord(word) ? Effect.succeed(word) : Effect.fail(userError(`\`${word}\` is not an event`))
  })

const settings = {
  events: Flag.String("events").pipe(
    Flag.withDescription("Events, such as push,issues, or * for all; default push"),
    Flag.optional
  ),
  branchFilter: Flag.String("branch-filter").pipe(Flag.withDescription("A glob of branches"), Flag.optional),
  contentType: Flag.Literals("content-type", contentTypes).pipe(
    Flag.withDescription("Content type; default json"),
    Flag.optional
  ),
  state: Flag.Literals("state", states).pipe(Flag.withDescription("Enable or disable the webhook"), Flag.optional),
  secretStdin: Flag.Boolean("secret-stdin").pipe(
    Flag.withDescription("Read the secret from standard input"),
    Flag.withDefault(false)
  )
}

type Settings = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Flag.Flag<infer A> ? A : never }

const inputOf = Effect.fnUntraced(function* ({ branchFilter, contentType, events, secretStdin, state }: Settings) {
  return {
    events: Option.isSome(events) ? yield* eventsIn(events.value) : undefined,
    branchFilter: Option.getOrUndefined(branchFilter),
    contentType: Option.getOrUndefined(contentType),
    active: Option.isSome(state) ? state.value === "on" : undefined,
    secret: secretStdin ? yield* readInput : undefined
  }
})

const address = (described: string) => `The address that it is sent to${described}`

const hookCreate = Command.make(
  "create",
  {
    url: Argument.String("address").pipe(Argument.withDescription(address(""))),
    as: asWhom,
    ...place,
    type: Flag.Literals("type", hookTypes).pipe(
      Flag.withDescription("Type of the receiver"),
      Flag.withDefault("gitea")
    ),
    system: Flag.Boolean("system").pipe(
      Flag.withDescription("Send events of every repository, instead of copying the webhook to new repositories"),
      Flag.withDefault(false)
    ),
    ...settings
  },
  ({ system, type, url, ...asked }) =>
    Effect.gen(function* () {
      const { active = true, ...input } = yield* inputOf(asked)
      const proof = yield* allowed("create", asked)
      const { id } = yield* Hooks.create(proof, { ...input, active, system, type, url })
      yield* Console.log(`created the webhook ${id}`)
    }).pipe(onStore)
).pipe(
  Command.withDescription("Create a webhook of the site, a repository, an organization or a user"),
  Command.withExamples([
    {
      command: "slipway forge admin hook create https://ci.example/hook --as ann --repository acme/site --events push",
      description: "Send pushes to a repository while ann may administer it"
    }
  ])
)

const hookEdit = Command.make(
  "edit",
  {
    id,
    as: asWhom,
    ...place,
    url: Flag.String("address").pipe(Flag.withDescription(address(" from now on")), Flag.optional),
    ...settings
  },
  ({ id, url, ...asked }) =>
    Effect.gen(function* () {
      const input = yield* inputOf(asked)
      const proof = yield* allowed("edit", asked)
      yield* Hooks.edit(proof, id, { ...input, url: Option.getOrUndefined(url) })
      yield* Console.log(`changed the webhook ${id}`)
    }).pipe(onStore)
).pipe(Command.withDescription("Change a webhook; the user in --as becomes responsible"))

const hookDelete = Command.make("delete", { id, as: asWhom, ...place }, ({ id, ...asked }) =>
  allowed("delete", asked).pipe(
    Effect.flatMap((proof) => Hooks.remove(proof, id)),
    Effect.tap(() => Console.log(`deleted the webhook ${id}`)),
    onStore
  )
).pipe(Command.withDescription("Delete a webhook"))

const hookDeliveries = Command.make("deliveries", { id, as: asWhom, ...place }, ({ id, ...asked }) =>
  allowed("delivery.list", asked).pipe(
    Effect.flatMap((proof) => HookDeliveries.list(proof, id, largestPage)),
    Effect.flatMap(({ rows }) =>
      print(
        rows.map(({ answer, attempts, createdAt, event, id, reason, state }) => [
          id,
          createdAt,
          event,
          state,
          attempts,
          answer?.status ?? "",
          reason
        ])
      )
    ),
    onStore
  )
).pipe(
  Command.withDescription(
    "List deliveries, newest first: number, time, event, state, attempts, status, reason; tab-separated"
  )
)

const delivery = Argument.Int("delivery").pipe(Argument.withDescription("The number of the delivery"))

const hookDelivery = Command.make("delivery", { id, delivery, as: asWhom, ...place }, ({ delivery, id, ...asked }) =>
  allowed("delivery.read", asked).pipe(
    Effect.flatMap((proof) => HookDeliveries.read(proof, id, delivery)),
    Effect.flatMap(({ message: _, ...hook }) => Console.log(JSON.stringify(hook, undefined, 2))),
    onStore
  )
).pipe(Command.withDescription("Print a delivery and its response as JSON"))

const hookRedeliver = Command.make("redeliver", { id, delivery, as: asWhom, ...place }, ({ delivery, id, ...asked }) =>
  allowed("delivery.redeliver", asked).pipe(
    Effect.flatMap((proof) => HookDeliveries.redeliver(proof, id, delivery)),
    Effect.tap((again) => Console.log(`queued the redelivery ${again.id}`)),
    onStore
  )
).pipe(Command.withDescription("Send a delivery again"))

/** The commands for webhooks, executed as a user with their permissions. */
export const hook = Command.make("hook").pipe(
  Command.withDescription("Manage webhooks"),
  Command.withSubcommands([hookList, hookCreate, hookEdit, hookDelete, hookDeliveries, hookDelivery, hookRedeliver])
)
