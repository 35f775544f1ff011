import { now } from "@slipway/domain"
import {
  type Action,
  type Authorized,
  type Caller,
  factsAt,
  placeOfPlacement,
  policies
} from "@slipway/domain/deploy/entry"
import {
  AccountStore,
  type GrantPlace,
  type GrantUuid,
  type GroupUuid,
  type HeldGrant,
  ownerAccess,
  type Place,
  rootTeam,
  TeamStore,
  type Token,
  TokenStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { type ExplainedCheck, explanationOf } from "./explain.ts"
import { type MemberGrant, memberCaller, memberGrants } from "./memberGrants.ts"

/** A grant that allows an account to deploy. */
export interface DeployerGrant {
  readonly uuid: GrantUuid
  readonly groupUuid: GroupUuid | null
  readonly groupName: string | null
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  /** The name of the role. */
  readonly role: string
}

/** An account or a token that may deploy to a place, with the reasons. */
export interface Deployer {
  readonly type: "account" | "token"
  readonly uuid: string
  readonly name: string
  /** Whether its deployments wait for an approval, because the environment is protected. */
  readonly needsApproval: boolean
  /** Whether it is allowed as administrator of the instance, or as a token of the team itself. */
  readonly isInstanceOwner: boolean
  readonly grants: ReadonlyArray<DeployerGrant>
  /** The checks of the decision; see `Explanations`. */
  readonly steps: ReadonlyArray<ExplainedCheck>
}

const showGrant = ({ grant, group, role }: MemberGrant): DeployerGrant => ({
  uuid: grant.uuid,
  groupUuid: grant.groupUuid,
  groupName: group?.name ?? null,
  placeType: grant.placeType,
  placeUuid: grant.placeUuid,
  role
})

/** Returns the decision on a deployment by a caller at a place; undefined if it may not even request one. */
const deploymentBy = (caller: Caller, place: Place) => {
  const facts = factsAt(caller, true, place)
  const { allowed, steps } = explanationOf("application.deploy", facts)
  if (!allowed && !policies["application.deploy.request"].decide(facts).allowed) return undefined
  return { needsApproval: !allowed, steps }
}

/** Returns a token of a team as a caller. */
const tokenCaller = ({ abilities, projects, teamId, uuid }: Token): Caller => ({
  tokenUuid: uuid,
  abilities,
  accountUuid: null,
  access: ownerAccess(teamId, projects)
})

/** Returns whether a caller may perform an action at a place, also within the limits of its token. */
const permits = (caller: Caller, action: Action, place: Place): boolean =>
  [caller.access, caller.limitedBy ?? caller.access].every(
    (access) => policies[action].decide(factsAt({ ...caller, access }, true, place)).allowed
  )

/** Returns whether a grant is on a place itself, and not on its environment, project or team. */
const isGrantOn = ({ environment, project, resource }: Place, { placeUuid }: HeldGrant): boolean =>
  placeUuid === (resource ?? environment ?? project)

/**
 * Lists who may deploy to a place: accounts by the order of their membership, then tokens without an account.
 *
 * Omits what the caller may not read in the team: the tokens, and the grants above the place.
 */
const deployersAt = Effect.fnUntraced(function* (asking: Caller, place: Place) {
  const { teamId } = place
  const team = { teamId }
  const readsGrants = permits(asking, "grant.read", team)
  const [members, roots, grants, tokens] = yield* Effect.all([
    (yield* TeamStore).members(teamId),
    teamId === rootTeam ? (yield* AccountStore).roots : Effect.succeed([]),
    memberGrants(teamId),
    permits(asking, "token.read", team)
      ? Effect.flatMap(Effect.all([TokenStore, now]), ([store, at]) => store.withoutAccount(teamId, at))
      : Effect.succeed([])
  ])
  const isMember = new Set(members.map(({ uuid }) => uuid))
  const accounts = [...members, ...roots.filter(({ uuid }) => !isMember.has(uuid))]
  const ofAccounts = accounts.flatMap((account): ReadonlyArray<Deployer> => {
    if (account.isDisabled) return []
    const teams = isMember.has(account.uuid) ? [teamId] : []
    const all = grants.get(account.uuid) ?? []
    const decided = deploymentBy(memberCaller(account, teamId, { grants: all.map(({ held }) => held), teams }), place)
    if (decided === undefined) return []
    /** Decides with some of the grants, also for an administrator of the instance. */
    const decideBy = (some: ReadonlyArray<MemberGrant>) =>
      deploymentBy(memberCaller(account, teamId, { grants: some.map(({ held }) => held), teams, isRoot: false }), place)
    const byAll = decideBy(all)
    const matters = (grant: MemberGrant) =>
      decideBy([grant]) !== undefined ||
      decideBy(all.filter((each) => each !== grant))?.needsApproval !== byAll?.needsApproval
    return [
      {
        type: "account",
        uuid: account.uuid,
        name: account.name,
        isInstanceOwner: account.isRoot && teamId === rootTeam,
        grants: all.filter((grant) => (readsGrants || isGrantOn(place, grant.held)) && matters(grant)).map(showGrant),
        ...decided
      }
    ]
  })
  const ofTokens = tokens.flatMap((token): ReadonlyArray<Deployer> => {
    const decided = deploymentBy(tokenCaller(token), place)
    if (decided === undefined) return []
    return [{ type: "token", uuid: token.uuid, name: token.name, isInstanceOwner: true, grants: [], ...decided }]
  })
  return [...ofAccounts, ...ofTokens]
})

/** Lists the accounts and tokens that may deploy an application, and why. */
export const ofApplication = ({ resource }: Authorized<"application.deployer.list">) =>
  deployersAt(resource.caller, placeOfPlacement(resource.application.placement, resource.application.uuid))

/** Lists the accounts and tokens that may deploy to a whole environment, and why. */
export const ofEnvironment = ({
  resource: { caller, environment, project }
}: Authorized<"environment.deployer.list">) =>
  deployersAt(caller, {
    teamId: project.teamId,
    project: project.uuid,
    environment: environment.uuid,
    isProtected: environment.isProtected
  })
