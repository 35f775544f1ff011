import { Entry } from "@slipway/forge/entry"
import { Audit, Emails } from "@slipway/forge/identity"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { everything, print } from "./rows.ts"
import { onStore } from "./store.ts"

const auditList = Command.make(
  "list",
  {
    actor: Flag.String("actor").pipe(Flag.withDescription("Who did it, by the name they had then"), Flag.optional),
    action: Flag.String("action").pipe(Flag.withDescription("What was done, such as repository.delete"), Flag.optional)
  },
  ({ action, actor }) =>
    Audit.ofSite(
      Entry.system("admin.audit.list"),
      { actor: Option.getOrUndefined(actor), action: Option.getOrUndefined(action) },
      everything
    ).pipe(
      Effect.flatMap(({ rows }) =>
        print(
          rows.map(({ action, actor, at, details, outcome, refusedBy, subject }) => [
            at,
            actor?.name ?? "",
            action,
            refusedBy ?? outcome,
            subject.name,
            JSON.stringify(details)
          ])
        )
      ),
      onStore
    )
).pipe(
  Command.withDescription(
    "List what was done and refused, newest first: time, who, action, outcome or the rule, about what, details, with tabs between"
  )
)

/** The command for what was done and refused. */
export const audit = Command.make("audit").pipe(
  Command.withDescription("What was done and refused"),
  Command.withSubcommands([auditList])
)

const emailList = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(
      Flag.withDescription("A part of the addresses, or of the names of their users"),
      Flag.withDefault("")
    )
  },
  ({ search }) =>
    Emails.searchAll(Entry.system("admin.email.search"), search, everything).pipe(
      Effect.flatMap(({ rows }) =>
        print(
          rows.map(({ address, primaryOf, userName, verified }) => [
            address,
            userName,
            [primaryOf === null ? "" : "primary", verified ? "" : "unconfirmed"]
              .filter((word) => word !== "")
              .join(", ")
          ])
        )
      ),
      onStore
    )
).pipe(Command.withDescription("List email addresses: address, user and state, with tabs between"))

/** The command for the email addresses of users. */
export const email = Command.make("email").pipe(
  Command.withDescription("Email addresses of users"),
  Command.withSubcommands([emailList])
)
