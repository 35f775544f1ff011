import { memoize, memoizeBy } from "../../../memoize.ts"
import { anonymous, scopeAsFacts } from "../../access/facts/defaultFacts.ts"
import type { CallerFacts } from "../../access/facts/facts.ts"
import { type Scope, scopeOf } from "../../access/facts/Scope.ts"
import type { AccessToken } from "../credentials/AccessToken.ts"
import type { SshKey } from "../keys/SshKey.ts"
import type { User } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** The credential of a request, and its address; empty for internal work of the service. */
export interface RequestCredential {
  readonly kind: "nothing" | "password" | "token" | "proxy" | "key" | "system"
  readonly address: string
}

/** The actor of a request. */
export interface Actor extends Viewer {
  /** The user with the deciding permissions; undefined for an anonymous caller and for internal work. */
  readonly user: User | undefined
  /** The user who signed in, different from `user` if an administrator impersonates a user. */
  readonly signedInAs: User | undefined
  /** The sent token, if any. */
  readonly token: AccessToken | undefined
  /** The SSH key, if one was used; a deploy key acts as no user. */
  readonly key?: SshKey | undefined
  readonly scope: Scope
  readonly via: RequestCredential
}

/** The fields of a user with the facts that decide their permissions. */
const userFlags = Object.entries({
  siteAdmin: "admin",
  restricted: "restricted",
  secondFactor: "secondFactor",
  active: "active",
  awaitsApproval: "awaitsApproval",
  prohibited: "prohibited",
  mustChangePassword: "mustChangePassword",
  mayCreateOrganizations: "mayCreateOrganizations",
  mayEditGitHooks: "mayEditGitHooks"
} as const satisfies { readonly [F in keyof CallerFacts]?: keyof User })

interface Signing extends Pick<CallerFacts, "withPassword" | "sudo"> {
  /** Whether an actions job acts, for which the state of its account has no effect. */
  readonly job?: boolean
}

/** Returns a number that is equal for users with equal facts. */
const likeness = (user: User, { job = false, sudo, withPassword }: Signing): number =>
  userFlags.reduce(
    (bits, [, flag]) => 2 * bits + Number(user[flag]),
    4 * Number(job) + 2 * Number(sudo) + Number(withPassword)
  )

const factsWithin = memoize(
  (scope: Scope) =>
    memoizeBy(
      likeness,
      (user, { job = false, sudo, withPassword }): CallerFacts => ({
        ...anonymous,
        signedIn: true,
        ...(job ? { actionsTask: true } : Object.fromEntries(userFlags.map(([fact, flag]) => [fact, user[flag]]))),
        withPassword,
        sudo,
        ...scopeAsFacts(scope)
      })
    ),
  1_000
)

/** Returns the facts about a signed-in caller; cached, so that callers with equal facts and scope share one object. */
export const callerFacts = (user: User, scope: Scope, how: Signing): CallerFacts => factsWithin(scope)(user, how)

/** A caller without credentials. */
export const nobody: Actor = {
  facts: anonymous,
  userId: undefined,
  user: undefined,
  signedInAs: undefined,
  token: undefined,
  scope: scopeOf(["all"]),
  via: { kind: "nothing", address: "" }
}

/** Returns the acting user, for an action that requires sign-in. */
export const signedInUser = ({ actor }: { readonly actor: Actor }): User => {
  if (actor.user === undefined) throw new Error("an action that needs a sign-in was allowed without one")
  return actor.user
}
