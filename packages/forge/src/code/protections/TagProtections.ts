import { now } from "@slipway/domain"
import type { AllowedPeople, Repository, TagProtection } from "@slipway/domain/forge/code"
import { longestPattern, ProtectionStore, problemOfPattern } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import {
  lockRepository,
  namesOfPeople,
  type PeopleInput,
  ProtectionInvalid,
  ProtectionNotFound,
  peopleNamed,
  peopleReplaced
} from "./people.ts"

/** The maximum number of tag protections of a repository. */
export const mostTagProtections = 100

/** The fields of a tag protection in a request. When a protection is changed, omitted fields stay unchanged. */
export interface TagRulesInput extends PeopleInput {
  readonly namePattern?: string | undefined
}

type Writing = Proof<"repository.tag-protection.create" | "repository.tag-protection.edit">

const wrongPattern = (problem: string) => new ProtectionInvalid({ field: "namePattern", problem })

const allowedIn = Effect.fnUntraced(function* (
  proof: Writing,
  before: AllowedPeople,
  { namePattern, ...people }: TagRulesInput
) {
  const { actor, repository } = proof.resource
  if (namePattern !== undefined && (namePattern === "" || namePattern.length > longestPattern)) {
    return yield* wrongPattern(`must have 1 to ${longestPattern} characters`)
  }
  const problem = namePattern === undefined ? undefined : problemOfPattern(namePattern)
  if (problem !== undefined) return yield* wrongPattern(problem)
  const named = (yield* peopleNamed(actor, repository, { tag: people }))("tag")
  return (yield* peopleReplaced(actor, repository, [before]))(before, named)
})

const findProtection = Effect.fnUntraced(function* (
  store: ProtectionStore["Service"],
  repository: Repository,
  id: number
) {
  return (yield* store.tag(repository.id, id)) ?? (yield* new ProtectionNotFound({ name: String(id) }))
})

/** Reads the names of the users and teams in tag protections; those hidden from the actor are omitted. */
export const namesIn = ({ actor, repository }: Writing["resource"], protections: ReadonlyArray<TagProtection>) =>
  namesOfPeople(
    actor,
    repository,
    protections.map(({ allowed }) => allowed)
  )

/** Lists the tag protections of a repository by id. */
export const list = Effect.fnUntraced(function* ({
  resource: { repository }
}: Proof<"repository.tag-protection.list">) {
  return yield* (yield* ProtectionStore).tags(repository.id)
})

/** Reads a tag protection. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.tag-protection.read">,
  id: number
) {
  return yield* findProtection(yield* ProtectionStore, repository, id)
})

const eventDetails = ({ id, namePattern }: TagProtection) => ({ details: { rule: namePattern, id } })
const taken = (namePattern: string) => () => wrongPattern(`\`${namePattern}\` is taken`)

/** Creates a tag protection for a tag name or a glob pattern. */
export const create = audited(
  Effect.fnUntraced(function* (
    proof: Proof<"repository.tag-protection.create">,
    input: TagRulesInput & { readonly namePattern: string }
  ) {
    const { repository } = proof.resource
    const store = yield* lockRepository(repository)
    if ((yield* store.tags(repository.id)).length >= mostTagProtections) {
      return yield* wrongPattern(`a repository has at most ${mostTagProtections} of them`)
    }
    const { namePattern } = input
    const allowed = yield* allowedIn(proof, { users: [], teams: [] }, input)
    const at = yield* now
    return yield* store
      .insertTag({ repositoryId: repository.id, namePattern, allowed, createdAt: at, updatedAt: at })
      .pipe(Effect.mapError(taken(namePattern)))
  }),
  (rule) => eventDetails(rule)
)

/** Changes the given fields of a tag protection. */
export const edit = audited(
  Effect.fnUntraced(function* (proof: Proof<"repository.tag-protection.edit">, id: number, input: TagRulesInput) {
    const { repository } = proof.resource
    const store = yield* lockRepository(repository)
    const before = yield* findProtection(store, repository, id)
    const after: TagProtection = {
      ...before,
      namePattern: input.namePattern ?? before.namePattern,
      allowed: yield* allowedIn(proof, before.allowed, input),
      updatedAt: yield* now
    }
    yield* Effect.mapError(store.replaceTag(after), taken(after.namePattern))
    return after
  }),
  (rule) => eventDetails(rule)
)

/** Deletes a tag protection. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.tag-protection.delete">, id: number) {
    const store = yield* lockRepository(repository)
    const protection = yield* findProtection(store, repository, id)
    yield* store.removeTag(repository.id, protection.id)
    return protection
  }),
  (rule) => eventDetails(rule)
)
