import { visibilities } from "@slipway/access"
import { parseScopeWord, type ScopeWord } from "@slipway/domain/forge/access"
import { OwnerName } from "@slipway/domain/forge/base"
import { EmailAddress, type SeenUser } from "@slipway/domain/forge/identity"
import { UserRemoval } from "@slipway/forge/administration"
import { Entry } from "@slipway/forge/entry"
import { AccessTokens, AdminUsers, SecondFactors } from "@slipway/forge/identity"
import { Console, DateTime, Effect, Option, Record, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { userError } from "./failures.ts"
import { passwordFlag, withPassword } from "./passwords.ts"
import { onStore } from "./store.ts"

const existing = Argument.String("name").pipe(Argument.withDescription("The name of the user"))

const mustChange = Flag.Boolean("must-change-password").pipe(
  Flag.withDescription("Require a password change at the first sign-in"),
  Flag.withDefault(false)
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The name of the new user"),
      Argument.withSchema(OwnerName)
    ),
    email: Flag.String("email").pipe(
      Flag.withDescription("The email address of the new user"),
      Flag.withSchema(EmailAddress)
    ),
    fullName: Flag.String("full-name").pipe(Flag.withDescription("The full name"), Flag.withDefault("")),
    admin: Flag.Boolean("admin").pipe(
      Flag.withDescription("Make the user a site administrator"),
      Flag.withDefault(false)
    ),
    restricted: Flag.Boolean("restricted").pipe(
      Flag.withDescription("Restrict the user to their own organizations and repositories"),
      Flag.withDefault(false)
    ),
    visibility: Flag.Literals("visibility", visibilities).pipe(
      Flag.withDescription("Visibility of the user"),
      Flag.withDefault("public")
    ),
    mustChangePassword: mustChange,
    passwordStdin: passwordFlag
  },
  ({ passwordStdin, ...account }) =>
    withPassword(passwordStdin, (password) =>
      AdminUsers.create(Entry.system("admin.user.create"), { ...account, password })
    ).pipe(
      Effect.tap(({ id, name }) => Console.log(`created user ${id}: ${name}`)),
      onStore
    )
).pipe(
  Command.withDescription("Create a user"),
  Command.withExamples([
    {
      command: "slipway forge admin user create ann --email ann@example.com --admin",
      description: "Create a site administrator with a generated password"
    }
  ])
)

const pageSize = 500

const everyUser = Effect.gen(function* () {
  const users: Array<SeenUser> = []
  let after: string | undefined
  do {
    const { next, rows } = yield* AdminUsers.list(
      Entry.system("admin.user.list"),
      {},
      { page: 1, perPage: pageSize, after }
    )
    users.push(...rows)
    after = next
  } while (after !== undefined)
  return users
})

const stateOf = ({ active, admin, mustChangePassword, prohibited, restricted, secondFactor }: SeenUser) =>
  [
    admin ? "admin" : "",
    active ? "" : "inactive",
    prohibited ? "prohibited" : "",
    restricted ? "restricted" : "",
    mustChangePassword ? "must change password" : "",
    secondFactor ? "second factor" : ""
  ]
    .filter((word) => word !== "")
    .join(", ")

const list = Command.make(
  "list",
  {
    admin: Flag.Boolean("admin").pipe(Flag.withDescription("List administrators only"), Flag.withDefault(false)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON lines"), Flag.withDefault(false))
  },
  ({ admin, json }) =>
    everyUser.pipe(
      Effect.map((users) => users.filter((user) => !admin || user.admin)),
      Effect.flatMap((users) =>
        Effect.forEach(
          users,
          (user) =>
            Console.log(
              json
                ? JSON.stringify(user)
                : [String(user.id), user.name, user.email, user.visibility, stateOf(user)].join("\t")
            ),
          { discard: true }
        )
      ),
      onStore
    )
).pipe(Command.withDescription("List users: number, name, email address, visibility, state; tab-separated"))

const changePassword = Command.make(
  "change-password",
  {
    name: existing,
    mustChangePassword: mustChange,
    endTokens: Flag.Boolean("end-tokens").pipe(
      Flag.withDescription("Revoke the user's tokens as well"),
      Flag.withDefault(false)
    ),
    passwordStdin: passwordFlag
  },
  ({ endTokens, mustChangePassword, name, passwordStdin }) =>
    withPassword(passwordStdin, (password) =>
      AdminUsers.changePassword(Entry.system("admin.user.edit"), name, { password, mustChangePassword, endTokens })
    ).pipe(
      Effect.tap((user) => Console.log(`changed the password of ${user.name}`)),
      onStore
    )
).pipe(Command.withDescription("Set the password of a user"))

const scopesOf = (text: string) =>
  Effect.forEach(
    text.split(",").map((word) => word.trim()),
    (word): Effect.Effect<ScopeWord, ReturnType<typeof userError>> => {
      const known = parseScopeWord(word)
      return known === undefined ? Effect.fail(userError(`\`${word}\` is not a scope`)) : Effect.succeed(known)
    }
  )

const Instant = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Option.isSome(DateTime.make(text)) ? undefined : "must be a date and time, such as 2030-01-31T12:00:00Z"
  )
)

