import { nameKey, type StoredValues } from "@slipway/domain"
import { ownedKinds } from "@slipway/domain/forge"
import type { Job, Notice, TaskState } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type {
  AttachedKind,
  AttachedTo,
  Attachment,
  BranchProtection,
  CollaboratorLevel,
  IndexedFile,
  LfsLock,
  LfsObject,
  ObjectId,
  OwnerKey,
  Push,
  Repository,
  TagProtection
} from "@slipway/domain/forge/code"
import {
  type AvatarName,
  type Block,
  type Email,
  type Event,
  emails,
  type Organization,
  type OrganizationId,
  type OwnerId,
  type SecondFactor,
  type SshKey,
  type Team,
  type TeamId,
  type User,
  type UserId
} from "@slipway/domain/forge/identity"
import { Context, Layer } from "effect"
import { Database } from "../../Database.ts"
import { ownedTables } from "../../ownedStore.ts"
import { failureTable } from "../../sign-in/failures.ts"
import { Table } from "../../Table.ts"

/** A user without the values that are stored in other tables. */
export interface UserRow extends Omit<User, "email" | "secondFactor"> {
  readonly passwordHash: string | null
}

/** The id of a user or an organization. Both take their ids from one sequence. */
interface OwnerRow {
  readonly id: number
}

/** A name of a user or an organization. A former name redirects to the owner that had it last. */
export interface NameRow {
  readonly id: number
  readonly key: string
  readonly ownerId: OwnerId
  readonly current: boolean
}

/** An event with the key that makes it unique. */
export interface EventRow extends Event {
  readonly uniqueKey: string
}

/** A scheduled task, with the time when the lease of the process that claimed it expires. */
export interface TaskRow extends TaskState {
  readonly id: number
  readonly heldUntil: string | null
}

