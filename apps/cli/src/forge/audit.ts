import { Entry } from "@slipway/forge/entry"
import { Audit, Emails } from "@slipway/forge/identity"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { largestPage, print } from "./rows.ts"
import { onStore } from "./store.ts"

const auditList = Command.make(
  "list",
  {
    actor: Flag.String("actor").pipe(Flag.withDescription("The actor, by the name at that time"), Flag.optional),
    action: Flag.String("action").pipe(Flag.withDescription("The action, such as repository.delete"), Flag.optional)
  },
  ({ action, actor }) =>
    Audit.ofSite(
      Entry.system("admin.audit.list"),
      { actor: Option.getOrUndefined(actor), action: Option.getOrUndefined(action) },
      largestPage
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
    "List audit events, newest first: time, actor, action, outcome or rule, subject, details; tab-separated"
  )
)

/** The command for the audit log. */
export const audit = Command.make("audit").pipe(
  Command.withDescription("Read the audit log"),
  Command.withSubcommands([auditList])
)

const emailList = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Part of an address or a user name"), Flag.withDefault(""))
  },
  ({ search }) =>
    Emails.searchAll(Entry.system("admin.email.search"), search, largestPage).pipe(
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
).pipe(Command.withDescription("List email addresses: address, user, state; tab-separated"))

/** The command for the email addresses of users. */
export const email = Command.make("email").pipe(
  Command.withDescription("List email addresses of users"),
  Command.withSubcommands([emailList])
)