const token = Command.make(
  "token",
  {
    name: existing,
    tokenName: Flag.String("name").pipe(Flag.withDescription("Name of the token"), Flag.withDefault("cli")),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("Scopes, such as read:user,write:repository"),
      Flag.withDefault("all")
    ),
    expiresAt: Flag.String("expires-at").pipe(
      Flag.withDescription("Expiry time; default never"),
      Flag.withSchema(Instant),
      Flag.optional
    )
  },
  ({ expiresAt, name, scopes, tokenName }) =>
    Effect.flatMap(scopesOf(scopes), (words) =>
      AccessTokens.createFor(Entry.system("admin.user.edit"), name, {
        name: tokenName,
        scopes: words,
        expiresAt: Option.getOrNull(expiresAt)
      })
    ).pipe(
      Effect.tap(({ plain }) => Console.log(Redacted.value(plain))),
      onStore
    )
).pipe(Command.withDescription("Create an access token and print it once"))

const rename = Command.make(
  "rename",
  {
    name: existing,
    to: Argument.String("new-name").pipe(Argument.withDescription("The new name"), Argument.withSchema(OwnerName))
  },
  ({ name, to }) =>
    AdminUsers.rename(Entry.system("admin.user.rename"), name, to).pipe(
      Effect.tap(() => Console.log(`renamed ${name} to ${to}`)),
      onStore
    )
).pipe(Command.withDescription("Rename a user; the old name redirects"))

const remove = Command.make(
  "delete",
  {
    name: existing,
    purge: Flag.Boolean("purge").pipe(
      Flag.withDescription("Delete the user's repositories, packages and sole-owned organizations as well"),
      Flag.withDefault(false)
    )
  },
  ({ name, purge }) =>
    UserRemoval.remove(Entry.system("admin.user.delete"), name, purge).pipe(
      Effect.tap(() => Console.log(`deleted the user ${name}`)),
      onStore
    )
).pipe(Command.withDescription("Delete a user and their data"))

const standing = (name: string, described: string) =>
  Flag.Literals(name, ["yes", "no"] as const).pipe(Flag.withDescription(described), Flag.optional)

const edit = Command.make(
  "edit",
  {
    name: existing,
    email: Flag.String("email").pipe(
      Flag.withDescription("Another email address"),
      Flag.withSchema(EmailAddress),
      Flag.optional
    ),
    fullName: Flag.String("full-name").pipe(Flag.withDescription("Another full name"), Flag.optional),
    visibility: Flag.Literals("visibility", visibilities).pipe(
      Flag.withDescription("Visibility of the user"),
      Flag.optional
    ),
    admin: standing("admin", "Whether the user administers the site"),
    active: standing("active", "Whether the account is in use"),
    prohibited: standing("prohibited", "Whether the user may not sign in"),
    restricted: standing("restricted", "Whether the user sees only what they belong to"),
    mayCreateOrganizations: standing("create-organizations", "Whether the user may create organizations"),
    mayEditGitHooks: standing("git-hooks", "Whether the user may change git hooks"),
    maxRepositories: Flag.Int("max-repositories").pipe(
      Flag.withDescription("Maximum number of repositories; -1 for the site's limit"),
      Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(-1))),
      Flag.optional
    )
  },
  ({ active, admin, email, fullName, mayCreateOrganizations, mayEditGitHooks, maxRepositories, name, ...more }) => {
    const { prohibited, restricted, visibility } = more
    const words = { active, admin, mayCreateOrganizations, mayEditGitHooks, prohibited, restricted }
    const change = {
      ...(Option.isSome(maxRepositories) ? { maxRepositories: maxRepositories.value } : {}),
      ...Record.getSomes({ email, fullName, visibility }),
      ...Record.map(Record.getSomes(words), (word) => word === "yes")
    }
    return AdminUsers.edit(Entry.system("admin.user.edit"), name, change).pipe(
      Effect.tap((user) => Console.log(`changed the user ${user.name}`)),
      onStore
    )
  }
).pipe(Command.withDescription("Change fields of a user; omitted ones stay"))

const removeSecondFactor = Command.make("remove-second-factor", { name: existing }, ({ name }) =>
  SecondFactors.disableOf(Entry.system("admin.user.second-factor.delete"), name).pipe(
    Effect.tap(() => Console.log(`disabled the second factor of ${name}`)),
    onStore
  )
).pipe(Command.withDescription("Remove the second factor of a user"))

/** The commands for users of the forge. */
export const user = Command.make("user").pipe(
  Command.withDescription("Users"),
  Command.withSubcommands([create, list, edit, rename, changePassword, removeSecondFactor, token, remove])
)
