import { Schema } from "effect"
import type { Command } from "../../containers/engine/ContainerEngine.ts"
import type { TerminalSize } from "../../containers/engine/Terminal.ts"

/** The limits of terminals in the browser (invariant I25). */
export const terminalLimits = {
  /** The maximum number of open terminals of a process, and of an account in a process. */
  inAll: 32,
  account: 4,
  /** The minutes without input after which a terminal is closed. */
  idleMinutes: 15,
  /** The hours after which a terminal is closed. */
  longestHours: 8,
  /** The bytes of output that are sent before the browser has to confirm that it showed earlier ones. */
  unconfirmed: 262_144,
  /** The bytes of input that may wait for the program; more close the terminal. */
  unread: 1_048_576
} as const

/** The reasons for the end of a terminal, each with the message for its user. */
export const terminalEnds = {
  exited: "The shell exited.",
  idle: `Closed after ${terminalLimits.idleMinutes} minutes without input.`,
  expired: `Closed after ${terminalLimits.longestHours} hours.`,
  revoked: "Closed because your permission ended.",
  disabled: "Closed because an administrator disabled terminals on the server.",
  overflow: "Closed because the program does not read its input: more than 1 MiB waits.",
  disconnected: "The connection was closed.",
  failed: "The connection to the server was lost.",
  shutdown: "Closed because the platform restarts. Connect again."
} as const

/** The reason for the end of a terminal. */
export type TerminalEnd = keyof typeof terminalEnds

/** A message of the user's browser: typed keys, a new size, or the number of output bytes that it has shown. */
export type TerminalInput =
  | { readonly _tag: "Keys"; readonly bytes: Uint8Array }
  | { readonly _tag: "Resize"; readonly size: TerminalSize }
  | { readonly _tag: "Shown"; readonly bytes: number }

/** The command that runs in a terminal: bash if the image has it, otherwise sh. */
export const terminalShell: Pick<Command, "argv"> = {
  argv: ["sh", "-c", "if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi"]
}

/** Reports that terminals are disabled on the server of a container. */
export class TerminalsDisabled extends Schema.TaggedError<TerminalsDisabled>()("TerminalsDisabled", {
  server: Schema.String
}) {}

/** Reports that a resource has no running container, or none with the requested name. */
export class NoRunningContainer extends Schema.TaggedError<NoRunningContainer>()("NoRunningContainer", {
  /** The requested container; null if none was requested. */
  container: Schema.NullOr(Schema.String)
}) {}

/** Reports that the maximum number of terminals is open. */
export class TooManyTerminals extends Schema.TaggedError<TooManyTerminals>()("TooManyTerminals", {
  most: Schema.Number,
  of: Schema.Literals(["account", "process"])
}) {}
