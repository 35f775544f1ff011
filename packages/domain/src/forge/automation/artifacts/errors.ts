import { Schema } from "effect"

/** Reports that the artifact does not exist, or that its bytes are deleted. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {}) {}
/** Reports that a run already has an artifact with that name. */
export class ArtifactExists extends Schema.TaggedError<ArtifactExists>()("ArtifactExists", { name: Schema.String }) {}
/** Reports that an upload of an artifact is invalid. */
export class ArtifactRefused extends Schema.TaggedError<ArtifactRefused>()("ArtifactRefused", {
  problem: Schema.String
}) {}
/** Reports that a run has too many artifacts, or an artifact too many parts. */
export class ArtifactsFull extends Schema.TaggedError<ArtifactsFull>()("ArtifactsFull", {
  of: Schema.Literals(["artifacts", "parts"]),
  most: Schema.Number
}) {}
