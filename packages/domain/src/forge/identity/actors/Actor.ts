import { memoize, memoizeBy } from "../../../memoize.ts"
import { anonymous, scopeAsFacts } from "../../access/facts/defaultFacts.ts"
import type { CallerFacts } from "../../access/facts/facts.ts"
import { type Scope, scopeOf } from "../../access/facts/Scope.ts"
import type { AccessToken } from "../credentials/AccessToken.ts"
import type { SshKey } from "../keys/SshKey.ts"
import type { User } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** The credential type and the network address of a request; both empty for internal work of the service. */
export interface RequestCredential {
  readonly kind: "nothing" | "password" | "token" | "proxy" | "key" | "system"
  readonly address: string
}

/** The actor of a request: the user (with the user's permissions), and the credential that was used. */
export interface Actor extends Viewer {
  /** The user with the permissions that apply; undefined for an anonymous caller and for internal work. */
  readonly user: User | undefined
  /** The user who signed in, different from `user` if an administrator impersonates a user. */
  readonly signedInAs: User | undefined
  /** The access token that authenticated the request; undefined for other credentials. */
  readonly token: AccessToken | undefined
  /** The SSH key, if the request was authenticated with one; a request with a deploy key has no user. */
  readonly key?: SshKey | undefined
  readonly scope: Scope
  readonly via: RequestCredential
}

/** The fields of a user that access decisions use, with the names of the corresponding facts. */
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
  /**
   * Whether the actor is an actions job. The settings of the shared job account, such as `restricted`, then have no
   * effect.
   */
  readonly job?: boolean
}

/** Returns a cache key: a number that is equal for users with equal facts, so that they have equal permissions. */
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

/**
 * Returns the facts about a signed-in caller that access decisions use. Cached: callers with equal facts and scope get
 * the same object.
 */
export const callerFacts = (user: User, scope: Scope, how: Signing): CallerFacts => factsWithin(scope)(user, how)

/** The actor of a request without credentials. */
export const nobody: Actor = {
  facts: anonymous,
  userId: undefined,
  user: undefined,
  signedInAs: undefined,
  token: undefined,
  scope: scopeOf(["all"]),
  via: { kind: "nothing", address: "" }
}

/** Returns the acting user; only for actions that require sign-in, where a user always exists. */
export const signedInUser = ({ actor }: { readonly actor: Actor }): User => {
  if (actor.user === undefined) throw new Error("an action that needs a sign-in was allowed without one")
  return actor.user
}
