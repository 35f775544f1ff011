/** A request to the fork server: to start a program with a nonce that authenticates its pipes, or to send a signal. */
export type ForkRequest =
  | {
      readonly id: number
      readonly nonce: string
      readonly program: string
      readonly args: ReadonlyArray<string>
      readonly environment: Readonly<Record<string, string>>
      readonly isDetached: boolean
      readonly pipes: number
    }
  | { readonly id: number; readonly signal: NodeJS.Signals }

/** A message of the fork server: its socket path, a program's exit, or why it didn't start. */
export type ForkMessage =
  | { readonly path: string }
  | { readonly id: number; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly code: string; readonly errno: number; readonly message: string }

/** The length of a nonce, a UUID. */
export const nonceLength = 36

/** Returns the greeting of a connection: the program's nonce, and the index of the pipe. */
export const greetingOf = (nonce: string, at: number): string => `${nonce}${at}`