/** A user's membership in a team. */
export interface TeamMemberRow {
  readonly id: number
  readonly teamId: TeamId
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

interface PublicMembershipRow {
  readonly id: number
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** A repository without the values that are stored with its owner. */
export interface RepositoryRow extends Omit<Repository, "owner"> {
  readonly owner: OwnerKey
}

/** A name of a repository within its owner. A former name redirects to the repository. */
export interface RepositoryNameRow {
  readonly id: number
  readonly ownerId: OwnerId
  readonly key: string
  readonly repositoryId: RepositoryId
  readonly current: boolean
}

/** A team's grant on a repository. */
export interface TeamRepositoryRow {
  readonly id: number
  readonly teamId: TeamId
  readonly repositoryId: RepositoryId
}

interface CollaboratorRow {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly userId: UserId
  readonly level: CollaboratorLevel
}

// BOUNDARY: the rows of a kind are those that its declaration describes.
/** Casts a row of the table of email addresses to the type `Email`. */
export const asEmail = (row: StoredValues) => row as unknown as Email

/** A follow of one user by another. */
export interface FollowRow {
  readonly id: number
  readonly follower: UserId
  readonly followed: UserId
}

/** The state of the index of code search for a repository. */
export interface CodeIndexRow {
  readonly id: number
  readonly repositoryId: RepositoryId
  /** The number of the latest update. */
  readonly run: number
  readonly begunAt: string
  /** The start of the last completed update. */
  readonly indexedAt: string | null
  readonly commit: ObjectId | null
  readonly incomplete: boolean
}

/** A file in the index of code search. */
export interface CodeFileRow extends IndexedFile {
  readonly id: number
  readonly repositoryId: RepositoryId
}

interface BlockRow extends Block {
  readonly id: number
}

interface FactorRow extends SecondFactor {
  readonly id: number
}

interface RecoveryRow {
  readonly id: number
  readonly userId: UserId
  readonly hash: string
}

interface AvatarRow {
  readonly id: number
  readonly name: AvatarName
  /** The image in base64, because rows are immutable values. */
  readonly picture: string
}

// Joins a list into a text without ambiguity between its parts.
const joined = (...parts: ReadonlyArray<string | number>): string => JSON.stringify(parts)

/** Returns the key of two users, or of a user and a text. */
export const pairKey = joined

/** Returns the key of a resource that can have attachments, such as an issue or a release. */
export const attachedKey = ({ id, kind }: Pick<AttachedTo, "id" | "kind">): string => `${kind} ${id}`

const makeTables = () => {
  const user = new Table<UserRow>("user", [{ of: "user.id", key: (row) => String(row.id) }])
  const owner = new Table<OwnerRow>("owner", [{ of: "owner.id", key: (row) => String(row.id) }])
  const organization = new Table<Organization>("organization", [
    { of: "organization.id", key: (row) => String(row.id) }
  ])
  const name = new Table<NameRow>("name", [{ of: "owner.name", key: (row) => row.key }])
  const follow = new Table<FollowRow>("follow", [{ of: "follow", key: (row) => joined(row.follower, row.followed) }])
  const block = new Table<BlockRow>("block", [{ of: "block", key: (row) => joined(row.blocker, row.blocked) }])
  const factor = new Table<FactorRow>("factor", [{ of: "factor", key: (row) => String(row.userId) }])
  const recovery = new Table<RecoveryRow>("recovery", [{ of: "recovery", key: (row) => joined(row.userId, row.hash) }])
  const failure = failureTable()

  const event = new Table<EventRow>("event", [{ of: "event", key: (row) => row.uniqueKey }])
  const job = new Table<Job>("job", [{ of: "job.id", key: (row) => String(row.id) }])
  const task = new Table<TaskRow>("task", [{ of: "task.name", key: (row) => row.name }])
  const notice = new Table<Notice>("notice", [{ of: "notice", key: (row) => row.text }])
  const team = new Table<Team>("team", [
    { of: "team.id", key: (row) => String(row.id) },
    { of: "team.name", key: (row) => joined(row.organizationId, nameKey(row.name)) }
  ])
  const teamMember = new Table<TeamMemberRow>("teamMember", [
    { of: "teamMember", key: (row) => joined(row.teamId, row.userId) }
  ])
  const publicMembership = new Table<PublicMembershipRow>("publicMembership", [
    { of: "publicMembership", key: (row) => joined(row.organizationId, row.userId) }
  ])
  const repository = new Table<RepositoryRow>("repository", [
    { of: "repository.id", key: (row) => String(row.id) },
    { of: "repository.name", key: (row) => joined(row.owner.id, nameKey(row.name)) }
  ])
  const repositoryName = new Table<RepositoryNameRow>("repositoryName", [
    { of: "repository.name", key: (row) => joined(row.ownerId, row.key) }
  ])
  const teamRepository = new Table<TeamRepositoryRow>("teamRepository", [
    { of: "teamRepository", key: (row) => joined(row.teamId, row.repositoryId) }
  ])
  const collaborator = new Table<CollaboratorRow>("collaborator", [
    { of: "collaborator", key: (row) => joined(row.repositoryId, row.userId) }
  ])

  const attachment = new Table<Attachment>("attachment", [{ of: "attachment.uuid", key: (row) => row.uuid }])
  const branchProtection = new Table<BranchProtection>("branchProtection", [
    { of: "branchProtection.ruleName", key: (row) => joined(row.repositoryId, row.ruleName) }
  ])
  const tagProtection = new Table<TagProtection>("tagProtection", [
    { of: "tagProtection.namePattern", key: (row) => joined(row.repositoryId, row.namePattern) }
  ])
  const lfsObject = new Table<LfsObject & { readonly id: number }>("lfsObject", [
    { of: "lfsObject", key: (row) => joined(row.repositoryId, row.oid) }
  ])
  const lfsLock = new Table<LfsLock>("lfsLock", [
    { of: "lfsLock.path", key: (row) => joined(row.repositoryId, row.path) }
  ])
  const codeIndex = new Table<CodeIndexRow>("codeIndex", [{ of: "codeIndex", key: (row) => String(row.repositoryId) }])
  const codeFile = new Table<CodeFileRow>("codeFile", [
    { of: "codeFile.path", key: (row) => joined(row.repositoryId, row.path) }
  ])
  const push = new Table<Push>("push", [{ of: "push.id", key: (row) => String(row.id) }])
  const sshKey = new Table<SshKey>("sshKey", [{ of: "sshKey.fingerprint", key: (row) => row.fingerprint }])
  const userOfKey = ({ holder }: SshKey) => (holder.kind === "user" ? String(holder.userId) : null)
  const repositoryOfKey = ({ holder }: SshKey) => (holder.kind === "repository" ? String(holder.repositoryId) : null)
  const avatar = new Table<AvatarRow>("avatar", [{ of: "avatar.name", key: (row) => row.name }])

  user.refer((row) => String(row.id), owner, "removes")
  organization.refer((row) => String(row.id), owner, "removes")
  name.refer((row) => String(row.ownerId), owner, "removes")
  block.refer((row) => String(row.blocker), owner, "removes")
  block.refer((row) => String(row.blocked), user, "removes")
  attachment.refer((row) => String(row.to.repositoryId), repository, "removes")
  team.refer((row) => String(row.organizationId), organization, "removes")
  teamMember.refer((row) => String(row.teamId), team, "removes")
  teamMember.refer((row) => String(row.userId), user, "removes")
  publicMembership.refer((row) => String(row.organizationId), organization, "removes")
  publicMembership.refer((row) => String(row.userId), user, "removes")
  repository.refer((row) => String(row.owner.id), owner, "refused")
  repositoryName.refer((row) => String(row.repositoryId), repository, "removes")
  teamRepository.refer((row) => String(row.teamId), team, "removes")
  teamRepository.refer((row) => String(row.repositoryId), repository, "removes")
  collaborator.refer((row) => String(row.repositoryId), repository, "removes")
  collaborator.refer((row) => String(row.userId), user, "removes")

  const ofRepository = (row: { readonly repositoryId: RepositoryId }) => String(row.repositoryId)
  branchProtection.refer(ofRepository, repository, "removes")
  tagProtection.refer(ofRepository, repository, "removes")
  lfsObject.refer(ofRepository, repository, "removes")
  lfsLock.refer(ofRepository, repository, "removes")
  codeIndex.refer(ofRepository, repository, "removes")
  codeFile.refer(ofRepository, repository, "removes")
  push.refer(ofRepository, repository, "removes")
  sshKey.refer(userOfKey, user, "removes")
  sshKey.refer(repositoryOfKey, repository, "removes")

  for (const each of [factor, recovery]) {
    each.refer((row: { readonly userId: UserId }) => String(row.userId), user, "removes")
  }
  follow.refer((row) => String(row.follower), user, "removes")
  follow.refer((row) => String(row.followed), user, "removes")

  const parents = new Map<string, Pick<typeof user, "name" | "has" | "referrers">>(
    [user, organization, team, repository].map((table) => [table.name, table])
  )
  const owned = ownedTables(ownedKinds, (kind) => parents.get(kind))
  const email = owned.get(emails.name)
  if (email === undefined) throw new Error("addresses have no table")
  const topicsByName = owned.get("repositoryTopic")?.rows.index({ key: ({ name }) => String(name) })
  const tableOf = (kind: AttachedKind) => {
    const table = owned.get(kind)?.rows
    if (table === undefined) throw new Error(`${kind} has no table`)
    attachment.refer(({ to }) => (to.kind === kind ? String(to.id) : null), table, "removes")
    return table
  }
  const attachedTables = { issue: tableOf("issue"), comment: tableOf("comment"), release: tableOf("release") }

  const ofUser = (row: { readonly userId: UserId }) => String(row.userId)
  return {
    owner,
    user,
    organization,
    name,
    email,
    follow,
    block,
    factor,
    recovery,
    failure,
    event,
    job,
    notice,
    task,
    owned,
    topicsByName,
    team,
    teamMember,
    publicMembership,
    repository,
    repositoryName,
    teamRepository,
    collaborator,
    attachedTables,
    attachment,
    avatar,
    attachmentsOf: attachment.index({ key: (row) => attachedKey(row.to) }),
    branchProtection,
    tagProtection,
    codeIndex,
    codeFile,
    push,
    sshKey,
    lfsObject,
    lfsLock,
    lfsLocksOf: lfsLock.index({ key: ofRepository }),
    branchProtectionsOf: branchProtection.index({ key: ofRepository }),
    tagProtectionsOf: tagProtection.index({ key: ofRepository }),
    codeFilesOf: codeFile.index({ key: ofRepository }),
    pushesOf: push.index({ key: ofRepository }),
    sshKeysOfUser: sshKey.index({ key: userOfKey }),
    sshKeysOfRepository: sshKey.index({ key: repositoryOfKey }),
    namesOf: name.index({ key: (row) => String(row.ownerId) }),
    teamsOf: team.index({ key: (row) => String(row.organizationId) }),
    membersOf: teamMember.index({ key: (row) => String(row.teamId) }),
    teamsOfUser: teamMember.index({ key: ofUser }),
    repositoriesOf: repository.index({ key: (row) => String(row.owner.id) }),
    namesOfRepository: repositoryName.index({ key: (row) => String(row.repositoryId) }),
    collaborationsOf: collaborator.index({ key: ofUser }),
    collaboratorsOf: collaborator.index({ key: (row) => String(row.repositoryId) }),
    recoveriesOfUser: recovery.index({ key: ofUser }),
    followers: follow.index({ key: (row) => String(row.followed) }),
    following: follow.index({ key: (row) => String(row.follower) }),
    blocksOf: block.index({ key: (row) => String(row.blocker) })
  }
}

/** The tables of the code hosting service and the database that holds their rows. */
export class Tables extends Context.Service<Tables, ReturnType<typeof makeTables> & { readonly database: Database }>()(
  "@slipway/memory/forge/Tables"
) {
  static readonly layer = Layer.sync(Tables, () => ({ ...makeTables(), database: new Database() }))
}
