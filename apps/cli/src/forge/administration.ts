import { BadgeSlug } from "@slipway/domain/forge/identity"
import { Notices, Tasks, tasks } from "@slipway/forge/background"
import { Entry } from "@slipway/forge/entry"
import { Badges, SshKeys } from "@slipway/forge/identity"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everything, number, ofUser, print } from "./rows.ts"
import { onStore } from "./store.ts"

const userName = Argument.String("user").pipe(Argument.withDescription("The name of the user"))
const slug = Argument.String("badge").pipe(Argument.withDescription("The word of the badge"))

const badgeList = Command.make("list", { user: ofUser }, ({ user }) =>
  Effect.gen(function* () {
    const { rows } = Option.isSome(user)
      ? yield* Badges.ofUser(Entry.system("admin.user.badge.list"), user.value, everything)
      : yield* Badges.list(Entry.system("admin.badge.list"), everything)
    yield* print(rows.map(({ description, slug }) => [slug, description]))
  }).pipe(onStore)
).pipe(Command.withDescription("List the badges of the site, or of a user: word and description, with a tab between"))

const badgeCreate = Command.make(
  "create",
  {
    slug: slug.pipe(Argument.withSchema(BadgeSlug)),
    description: Flag.String("description").pipe(Flag.withDescription("What it says"), Flag.withDefault("")),
    imageUrl: Flag.String("image-url").pipe(Flag.withDescription("The address of its picture"), Flag.withDefault(""))
  },
  (badge) =>
    Badges.create(Entry.system("admin.badge.create"), badge).pipe(
      Effect.tap(({ slug }) => Console.log(`made the badge ${slug}`)),
      onStore
    )
).pipe(Command.withDescription("Make a badge"))

const badgeDelete = Command.make("delete", { slug }, ({ slug }) =>
  Badges.remove(Entry.system("admin.badge.delete"), slug).pipe(
    Effect.tap(() => Console.log(`deleted the badge ${slug}`)),
    onStore
  )
).pipe(Command.withDescription("Delete a badge, also from those who have it"))

const badgeGive = Command.make("give", { slug, user: userName }, ({ slug, user }) =>
  Badges.give(Entry.system("admin.user.badge.add"), user, [slug]).pipe(
    Effect.tap(({ name }) => Console.log(`gave ${slug} to ${name}`)),
    onStore
  )
).pipe(Command.withDescription("Give a user a badge"))

const badgeTake = Command.make("take", { slug, user: userName }, ({ slug, user }) =>
  Badges.take(Entry.system("admin.user.badge.remove"), user, [slug]).pipe(
    Effect.tap(({ name }) => Console.log(`took ${slug} from ${name}`)),
    onStore
  )
).pipe(Command.withDescription("Take a badge from a user"))

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
  Command.withDescription(
    "List the scheduled tasks: name, schedule, when next, when last and how often, with tabs between"
  )
)

const cronRun = Command.make(
  "run",
  { task: Argument.String("task").pipe(Argument.withDescription("The name of the task")) },
  ({ task }) =>
    Tasks.plan(tasks).pipe(
      Effect.andThen(Tasks.start(Entry.system("admin.cron.run"), task)),
      Effect.tap(() => Console.log(`${task} is due: the service begins it within seconds`)),
      onStore
    )
).pipe(Command.withDescription("Make a scheduled task due at once"))

/** The commands for what the service does again and again. */
export const cron = Command.make("cron").pipe(
  Command.withDescription("Scheduled tasks"),
  Command.withSubcommands([cronList, cronRun])
)

const noticeList = Command.make("list", {}, () =>
  Notices.list(Entry.system("admin.notice.list"), everything).pipe(
    Effect.flatMap(({ rows }) => print(rows.map(({ createdAt, id, text }) => [id, createdAt, text]))),
    onStore
  )
).pipe(Command.withDescription("List what keeps failing: number, time and text, with tabs between"))

const noticeRemove = Command.make("remove", { id: number("notice") }, ({ id }) =>
  Notices.remove(Entry.system("admin.notice.remove"), id).pipe(
    Effect.tap((was) => Console.log(was ? `removed the notice ${id}` : `there is no notice ${id}`)),
    onStore
  )
).pipe(Command.withDescription("Remove a notice"))

/** The commands for what keeps failing. */
export const notice = Command.make("notice").pipe(
  Command.withDescription("What keeps failing"),
  Command.withSubcommands([noticeList, noticeRemove])
)

const keyAdd = Command.make(
  "add",
  {
    user: userName,
    key: Argument.String("key").pipe(
      Argument.withDescription("The public key, as a file such as id_ed25519.pub has it"),
      Argument.withSchema(Schema.NonEmptyString)
    ),
    title: Flag.String("title").pipe(Flag.withDescription("What the key is called"), Flag.withDefault("cli"))
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
).pipe(Command.withDescription("Take a public key from a user"))

/** The commands for the public keys of users. */
export const key = Command.make("key").pipe(
  Command.withDescription("Public keys of users"),
  Command.withSubcommands([keyAdd, keyRemove])
)
