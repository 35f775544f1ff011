import { makeSecret, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import { SettingsStore } from "@slipway/domain/deploy/administration"
import type { Environment, Project } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { type Account, AccountNameTaken, AccountStore, AccountUuid } from "@slipway/domain/deploy/identity"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { CommonPasswords, newPasswordProblem, PasswordHasher } from "@slipway/domain/sign-in"
import { Data, Effect, Redacted } from "effect"
import * as Environments from "./apps/projects/Environments.ts"
import * as Projects from "./apps/projects/Projects.ts"
import * as Tokens from "./identity/tokens/Tokens.ts"
import * as Servers from "./infrastructure/servers/Servers.ts"

/** The resources that the first start creates. `token` is undefined if the operator configured a token. */
export interface Prepared {
  readonly project: Project
  readonly environment: Environment | undefined
  readonly server: Server
  readonly token: Redacted.Redacted | undefined
}

/** The error at startup if the secrets of this instance were encrypted with a different key than the configured one. */
export class OtherKey extends Data.TaggedError("OtherKey") {}

const keyCheck = { uuid: "instance", field: "key_check" } as const

/**
 * Prepares a new instance: creates a project with an environment `production`, a server `localhost`, and a token with
 * all abilities.
 *
 * Returns the created resources, or undefined on later starts. A token that the operator configured is valid after
 * every start. Fails without changes if the key differs from the one that encrypted the instance's secrets.
 */
export const prepare = Effect.fnUntraced(function* (chosen: Redacted.Redacted | undefined) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const settings = yield* SettingsStore
      // Of two processes that start together, one prepares and the other finds it done.
      const present = yield* settings.lock
      const vault = yield* Vault
      const sealed = present?.keyCheck ?? null
      if (sealed !== null) yield* Effect.mapError(vault.tryOpen(keyCheck, sealed), () => new OtherKey())
      if (chosen !== undefined) yield* Tokens.ensureChosen(system("token.create"), chosen)
      if (present !== undefined) return undefined
      const project = yield* Effect.orDie(
        Projects.create(system("project.create"), { name: "default", description: "" })
      )
      const [environment] = yield* Effect.orDie(Environments.list(system("environment.list", { project })))
      const server = yield* Effect.orDie(
        Servers.create(system("server.create"), {
          ...Servers.serverDefaults,
          name: "localhost",
          description: "the machine that Slipway runs on",
          ip: "127.0.0.1"
        })
      )
      const root = { name: "root", abilities: ["root"], expiresAt: null } as const
      const minted = chosen === undefined ? yield* Effect.orDie(Tokens.create(system("token.create"), root)) : undefined
      const check = yield* vault.seal(keyCheck, Redacted.make("opens"))
      const at = yield* now
      yield* settings.write({
        instanceDomains: "",
        isApiEnabled: true,
        isMcpEnabled: false,
        keyCheck: check,
        createdAt: at,
        updatedAt: at
      })
      return { project, environment, server, token: minted?.plain } satisfies Prepared
    })
  )
})

/** The root account that the operator configured; the password is generated if omitted. */
export interface ChosenRoot {
  readonly name: string
  readonly password?: Redacted.Redacted | undefined
}

/** The root account that the service created at startup. `password` is set only if the service generated it. */
export interface PreparedRoot {
  readonly account: Account
  readonly password: Redacted.Redacted | undefined
  /** Whether the password is too weak for the password rules of ordinary accounts. */
  readonly isWeak: boolean
}

/**
 * Creates a root account with a password if the instance has none, usually at its first start. Otherwise returns
 * undefined.
 *
 * The operator may configure a short or common password. Fails if another account has the configured name.
 */
export const prepareRoot = Effect.fnUntraced(function* ({ name, password: chosen }: ChosenRoot) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      // Of two processes that start together, one creates the account and the other finds it.
      yield* (yield* SettingsStore).lock
      if ((yield* accounts.lockRoots).length > 0) return undefined
      const generated = chosen === undefined ? Redacted.make(yield* makeSecret) : undefined
      const password = generated ?? (chosen as Redacted.Redacted)
      const at = yield* now
      const uuid = yield* makeUuid(AccountUuid)
      const stamps = { lastSignInAt: null, createdAt: at, updatedAt: at }
      const row = { uuid, name, email: null, isRoot: true, isDisabled: false, ...stamps }
      const account = yield* Effect.mapError(accounts.insert(row), () => new AccountNameTaken({ name }))
      yield* accounts.setPasswordHash(uuid, yield* (yield* PasswordHasher).hash(password))
      const isWeak =
        newPasswordProblem(Redacted.value(password)) !== undefined || (yield* (yield* CommonPasswords).has(password))
      return { account, password: generated, isWeak } satisfies PreparedRoot
    })
  )
})
