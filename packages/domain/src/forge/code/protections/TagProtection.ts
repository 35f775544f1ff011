import { Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

import type { AllowedPeople } from "./BranchProtection.ts"

/** The schema of the id of a tag protection. */
export const TagProtectionId = Schema.Int.pipe(Schema.brand("TagProtectionId"))
export type TagProtectionId = typeof TagProtectionId.Type

/** A tag protection: only allowed users can create, move and delete the tags of a repository that match its pattern. */
export interface TagProtection {
  readonly id: TagProtectionId
  readonly repositoryId: RepositoryId
  /** The name of a tag, or a glob. */
  readonly namePattern: string
  readonly allowed: AllowedPeople
  readonly createdAt: string
  readonly updatedAt: string
}
