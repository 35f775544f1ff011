import { visibilities } from "@slipway/access"
import { OwnerName } from "@slipway/domain/forge/base"
import { RepositoryName } from "@slipway/domain/forge/code"
import { Repositories, Unadopted } from "@slipway/forge/code"
import { Entry } from "@slipway/forge/entry"
import { Organizations } from "@slipway/forge/identity"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { largestPage, ofUser, print } from "./rows.ts"
import { onStore } from "./store.ts"

const organizationList = Command.make("list", { user: ofUser }, ({ user }) =>
  Option.match(user, {
    onNone: () => Organizations.listAll(Entry.system("admin.organization.list"), largestPage),
    onSome: (name) => Organizations.ofAnyUser(Entry.system("admin.user.organization.list"), name, largestPage)
  }).pipe(
    Effect.flatMap(({ rows }) =>
      print(rows.map(({ fullName, id, name, visibility }) => [id, name, visibility, fullName]))
    ),
    onStore
  )
).pipe(
  Command.withDescription("List organizations, or those of a user: number, name, visibility, full name; tab-separated")
)

const organizationCreate = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the new organization"),
      Argument.withSchema(OwnerName)
    ),
    owner: Flag.String("owner").pipe(Flag.withDescription("The owner")),
    fullName: Flag.String("full-name").pipe(Flag.withDescription("The full name"), Flag.withDefault("")),
    visibility: Flag.Literals("visibility", visibilities).pipe(
      Flag.withDescription("Visibility of the organization"),
      Flag.withDefault("public")
    )
  },
  ({ owner, ...organization }) =>
    Organizations.createFor(Entry.system("admin.user.organization.create"), owner, organization).pipe(
      Effect.tap(({ id, name }) => Console.log(`created the organization ${id}: ${name}`)),
      onStore
    )
).pipe(Command.withDescription("Create an organization with an owner"))

/** The commands for organizations. */
export const organization = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([organizationList, organizationCreate])
)

const repositoryCreate = Command.make(
  "create",
  {
    owner: Argument.String("owner").pipe(Argument.withDescription("The owner of the new repository")),
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the new repository"),
      Argument.withSchema(RepositoryName)
    ),
    description: Flag.String("description").pipe(Flag.withDescription("The description"), Flag.withDefault("")),
    private: Flag.Boolean("private").pipe(Flag.withDescription("Make the repository private"), Flag.withDefault(false)),
    init: Flag.Boolean("init").pipe(
      Flag.withDescription("Create a first commit with a README"),
      Flag.withDefault(false)
    )
  },
  ({ init, owner, ...repository }) =>
    Repositories.createFor(Entry.system("admin.user.repository.create"), owner, { ...repository, autoInit: init }).pipe(
      Effect.tap(({ repository: { id, name } }) => Console.log(`created the repository ${id}: ${owner}/${name}`)),
      onStore
    )
).pipe(Command.withDescription("Create a repository of a user"))

/** The command for repositories. */
export const repository = Command.make("repository").pipe(
  Command.withDescription("Repositories"),
  Command.withSubcommands([repositoryCreate])
)

const unadoptedList = Command.make("list", {}, () =>
  Unadopted.list(Entry.system("admin.unadopted.list"), "", largestPage).pipe(
    Effect.flatMap(({ rows }) => print(rows.map((name) => [name]))),
    onStore
  )
).pipe(Command.withDescription("List unadopted git repositories, as owner/name"))

const which = {
  owner: Argument.String("owner").pipe(Argument.withDescription("The owner of the repository")),
  name: Argument.String("name").pipe(Argument.withDescription("The name of the repository"))
}

const adopt = Command.make("adopt", which, (named) =>
  Unadopted.adopt(Entry.system("admin.unadopted.adopt"), named).pipe(
    Effect.tap(() => Console.log(`adopted ${named.owner}/${named.name}, private for now`)),
    onStore
  )
).pipe(Command.withDescription("Adopt a git repository as a private repository"))

const unadoptedDelete = Command.make("delete", which, (named) =>
  Unadopted.remove(Entry.system("admin.unadopted.delete"), named).pipe(
    Effect.tap(() => Console.log(`deleted the unadopted repository ${named.owner}/${named.name}`)),
    onStore
  )
).pipe(Command.withDescription("Delete an unadopted git repository"))

/** The commands for unadopted git repositories. */
export const unadopted = Command.make("unadopted").pipe(
  Command.withDescription("Manage unadopted git repositories on the disk"),
  Command.withSubcommands([unadoptedList, adopt, unadoptedDelete])
)
