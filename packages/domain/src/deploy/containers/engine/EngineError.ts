import { Schema } from "effect"

/** Reports that a server's engine does not answer, with the reason; a retry may succeed. */
export class EngineUnreachable extends Schema.TaggedError<EngineUnreachable>()("EngineUnreachable", {
  because: Schema.String
}) {}

/** Reports that the SSH host key of a server has changed; a retry does not help. */
export class HostKeyChanged extends Schema.TaggedError<HostKeyChanged>()("HostKeyChanged", {
  /** The SHA-256 fingerprint of the presented key. */
  shown: Schema.String
}) {}

/** Reports that the engine rejected the request, with its message. */
export class EngineRefused extends Schema.TaggedError<EngineRefused>()("EngineRefused", { because: Schema.String }) {}

/** Reports that an image was not found in the engine or a registry, or that these credentials may not pull it. */
export class ImageNotFound extends Schema.TaggedError<ImageNotFound>()("ImageNotFound", {
  reference: Schema.String,
  because: Schema.String
}) {}

/** Reports that a build failed at one of its steps; its log has the details. */
export class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { because: Schema.String }) {}

/** Reports that an application has no container of that name. */
export class ContainerNotFound extends Schema.TaggedError<ContainerNotFound>()("ContainerNotFound", {
  name: Schema.String
}) {}

/** Reports that a container isn't running. */
export class ContainerNotRunning extends Schema.TaggedError<ContainerNotRunning>()("ContainerNotRunning", {
  name: Schema.String
}) {}

/** Reports that a program in a container exited with another code than 0, with its last error output. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  exitCode: Schema.Int,
  errors: Schema.String
}) {}

/** Reports that the size of a received file differs from the announced size. */
export class FileSizeDiffers extends Schema.TaggedError<FileSizeDiffers>()("FileSizeDiffers", { size: Schema.Int }) {}

/** Reports that a network of that name does not exist. */
export class NetworkNotFound extends Schema.TaggedError<NetworkNotFound>()("NetworkNotFound", {
  name: Schema.String
}) {}

/** Reports that another owner already uses this name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}

/** Reports that a resource in use cannot be removed. */
export class ResourceInUse extends Schema.TaggedError<ResourceInUse>()("ResourceInUse", { name: Schema.String }) {}

/** Reports that a port of the server is in use. */
export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", { because: Schema.String }) {}

/** The errors of every request to an engine. */
export type EngineFailure = EngineUnreachable | EngineRefused
