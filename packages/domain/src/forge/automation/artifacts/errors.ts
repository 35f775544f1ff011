import { Schema } from "effect"

/** Reports that the artifact does not exist, or that its content has expired. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {}) {}
/** Reports that a run already has an artifact with that name. */
export class ArtifactExists extends Schema.TaggedError<ArtifactExists>()("ArtifactExists", { name: Schema.String }) {}
/** Reports that an upload of an artifact is invalid, with the reason. */
export class ArtifactRefused extends Schema.TaggedError<ArtifactRefused>()("ArtifactRefused", {
  problem: Schema.String
}) {}
/** Reports that a workflow run has the maximum number of artifacts, or an artifact the maximum number of blocks. */
export class ArtifactsFull extends Schema.TaggedError<ArtifactsFull>()("ArtifactsFull", {
  of: Schema.Literals(["artifacts", "parts"]),
  most: Schema.Number
}) {}
