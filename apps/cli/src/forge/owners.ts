import { visibilities } from "@slipway/access"
import { OwnerName } from "@slipway/domain/forge/base"
import { RepositoryName } from "@slipway/domain/forge/code"
import { Repositories, Unadopted } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { Organizations } from "@slipway/forge/identity"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everything, ofUser, print } from "./rows.ts"
import { onStore } from "./store.ts"

const organizationList = Command.make("list", { user: ofUser }, ({ user }) =>
  Option.match(user, {
    onNone: () => Organizations.listAll(Entry.system("admin.organization.list"), everything),
    onSome: (name) => Organizations.ofAnyUser(Entry.system("admin.user.organization.list"), name, everything)
  }).pipe(
    Effect.flatMap(({ rows }) =>
      print(rows.map(({ fullName, id, name, visibility }) => [id, name, visibility, fullName]))
    ),
    onStore
  )
).pipe(
  Command.withDescription(
    "List organizations, or those of a user: number, name, visibility and full name, with tabs between"
  )
)

const organizationCreate = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the new organization"),
      Argument.withSchema(OwnerName)
    ),
    owner: Flag.String("owner").pipe(Flag.withDescription("The user who owns it")),
    fullName: Flag.String("full-name").pipe(Flag.withDescription("The full name"), Flag.withDefault("")),
    visibility: Flag.Literals("visibility", visibilities).pipe(
      Flag.withDescription("Who sees the organization"),
      Flag.withDefault("public")
    )
  },
  ({ owner, ...organization }) =>
    Organizations.createFor(Entry.system("admin.user.organization.create"), owner, organization).pipe(
      Effect.tap(({ id, name }) => Console.log(`founded the organization ${id}: ${name}`)),
      onStore
    )
).pipe(Command.withDescription("Found an organization that a user owns"))

/** The commands for organizations. */
export const organization = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([organizationList, organizationCreate])
)

const repositoryCreate = Command.make(
  "create",
  {
    owner: Argument.String("owner").pipe(Argument.withDescription("The user whose it is to be")),
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the new repository"),
      Argument.withSchema(RepositoryName)
    ),
    description: Flag.String("description").pipe(Flag.withDescription("What it is about"), Flag.withDefault("")),
    private: Flag.Boolean("private").pipe(
      Flag.withDescription("Show it to those alone whom it is shared with"),
      Flag.withDefault(false)
    ),
    init: Flag.Boolean("init").pipe(Flag.withDescription("Begin with a README"), Flag.withDefault(false))
  },
  ({ init, owner, ...repository }) =>
    Repositories.createFor(Entry.system("admin.user.repository.create"), owner, { ...repository, autoInit: init }).pipe(
      Effect.tap(({ repository: { id, name } }) => Console.log(`made the repository ${id}: ${owner}/${name}`)),
      onStore
    )
).pipe(Command.withDescription("Make a repository of a user"))

/** The command for repositories. */
export const repository = Command.make("repository").pipe(
  Command.withDescription("Repositories"),
  Command.withSubcommands([repositoryCreate])
)

const unadoptedList = Command.make("list", {}, () =>
  Unadopted.list(Entry.system("admin.unadopted.list"), "", everything).pipe(
    Effect.flatMap(({ rows }) => print(rows.map((name) => [name]))),
    onStore
  )
).pipe(Command.withDescription("List the git repositories that wait on the disk, as owner/name"))

const which = {
  owner: Argument.String("owner").pipe(Argument.withDescription("Whose it is to be")),
  name: Argument.String("name").pipe(Argument.withDescription("The name of the repository"))
}

const adopt = Command.make("adopt", which, (named) =>
  Unadopted.adopt(Entry.system("admin.unadopted.adopt"), named).pipe(
    Effect.tap(() => Console.log(`adopted ${named.owner}/${named.name}, private for now`)),
    onStore
  )
).pipe(Command.withDescription("Make a private repository of a git repository that waits"))

const unadoptedDelete = Command.make("delete", which, (named) =>
  Unadopted.remove(Entry.system("admin.unadopted.delete"), named).pipe(
    Effect.tap(() => Console.log(`deleted what waited as ${named.owner}/${named.name}`)),
    onStore
  )
).pipe(Command.withDescription("Delete a git repository that waits"))

/** The commands for git repositories on the disk that no repository belongs to. */
export const unadopted = Command.make("unadopted").pipe(
  Command.withDescription("Git repositories on the disk that no repository belongs to"),
  Command.withSubcommands([unadoptedList, adopt, unadoptedDelete])
)
