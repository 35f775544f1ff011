import { Schema } from "effect"

/** Reports that the container engine of a server does not respond, with the reason; a retry may succeed. */
export class EngineUnreachable extends Schema.TaggedError<EngineUnreachable>()("EngineUnreachable", {
  because: Schema.String
}) {}

/** Reports that the SSH host key of a server differs from the stored one; a retry does not help. */
export class HostKeyChanged extends Schema.TaggedError<HostKeyChanged>()("HostKeyChanged", {
  /** The SHA-256 fingerprint of the key that the server presented. */
  shown: Schema.String
}) {}

/** Reports that the container engine rejected a request; `because` is the engine's error message. */
export class EngineRefused extends Schema.TaggedError<EngineRefused>()("EngineRefused", { because: Schema.String }) {}

/** Reports that an image is missing in the engine or the registry, or that the credentials do not permit its pull. */
export class ImageNotFound extends Schema.TaggedError<ImageNotFound>()("ImageNotFound", {
  reference: Schema.String,
  because: Schema.String
}) {}

/** Reports that a step of an image build failed; the build log has the details. */
export class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { because: Schema.String }) {}

/** Reports that an application has no container of that name. */
export class ContainerNotFound extends Schema.TaggedError<ContainerNotFound>()("ContainerNotFound", {
  name: Schema.String
}) {}

/** Reports that a container isn't running. */
export class ContainerNotRunning extends Schema.TaggedError<ContainerNotRunning>()("ContainerNotRunning", {
  name: Schema.String
}) {}

/** Reports that a command in a container exited with a code other than 0, with the end of its error output. */
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

/** Reports that a container, network or volume of another owner already has this name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", { name: Schema.String }) {}

/** Reports that an image, network or volume cannot be removed, because a container uses it. */
export class ResourceInUse extends Schema.TaggedError<ResourceInUse>()("ResourceInUse", { name: Schema.String }) {}

/** Reports that a port of the server is in use. */
export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", { because: Schema.String }) {}

/** The errors that every request to a container engine can return. */
export type EngineFailure = EngineUnreachable | EngineRefused
