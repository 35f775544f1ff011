/** What the fork server is asked: to start a program, whose pipes are those connections that give its nonce, or to send it a signal. */
export type Asked =
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

/** What the fork server tells: where it takes connections, and how a program ended or why it didn't start. */
export type Told =
  | { readonly path: string }
  | { readonly id: number; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly id: number; readonly code: string; readonly errno: number; readonly message: string }

/** The length of a nonce, a UUID. */
export const nonceLength = 36

/** Writes what a connection begins with: whose pipe it is, and which of them. */
export const greetingOf = (nonce: string, at: number): string => `${nonce}${at}`
