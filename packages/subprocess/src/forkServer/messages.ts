/**
 * A request to the fork server: start a program, or send a signal to it. The nonce authenticates the pipes of the
 * program.
 */
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

/** A message of the fork server: the path of its socket, the exit of a program, or the error of a failed start. */
export type ForkMessage =
  | { readonly path: string }
  | { readonly id: number; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly code: string; readonly errno: number; readonly message: string }

/** The number of characters of a nonce, which is a UUID. */
export const nonceLength = 36

/** Returns the greeting that a pipe sends first: the nonce of the program, and the index of the pipe. */
export const greetingOf = (nonce: string, at: number): string => `${nonce}${at}`
