import { BadgeSlug } from "@slipway/domain/forge/identity"
import { Notices, Tasks, tasks } from "@slipway/forge/background"
import { Entry } from "@slipway/forge/entry"
import { Badges, SshKeys } from "@slipway/forge/identity"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { largestPage, number, ofUser, print } from "./rows.ts"
import { onStore } from "./store.ts"

const userName = Argument.String("user").pipe(Argument.withDescription("The name of the user"))
const slug = Argument.String("badge").pipe(Argument.withDescription("The slug of the badge"))

const badgeList = Command.make("list", { user: ofUser }, ({ user }) =>
  Effect.gen(function* () {
    const { rows } = Option.isSome(user)
      ? yield* Badges.ofUser(Entry.system("admin.user.badge.list"), user.value, largestPage)
      : yield* Badges.list(Entry.system("admin.badge.list"), largestPage)
    yield* print(rows.map(({ description, slug }) => [slug, description]))
  }).pipe(onStore)
).pipe(Command.withDescription("List badges of the site or a user: slug, description; tab-separated"))

const badgeCreate = Command.make(
  "create",
  {
    slug: slug.pipe(Argument.withSchema(BadgeSlug)),
    description: Flag.String("description").pipe(Flag.withDescription("The description"), Flag.withDefault("")),
    imageUrl: Flag.String("image-url").pipe(Flag.withDescription("The address of the image"), Flag.withDefault(""))
  },
  (badge) =>
    Badges.create(Entry.system("admin.badge.create"), badge).pipe(
      Effect.tap(({ slug }) => Console.log(`created the badge ${slug}`)),
      onStore
    )
).pipe(Command.withDescription("Create a badge"))

const badgeDelete = Command.make("delete", { slug }, ({ slug }) =>
  Badges.remove(Entry.system("admin.badge.delete"), slug).pipe(
    Effect.tap(() => Console.log(`deleted the badge ${slug}`)),
    onStore
  )
).pipe(Command.withDescription("Delete a badge and remove it from users"))

const badgeGive = Command.make("give", { slug, user: userName }, ({ slug, user }) =>
  Badges.give(Entry.system("admin.user.badge.add"), user, [slug]).pipe(
    Effect.tap(({ name }) => Console.log(`granted ${slug} to ${name}`)),
    onStore
  )
).pipe(Command.withDescription("Give a badge to a user"))

const badgeTake = Command.make("take", { slug, user: userName }, ({ slug, user }) =>
  Badges.take(Entry.system("admin.user.badge.remove"), user, [slug]).pipe(
    Effect.tap(({ name }) => Console.log(`removed ${slug} from ${name}`)),
    onStore
  )
).pipe(Command.withDescription("Remove a badge from a user"))

/** The commands for badges. */
export const badge = Command.make("badge").pipe(
  Command.withDescription("Badges"),
  Command.withSubcommands([badgeList, badgeCreate, badgeDelete, badgeGive, badgeTake])
)

const cronList = Command.make("list", {}, () =>
  Tasks.plan(tasks).pipe(
    Effect.andThen(Tasks.list(Entry.system("admin.cron.list"))),
    Effect.flatMap((all) =>
      print(all.map(({ begunAt, dueAt, name, runs, schedule }) => [name, schedule, dueAt, begunAt ?? "", runs]))
    ),
    onStore
  )
).pipe(
  Command.withDescription("List scheduled tasks: name, schedule, next run, last run, number of runs; tab-separated")
)

const cronRun = Command.make(
  "run",
  { task: Argument.String("task").pipe(Argument.withDescription("The name of the task")) },
  ({ task }) =>
    Tasks.plan(tasks).pipe(
      Effect.andThen(Tasks.start(Entry.system("admin.cron.run"), task)),
      Effect.tap(() => Console.log(`${task} is due: the service starts it within seconds`)),
      onStore
    )
).pipe(Command.withDescription("Run a scheduled task now"))

/** The commands for scheduled tasks. */
export const cron = Command.make("cron").pipe(
  Command.withDescription("Scheduled tasks"),
  Command.withSubcommands([cronList, cronRun])
)

const noticeList = Command.make("list", {}, () =>
  Notices.list(Entry.system("admin.notice.list"), largestPage).pipe(
    Effect.flatMap(({ rows }) => print(rows.map(({ createdAt, id, text }) => [id, createdAt, text]))),
    onStore
  )
).pipe(Command.withDescription("List notices of failing work: number, time, text; tab-separated"))

const noticeRemove = Command.make("remove", { id: number("notice") }, ({ id }) =>
  Notices.remove(Entry.system("admin.notice.remove"), id).pipe(
    Effect.tap((was) => Console.log(was ? `removed the notice ${id}` : `there is no notice ${id}`)),
    onStore
  )
).pipe(Command.withDescription("Remove a notice"))

/** The commands for administrator notices. */
export const notice = Command.make("notice").pipe(
  Command.withDescription("Manage notices of failing work"),
  Command.withSubcommands([noticeList, noticeRemove])
)

const keyAdd = Command.make(
  "add",
  {
    user: userName,
    key: Argument.String("key").pipe(
      Argument.withDescription("The public key, as in id_ed25519.pub"),
      Argument.withSchema(Schema.NonEmptyString)
    ),
    title: Flag.String("title").pipe(Flag.withDescription("Title of the key"), Flag.withDefault("cli"))
  },
  ({ key, title, user }) =>
    SshKeys.addFor(Entry.system("admin.user.key.create"), user, { title, key }).pipe(
      Effect.tap(({ key }) => Console.log(`added the key ${key.id}: ${key.fingerprint}`)),
      onStore
    )
).pipe(Command.withDescription("Add a public key to a user"))

const keyRemove = Command.make("remove", { user: userName, id: number("key") }, ({ id, user }) =>
  SshKeys.removeFor(Entry.system("admin.user.key.delete"), user, id).pipe(
    Effect.tap(() => Console.log(`removed the key ${id}`)),
    onStore
  )
).pipe(Command.withDescription("Remove a public key of a user"))

/** The commands for the public keys of users. */
export const key = Command.make("key").pipe(
  Command.withDescription("Manage public keys of users"),
  Command.withSubcommands([keyAdd, keyRemove])
)
