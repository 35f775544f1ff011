import { now } from "@slipway/domain"
import { labelOf } from "@slipway/domain/forge/automation"
import { Runners } from "@slipway/forge/automation"
import { Entry } from "@slipway/forge/entry"
import { Console, Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import { largestPage, number, print } from "./rows.ts"
import { onStore } from "./store.ts"

const id = number("runner")

const runnerList = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const at = yield* now
    const { rows } = yield* Runners.list(Entry.system("admin.actions.runner.list"), largestPage)
    yield* print(
      rows.map((runner) => [
        runner.id,
        runner.name,
        runner.labels.map(labelOf).join(","),
        Runners.stateOf(runner, at).online ? "online" : "offline",
        runner.disabled ? "disabled" : ""
      ])
    )
  }).pipe(onStore)
).pipe(Command.withDescription("List the site's runners: number, name, labels, state; tab-separated"))

const runnerToken = Command.make("token", {}, () =>
  Runners.createToken(Entry.system("admin.actions.runner.registration-token.create")).pipe(
    Effect.tap((token) => Console.log(Redacted.value(token))),
    onStore
  )
).pipe(Command.withDescription("Create the registration token of the site's runners; revokes the previous one"))

const switching = (word: "disable" | "enable", described: string) =>
  Command.make(word, { id }, ({ id }) =>
    Runners.edit(Entry.system("admin.actions.runner.edit"), id, { disabled: word === "disable" }).pipe(
      Effect.tap(() => Console.log(`${word}d the runner ${id}`)),
      onStore
    )
  ).pipe(Command.withDescription(described))

const runnerDelete = Command.make("delete", { id }, ({ id }) =>
  Runners.remove(Entry.system("admin.actions.runner.delete"), id).pipe(
    Effect.tap(() => Console.log(`deleted the runner ${id}`)),
    onStore
  )
).pipe(Command.withDescription("Delete a runner"))

/** The commands for the runners of the site. */
export const runner = Command.make("runner").pipe(
  Command.withDescription("Manage the site's runners"),
  Command.withSubcommands([
    runnerList,
    runnerToken,
    switching("disable", "Disable a runner: it gets no more jobs"),
    switching("enable", "Enable a runner: it gets jobs again"),
    runnerDelete
  ])
)
