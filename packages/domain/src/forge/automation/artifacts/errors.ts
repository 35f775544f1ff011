import { Schema } from "effect"

/** Reports that the artifact does not exist, or that its bytes are gone. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {}) {}
/** Reports that a run has an artifact of that name already. */
export class ArtifactExists extends Schema.TaggedError<ArtifactExists>()("ArtifactExists", { name: Schema.String }) {}
/** Reports that what a job sends of an artifact can't be taken. */
export class ArtifactRefused extends Schema.TaggedError<ArtifactRefused>()("ArtifactRefused", {
  problem: Schema.String
}) {}
/** Reports that a run has as many artifacts, or an artifact as many parts, as it may. */
export class ArtifactsFull extends Schema.TaggedError<ArtifactsFull>()("ArtifactsFull", {
  of: Schema.Literals(["artifacts", "parts"]),
  most: Schema.Number
}) {}
